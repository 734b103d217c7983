#!/usr/bin/env python3
"""Fits the polynomials of include/primal/cpu and writes coefficients.hpp, erf_rows.hpp, log_rows.hpp,
piece_tables.hpp and double_pieces.hpp there.

Needs numpy and mpmath. Every fit is minimax for the stated weight: iteratively reweighted least
squares (Lawson) on Chebyshev points for float, where coefficients are rounded to float one by one
and the rest is refitted around them; Chebyshev interpolation in 60 digits for double.
"""
import pathlib

import mpmath as mp
import numpy as np

mp.mp.dps = 60
f32 = np.float32
FOLDER = pathlib.Path(__file__).parents[2] / "include/primal/cpu"
lines = []


def exactly(fn, points):
    return np.array([float(fn(mp.mpf(float(x)))) for x in points])


def chebyshev_points(low, high, count=301):
    return (low + high) / 2 - (high - low) / 2 * np.cos(np.pi * np.arange(count) / (count - 1))


def lawson(x, target, weight, powers):
    """The coefficients that minimise max |weight * (sum c_p x^p - target)|."""
    scale = np.abs(x).max()
    c = lawson_fit(np.stack([(x / scale) ** p for p in powers], 1), target, weight)
    return c / np.array([scale**p for p in powers])


def lawson_fit(basis, target, weight):
    """The same for any functions, whose values are the columns of the basis."""
    basis = basis * weight[:, None]
    share = np.full(len(target), 1 / len(target))
    best = None
    for _ in range(400):
        root = np.sqrt(share)
        c = np.linalg.lstsq(basis * root[:, None], target * weight * root, rcond=None)[0]
        error = np.abs(basis @ c - target * weight)
        if best is None or error.max() < best[0]:
            best = error.max(), c
        if error.max() == 0:
            break
        share = share * error
        share = share / share.sum()
    return best[1]


def fit(x, target, weight, powers, fixed=None):
    """Like lawson, in coefficients that are floats. Returns {power: value} and the error."""
    known = dict(fixed or {})
    todo = sorted(p for p in powers if p not in known)
    while todo:
        rest = target - sum((v * x**p for p, v in known.items()), np.zeros_like(x))
        known[todo[0]] = float(f32(lawson(x, rest, weight, todo)[0]))
        todo = todo[1:]
    error = np.abs((sum(v * x**p for p, v in known.items()) - target) * weight).max()
    return known, error


def literal(value, kind):
    value = kind(value)
    text = repr(float(value)) if kind is float else np.format_float_scientific(value, unique=True)
    text = text.replace("e-0", "e-").replace("e+00", "").replace("e+0", "e").replace("e+", "e")
    text = text.replace(".e", ".0e")
    return text + ("f" if kind is f32 else "")


def emit(text):
    lines.append(text)


def wrapped(values, kind, indent):
    out, line = [], indent
    for i, v in enumerate(values):
        piece = literal(v, kind) + ("," if i + 1 < len(values) else "")
        if len(line) + len(piece) + 1 > 98:
            out.append(line.rstrip())
            line = indent
        line += piece + " "
    return "\n".join(out + [line.rstrip()])


def polynomial(name, values, kind, comment):
    emit(f"/// {comment}")
    type_name = "float" if kind is f32 else "double"
    emit(f"template <>\ninline constexpr {type_name} {name}<{type_name}>[{len(values)}] = {{")
    emit(wrapped(values, kind, "    ") + "};\n")


def declare(name, comment):
    emit(f"/// {comment}\ntemplate <class T>\ninline constexpr T {name}[1] = {{}};\n")


def short(fn, low, high, degree, kind, weight=lambda x: mp.mpf(1)):
    """Coefficients 0..degree of fn on [low, high] (float: weighted; double: interpolation)."""
    if kind is float:
        c = mp.chebyfit(fn, [low, high], degree + 1)[::-1]
        return [float(v) for v in c]
    x = chebyshev_points(low, high)
    x = x[np.abs(x) > 1e-3 * max(abs(low), abs(high))]
    c, error = fit(x, exactly(fn, x), exactly(weight, x), range(degree + 1))
    print(f"  error 2^{np.log2(error):.1f}")
    return [c[p] for p in range(degree + 1)]


# ---- exp, log, sin, cos: one polynomial ---------------------------------------------------------

def series(fn, small, terms):
    """fn with its Taylor series near 0, where the closed form cancels."""
    return lambda x: (sum(mp.mpf(c) * x**k for k, c in enumerate(terms)) if abs(x) < small
                      else fn(x))


half_ln2 = float(mp.log(2) / 2 * mp.mpf("1.0001"))
exp_rest = series(lambda r: (mp.exp(r) - 1 - r) / r**2, mp.mpf("1e-12"),
                  [mp.mpf(1) / mp.factorial(k + 2) for k in range(6)])
log_rest = series(lambda f: (mp.log1p(f) - f) / f**2, mp.mpf("1e-12"),
                  [(-1) ** (k + 1) / mp.mpf(k + 2) for k in range(6)])
log_rest3 = series(lambda f: (mp.log1p(f) - f + f**2 / 2) / f**3, mp.mpf("1e-12"),
                   [(-1) ** k / mp.mpf(k + 3) for k in range(6)])
artanh_rest = lambda z: (mp.mpf(2) / 3 if z == 0 else
                         (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z)
artanh_rest = series(artanh_rest, mp.mpf("1e-14"), [mp.mpf(2) / (2 * k + 3) for k in range(6)])
artanh_rest5 = series(lambda z: (artanh_rest(z) - mp.mpf(2) / 3) / z, mp.mpf("1e-14"),
                      [mp.mpf(2) / (2 * k + 5) for k in range(6)])
sin_rest = series(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, mp.mpf("1e-14"),
                  [(-1) ** (k + 1) / mp.factorial(2 * k + 3) for k in range(6)])
half = float((mp.pi / 2) ** 2 * mp.mpf("1.0002"))
quarter = float((mp.pi / 4) ** 2 * mp.mpf("1.0002"))
largest_s = 0.0401  # s = f / (2 + f) with -1/4 <= f < 1/2, squared


def smooth():
    declare("exp_rest", "(e^r - 1 - r) / r^2 on |r| <= ln(2)/2.")
    polynomial("exp_rest", short(exp_rest, -half_ln2, half_ln2, 4, f32,
                                 lambda r: r**2 / mp.exp(r)), f32, "Float.")
    polynomial("exp_rest", short(exp_rest, -half_ln2, half_ln2, 9, float), float, "Double.")
    c = short(exp_rest, -half_ln2 / 2, half_ln2 / 2, 7, float)
    emit("/// The same on |r| <= ln(2)/4.\ninline constexpr double exp_rest_by_2[8] = {")
    emit(wrapped(c, float, "    ") + "};\n")

    weight = lambda f: abs(f**2 / mp.log1p(f))
    declare("log_rest", "(log(1 + f) - f) / f^2 on -1/4 <= f <= 1/2.")
    polynomial("log_rest", [-0.5] + log_tail(8, -0.25, 0.5), f32, "Float.")
    declare("log_rest_reduced", "The same for |f| <= 1/30, fractions reduced by log_pieces; best up to 0.026, where "
            "the logarithm may be small.")
    polynomial("log_rest_reduced", short(log_rest, -0.0264, 0.0264, 2, f32, weight), f32, "Float.")
    polynomial("log_rest_reduced", short(log_rest, -0.03, 0.03, 7, float), float, "Double.")
    weight = lambda f: abs(f**3 / mp.log1p(f))
    declare("log_rest3", "(log(1 + f) - f + f^2 / 2) / f^3 for them.")
    polynomial("log_rest3", short(log_rest3, -0.03, 0.03, 3, f32, weight), f32, "Float.")
    polynomial("log_rest3", short(log_rest3, -0.03, 0.03, 8, float), float, "Double.")

    declare("artanh_rest", "(2 artanh(s) - 2 s) / s^3 in z = s^2, for |s| <= 1/5.")
    polynomial("artanh_rest", short(artanh_rest, 0, largest_s, 7, float), float, "Double.")
    declare("artanh_rest5", "(2 artanh(s) - 2 s - 2 s^3 / 3) / s^5 in z = s^2, same range.")
    polynomial("artanh_rest5", short(artanh_rest5, 0, largest_s, 3, f32), f32, "Float.")
    polynomial("artanh_rest5", short(artanh_rest5, 0, largest_s, 7, float), float, "Double.")
    weight = lambda z: z * mp.sqrt(z) / mp.sin(mp.sqrt(z))
    declare("sin_rest", "(sin(r) - r) / r^3 in z = r^2, for |r| <= pi/2.")
    polynomial("sin_rest", short(sin_rest, 0, half, 3, f32, weight), f32, "Float.")
    polynomial("sin_rest", short(sin_rest, 0, half, 7, float), float, "Double.")
    declare("tan_rest", "p(z) of tan(r) / r = (1 - z p(z)) / q(z) in z = r^2, for |r| <= pi/4.")
    tangents = [(tangent(2, 2), f32, "Float."), (tangent(4, 3), float, "Double.")]
    for (p, _), kind, comment in tangents:
        polynomial("tan_rest", p, kind, comment)
    declare("tan_divisor", "q(z).")
    for (_, q), kind, comment in tangents:
        polynomial("tan_divisor", q, kind, comment)


def tangent(p_count, q_degree):
    """The coefficients of p and of q, with q(0) = 1, for which the quotient is exact at Chebyshev nodes."""
    rows, values = [], []
    count = p_count + q_degree
    for i in range(count):
        z = quarter / 2 * (1 + mp.cos(mp.pi * (2 * i + 1) / (2 * count)))
        value = mp.tan(mp.sqrt(z)) / mp.sqrt(z)
        rows.append([-z**(k + 1) for k in range(p_count)] + [-value * z**(k + 1) for k in range(q_degree)])
        values.append(value - 1)
    c = [float(v) for v in mp.lu_solve(mp.matrix(rows), mp.matrix(values))]
    return c[:p_count], [1.0] + c[p_count:]


def log_tail(degree, low, high):
    """log_rest in float with its first coefficient held at -1/2."""
    x = chebyshev_points(low, high)
    x = x[np.abs(x) > 1e-3]
    c, error = fit(x, exactly(log_rest, x), exactly(lambda f: abs(f**2 / mp.log1p(f)), x),
                   range(degree + 1), {0: -0.5})
    print(f"  error 2^{np.log2(error):.1f}")
    return [c[p] for p in range(1, degree + 1)]


# ---- Double erf and gelu ------------------------------------------------------------------------

def double_tail_pieces():
    step = 0.582
    emit("/// Q and Q(a) + a Q'(a) for doubles, around multiples of the step.")
    emit(f"inline constexpr double normal_tail_step = {step};\n")
    tail = lambda a: mp.erfc(a / mp.sqrt(2)) / 2
    slope = lambda a: tail(a) - a * mp.exp(-a * a / 2) / mp.sqrt(2 * mp.pi)
    for name, fn, degree in (("double_tail_pieces", tail, 12), ("double_slope_pieces", slope, 13)):
        columns, errors = [], []
        for k in range(16):
            c, error = mp.chebyfit(lambda u: fn(u + k * mp.mpf(step)), [-step / 2, step / 2], degree + 1, error=True)
            columns.append([float(v) for v in c[::-1]])
            errors.append(error)
        print(f"{name}: worst 2^{float(mp.log(max(errors), 2)):.1f}, absolute")
        double_table(name, columns)


def double_table(name, columns):
    emit(f"alignas(64) inline constexpr double {name}[{len(columns[0])}][16] = {{")
    emit(",\n".join("    {" + wrapped(row, float, "     ").lstrip() + "}" for row in zip(*columns))
         + "};\n")


def double_erf_pieces():
    step, degree, worst = 0.39, 13, 0
    columns = []
    for k in range(16):
        if k == 0:
            small = lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) if z else 2 / mp.sqrt(mp.pi)
            c, error = mp.chebyfit(small, [0, mp.mpf(0.2) ** 2], degree + 1, error=True)
        else:
            centre = k * mp.mpf(step)
            c, error = mp.chebyfit(lambda u: mp.erf(u + centre), [-0.1951, 0.1951], degree + 1,
                                   error=True)
            error = error / mp.erf(centre - step / 2)
        worst = max(worst, error)
        columns.append([float(v) for v in c[::-1]])
    print(f"double_erf_pieces: worst 2^{float(mp.log(worst, 2)):.1f}")
    emit("/// erf around multiples of the step, by powers of the distance; around 0 erf(a) / a by powers of"
         f"\n/// a^2.\ninline constexpr double erf_step = {step};")
    double_table("double_erf_pieces", columns)


def double_erf_rows():
    """erf(c) and its slope at multiples c of a step, and the rest as one polynomial in t = c d and d^2."""
    step = mp.mpf(3) / 128
    slope = lambda c: 2 / mp.sqrt(mp.pi) * mp.exp(-c * c)
    emit("/// erf and its derivative at the multiples of a step.\n"
         f"inline constexpr double erf_row_step = {float(step)};")
    row_table("erf_rows", [(float(mp.erf(k * step)), float(slope(k * step))) for k in range(256)])
    counts = [4, 3, 3, 2, 2, 1, 1]
    powers = [(i, j) for i, count in enumerate(counts) for j in range(count)][1:]
    # The coefficients of t^i (d^2)^j of the Taylor series, to which minimax corrections are small.
    taylor = lambda i, j: (-1) ** (i + j) * mp.mpf(2) ** i / (mp.factorial(i) * mp.factorial(j) * (i + 2 * j + 1))
    t, w, rest, weight = [], [], [], []
    for k in [*range(16), *range(16, 256, 5)]:
        c = k * step
        for d in (step / 2 * mp.cos(mp.pi * (2 * j + 1) / 18) for j in range(9)):
            exact = (mp.erf(c + d) - mp.erf(c)) / (slope(c) * d)
            known = 1 + sum(taylor(i, j) * (c * d) ** i * d ** (2 * j) for i, j in powers)
            t.append(float(c * d)), w.append(float(d * d)), rest.append(float(exact - known))
            weight.append(float(slope(c) * d / mp.erf(c + d)))
    scale_t, scale_w = np.abs(t).max(), np.max(w)
    basis = np.stack([(np.array(t) / scale_t) ** i * (np.array(w) / scale_w) ** j for i, j in powers], 1)
    c = lawson_fit(basis, np.array(rest), np.array(weight))
    error = np.abs((basis @ c - rest) * weight).max()
    print(f"erf_rows: worst 2^{np.log2(error):.1f}")
    exact = {p: taylor(*p) + mp.mpf(v) / (mp.mpf(scale_t) ** p[0] * mp.mpf(scale_w) ** p[1])
             for p, v in zip(powers, c)} | {(0, 0): mp.mpf(1)}
    emit("/// (erf(c + d) - erf(c)) / (erf'(c) d) by powers of c d / erf_row_step, the coefficients of which are\n"
         "/// polynomials in d^2.")
    for i, count in enumerate(counts):
        emit(f"inline constexpr double erf_rest_{i}[{count}] = {{")
        emit(wrapped([float(exact[i, j] * step**i) for j in range(count)], float, "    ") + "};")
    emit("")


# ---- Float tables: pieces chosen by the leading bits of a + offset ------------------------------

def pieces(offset, per_octave, count, end):
    """The intervals of a >= 0 on which the leading bits of a + offset are the same."""
    out, v = [], offset
    while v - offset < end and len(out) < count:
        step = 2.0 ** np.floor(np.log2(v)) / per_octave
        following = (np.floor(v / step) + 1) * step
        out.append((v - offset, following - offset))
        v = following
    return out


def good_centre(fn, low, high):
    """A point near the middle, of few bits, where fn is almost a float: no error in c0."""
    step = 2.0 ** np.floor(np.log2((high - low) / 2048))
    middle = round((low + high) / 2 / step)
    candidates = [(middle + j) * step for j in range(-90, 91)]

    def distance(c):
        value = fn(mp.mpf(c))
        nearest = f32(float(value))
        return abs(float(value - mp.mpf(float(nearest)))) / float(np.spacing(nearest))
    return min((c for c in candidates if low < c < high), key=distance)


def table(name, fn, edges, degree, kind, count, rotate=0, centres=None):
    """Rows: centre, then the coefficients of (a - centre)^k.

    kind 'odd': relative error, and the first piece is a + a * (c1 + c2 a + ...), so that the result
    keeps its relative accuracy at 0; 'tail': error relative to the value plus 2e-3; 'flat': plus .1.
    """
    rows = np.zeros((degree + 2, count))
    worst = 0.0
    for k, (low, high) in enumerate(edges):
        if kind == "odd" and k == 0:
            x = chebyshev_points(high * 1e-4, high)
            target = exactly(lambda a: fn(a) / a - 1, x)
            c, error = fit(x, target, np.ones_like(x), range(degree))
            column = [0.0, 0.0] + [c[p] for p in range(degree)]
        else:
            centre = good_centre(fn, low, high) if centres is None else centres[k]
            c0 = float(f32(float(fn(mp.mpf(centre)))))
            x = chebyshev_points(low - centre, high - centre)
            target = exactly(lambda u: fn(u + mp.mpf(centre)), x)
            floor = {"odd": 0.0, "tail": 2e-3, "flat": 0.1}[kind]
            c, error = fit(x, target, 1 / (np.abs(target) + floor), range(degree + 1), {0: c0})
            column = [centre] + [c[p] for p in range(degree + 1)]
        rows[:, k] = column
        worst = max(worst, error)
    print(f"{name}: worst 2^{np.log2(worst):.1f}")
    result = list(rows[0])
    if centres is not None:
        rows = rows[1:]
    rows = np.roll(rows, rotate, axis=1)
    emit(f"template <>\nalignas(64) inline constexpr float {name}<{count}>[{len(rows)}][{count}] = {{")
    emit(",\n".join("    {" + wrapped(r, f32, "     ").lstrip() + "}" for r in rows) + "};\n")
    return result


def declare_table(name, comment):
    emit(f"/// {comment}\ntemplate <int Pieces>\ninline constexpr float {name}[1][1] = {{}};\n")


def tables():
    normal_tail = lambda a: mp.erfc(a / mp.sqrt(2)) / 2
    slope = lambda a: normal_tail(a) - a * mp.exp(-a * a / 2) / mp.sqrt(2 * mp.pi)
    declare_table("erf_pieces", "erf on [0, 4), pieces by the leading bits of a + 4.04.")
    table("erf_pieces", mp.erf, pieces(4.04, 16, 16, 3.95), 6, "odd", 16)
    table("erf_pieces", mp.erf, pieces(4.04, 8, 8, 3.95), 7, "odd", 8)
    declare_table("tanh_pieces", "tanh on [0, 9.1), pieces by the leading bits of a + 1.")
    table("tanh_pieces", mp.tanh, pieces(1, 4, 16, 9.1), 6, "odd", 16, rotate=12)
    table("tanh_pieces", mp.tanh, pieces(1, 2, 8, 9.1), 8, "odd", 8, rotate=6)
    declare_table("normal_tail_pieces",
                  "Q(a) = erfc(a / sqrt 2) / 2 on [0, 6), pieces by the leading bits of a + 2.")
    c16 = table("normal_tail_pieces", normal_tail, pieces(2, 8, 16, 6), 5, "tail", 16)
    c8 = table("normal_tail_pieces", normal_tail, pieces(2, 4, 8, 6), 7, "tail", 8)
    declare_table("gelu_slope_pieces", "Q(a) + a Q'(a), around the centres of normal_tail_pieces.")
    table("gelu_slope_pieces", slope, pieces(2, 8, 16, 6), 5, "flat", 16, centres=c16)
    table("gelu_slope_pieces", slope, pieces(2, 4, 8, 6), 7, "flat", 8, centres=c8)
    argument = lambda a: 2 * mp.sqrt(2 / mp.pi) * (a + 0.044715 * a**3)
    tanh_tail = lambda a: 1 / (1 + mp.exp(argument(a)))
    tanh_slope = lambda a: tanh_tail(a) * (1 - a * (1 - tanh_tail(a)) * mp.diff(argument, a))
    declare_table("tanh_tail_pieces", "The same of Q(a) = sigmoid(-2 sqrt(2/pi) (a + 0.044715 a^3)).")
    table("tanh_tail_pieces", tanh_tail, pieces(2, 8, 16, 6), 5, "tail", 16, centres=c16)
    table("tanh_tail_pieces", tanh_tail, pieces(2, 4, 8, 6), 7, "tail", 8, centres=c8)
    declare_table("tanh_slope_pieces", "Q(a) + a Q'(a) of that.")
    table("tanh_slope_pieces", tanh_slope, pieces(2, 8, 16, 6), 5, "flat", 16, centres=c16)
    table("tanh_slope_pieces", tanh_slope, pieces(2, 4, 8, 6), 7, "flat", 8, centres=c8)


def near_multiple(r, log, digits, steps):
    """A number near r for which -log is near a multiple of 2^-digits, that multiple, and the rest. (A
    simple fraction r would meet few different remainders on its way.)"""
    spacing = float(np.spacing(f32(r) if digits < 20 else r))
    steps = np.arange(-steps, steps)
    r = mp.mpf(round(r * 1.0001234567 / spacing) * spacing)
    start = -log(r) * 2**digits
    multiples = float(start - mp.floor(start)) - float(log(mp.e) * 2**digits) * np.log1p(steps * (spacing / float(r)))
    r += int(steps[np.argmin(np.abs(multiples - np.round(multiples)))]) * mp.mpf(spacing)
    multiple = mp.nint(-log(r) * 2**digits) / 2**digits
    return float(r), float(multiple), float(-log(r) - multiple)


def log_pieces():
    """Reciprocals near the middle of 16 pieces of [3/4, 3/2), whose logarithms are nearly numbers of
    so few bits that adding e log 2 to them is exact. That around 1 is 1: the logarithm keeps its
    relative accuracy."""
    emit("/// The middles of the pieces of [3/4, 3/2) are multiples k / log_steps; a row has the piece of k at "
         "k % 16.\n"
         "template <class T>\ninline constexpr T log_steps = 20;\n")
    for base, log in (("log", mp.log), ("log2", lambda r: mp.log(r, 2))):
        emit("/// Reciprocals of the middles, minus their logarithms to base 2." if base == "log2" else
             "/// Reciprocals of the middles, minus their logarithms to base e, and what these lack.")
        emit(f"template <class T>\ninline constexpr T {base}_pieces[1][1] = {{}};\n")
        for kind, digits, steps in ((f32, 14, 60000), (float, 41, 2**20)):
            near = [k if k == 15 else k + 16 for k in range(16)]
            pieces = [near_multiple(20 / k, log, digits, steps) if k != 20 else (1.0, 0.0, 0.0)
                      for k in near]
            rows = list(zip(*pieces))[:2 if base == "log2" else 3]
            name = "float" if kind is f32 else "double"
            emit(f"/// Multiples of 2^-{digits}.\ntemplate <>\n"
                 f"alignas(64) inline constexpr {name} {base}_pieces<{name}>[{len(rows)}][16] = {{")
            emit(",\n".join("    {" + wrapped(r, kind, "     ").lstrip() + "}" for r in rows) + "};\n")


def row_table(name, rows):
    emit(f"alignas(32) inline constexpr double {name}[{len(rows)}][{len(rows[0])}] = {{")
    emit(",\n".join("    {" + ", ".join(literal(v, float) for v in row) + "}" for row in rows) + "};\n")


def log_rows():
    """A reciprocal, minus its logarithm in two parts, and nothing, for 7 bits of the mantissa of m in
    [3/4, 3/2). m times the reciprocal, less 1, is a double."""
    rows = []
    for k in range(128):
        low, step, bits = (mp.mpf(k) / 128 + 1, 128, 8) if k < 64 else (mp.mpf(k) / 256 + mp.mpf(0.5), 256, 7)
        edge = k in (0, 127)  # beside 1 the logarithm keeps its relative accuracy
        r = mp.mpf(1) if edge else mp.nint(2**bits / (low + mp.mpf(0.5) / step)) / 2**bits
        assert max(abs(low * r - 1), abs((low + mp.mpf(1) / step) * r - 1)) <= mp.mpf(2) ** -7
        head = mp.nint(-mp.log(r) * 2**41) / 2**41
        rows.append((float(r), float(head), float(-mp.log(r) - head), 0.0))
    emit("/// Reciprocals of m in [3/4, 3/2) by the 7 leading bits of its mantissa, minus their logarithms, and what\n"
         "/// these lack. Multiples of 2^-41.")
    row_table("log_rows", rows)
    c, error = mp.chebyfit(lambda f: -2 * log_rest3(f), [-mp.mpf(2) ** -7, mp.mpf(2) ** -7], 7, error=True)
    print(f"log_rest_of_rows: worst 2^{float(mp.log(error, 2)):.1f}")
    emit("/// (log(1 + f) - f + f^2 / 2) / (-f^3 / 2) for |f| <= 2^-7.\n"
         "inline constexpr double log_rest_of_rows[7] = {")
    emit(wrapped([float(v) for v in c[::-1]], float, "    ") + "};\n")


def write(file, comment, *parts):
    lines[:] = [f"// {comment} Written by tests/data/fit_math.py; edit that instead.\n"
                "#pragma once\n\nnamespace primal::cpu {\n"]
    for part in parts:
        part()
    emit("}  // namespace primal::cpu")
    (FOLDER / file).write_text("\n".join(lines) + "\n")


write("coefficients.hpp", "Polynomials of the vector functions.", smooth)
write("piece_tables.hpp", "Piecewise polynomials of the vector functions.", log_pieces, tables)
write("erf_rows.hpp", "erf of doubles by a table in memory.", double_erf_rows)
write("log_rows.hpp", "Logarithms of doubles by a table in memory.", log_rows)
write("double_pieces.hpp", "Piecewise polynomials for doubles.", double_erf_pieces, double_tail_pieces)
