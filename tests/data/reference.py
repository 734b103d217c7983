"""How the reference values are computed, and the text format in which they are stored.

Values. Every function is evaluated on NumPy object arrays of mpmath numbers with 60 digits, starting from
inputs that are exact doubles; only the result is rounded. So the stored doubles are the correctly rounded
results of the exact function, not those of some library's double-precision kernel.

Gradients. A stored gradient is that of sum(cotangent * output), by central differences in 60 digits with a
step of 1e-20: exact to 1e-30, and independent of any differentiation rule. Points at which a function has a
kink are never drawn; the values that this library wants there are written out by hand in make_operators.py.

Format. One block a case; blank lines and lines that start with # say nothing.

    case softmax/axis1          operator / what is special about the case
    attr axis 1                 attribute, value: a number, true or false, a comma-separated list, or a word
    in f64 2,3,4 : 0.5 -1.25 ...   one line an input, in order: dtype, shape, values in row-major order
    out f64 2,3,4 : ...            one line an output
    cotangent 0 f64 2,3,4 : ...    cotangent of output 0 (an output without one has no part in the gradients)
    grad 0 f64 2,3,4 : ...         gradient with respect to input 0
    end

The shape of a rank-0 tensor is written (). A value may be repeated: 3000*1 stands for 3,000 ones. Values may
be nan, inf and -inf. The dtypes are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64; f64 means that the values
are exact doubles, and a test may run the case in any floating type. Inputs drawn at random are multiples of
1/64 below 4, so they are exact in f16, bf16 and f32 as well.
"""

import math
import random
import zlib
from itertools import groupby
from pathlib import Path

import mpmath as mp
import numpy as np

mp.mp.dps = 60
STEP = mp.mpf(10) ** -20
NOISE = mp.mpf(10) ** -30  # differences below this are 0


# Arrays of exact numbers ---------------------------------------------------------------------------------


def exact(x):
    """An object array of mpmath numbers with the values of x."""
    x = np.asarray(x)
    out = np.empty(x.shape, dtype=object)
    for i in np.ndindex(x.shape):
        out[i] = mp.mpf(x[i].item())
    return out


def elementwise(f):
    """f over the elements of object arrays, with broadcasting; the result is an array also for rank 0."""
    vectorised = np.frompyfunc(f, f.__code__.co_argcount if hasattr(f, "__code__") else 1, 1)

    def apply(*arrays):
        return np.asarray(vectorised(*arrays), dtype=object)

    return apply


def predicate(f):
    """As elementwise, with a bool array as the result."""
    inner = elementwise(f)
    return lambda *arrays: inner(*arrays).astype(np.bool_)


def is_exact(x):
    return isinstance(x, np.ndarray) and x.dtype == object


# Drawing inputs ------------------------------------------------------------------------------------------


class draws:
    """Distinct multiples of 1/64 with magnitude below 4, none of them a multiple of 1/2 (where the functions
    with kinks have them). The same name draws the same numbers."""

    def __init__(self, name, domain="all"):
        grid = [k / 64 for k in range(-255, 256) if k % 32]
        keep = {
            "all": lambda v: True,
            "positive": lambda v: v > 0,
            "above -1": lambda v: v > -0.9,
            "unit": lambda v: 0 < v < 1,
            "small": lambda v: abs(v) < 2,
        }[domain]
        grid = [v for v in grid if keep(v)]
        self.random = random.Random(zlib.crc32(name.encode()))
        keys = [self.random.random() for _ in grid]
        self.order = [v for _, v in sorted(zip(keys, grid))]
        self.next = 0

    def floats(self, shape):
        n = math.prod(shape)
        values = [self.order[(self.next + i) % len(self.order)] for i in range(n)]
        self.next += n
        return np.array(values, dtype=np.float64).reshape(shape)

    def integers(self, shape, low, high):
        """Uniform in [low, high)."""
        n = math.prod(shape)
        values = [low + int(self.random.random() * (high - low)) for _ in range(n)]
        return np.array(values, dtype=np.int64).reshape(shape)

    def cotangent(self, shape):
        n = math.prod(shape)
        values = [
            (1 + int(self.random.random() * 127)) / 64 * (1 if self.random.random() < 0.5 else -1) for _ in range(n)
        ]
        return np.array(values, dtype=np.float64).reshape(shape)


# Gradients -----------------------------------------------------------------------------------------------


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


def gradient(f, inputs, cotangents, k):
    """The gradient of sum(cotangents * f(inputs)) with respect to the exact input k."""

    def loss(x):
        outputs = as_tuple(f(*inputs[:k], x, *inputs[k + 1 :]))
        total = mp.mpf(0)
        for i, c in cotangents.items():
            for a, b in zip(exact(c).flat, np.asarray(outputs[i], dtype=object).flat):
                total += a * b
        return total

    x = inputs[k]
    out = np.empty(x.shape, dtype=object)
    for i in np.ndindex(x.shape):
        h = STEP * max(mp.mpf(1), abs(x[i]))
        sides = []
        for sign in (1, -1):
            moved = x.copy()
            moved[i] = x[i] + sign * h
            sides.append(loss(moved))
        slope = (sides[0] - sides[1]) / (2 * h)
        assert not abs(slope) > 1e12, "a kink or a jump was drawn"
        out[i] = mp.mpf(0) if abs(slope) < NOISE else slope
    return out


# Writing -------------------------------------------------------------------------------------------------

DTYPES = {
    "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8",
    "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64",
    "object": "f64",
}  # fmt: skip


class typed:
    """An array with a dtype that NumPy lacks, or that differs from how its values are held."""

    def __init__(self, dtype, values):
        self.dtype, self.values = dtype, np.asarray(values)


def number(v):
    if isinstance(v, (bool, np.bool_)):
        return str(int(v))
    if isinstance(v, (int, np.integer)):
        return str(int(v))
    text = repr(float(v))  # an mpmath number is rounded to the nearest double here
    return text[:-2] if text.endswith(".0") else text


def tensor(x):
    if isinstance(x, typed):
        dtype, x = x.dtype, x.values
    else:
        x = np.asarray(x)
        dtype = DTYPES[x.dtype.name]
    shape = ",".join(str(n) for n in x.shape) or "()"
    values = []
    for text, run in groupby(number(v) for v in x.flat):
        n = len(list(run))
        values += [f"{n}*{text}"] if n > 3 else [text] * n
    return " ".join([dtype, shape, ":"] + values)


def attribute(v):
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, (list, tuple)):
        return ",".join(attribute(e) for e in v) or "()"
    return v if isinstance(v, str) else number(v)


class family:
    """One file of cases."""

    def __init__(self, name, title):
        self.name, self.names = name, set()
        self.lines = [f"# {title}", "# Written by a script beside this file; the format is in reference.py.", ""]

    def known(self, name, inputs, outputs, attrs=None, cotangents=None, grads=None, note=None):
        """A case whose values are given. cotangents and grads: {index: array}, or a list from index 0."""
        assert name not in self.names, name
        self.names.add(name)
        if note:
            self.lines.append(f"# {note}")
        self.lines.append(f"case {name}")
        self.lines += [f"attr {k} {attribute(v)}" for k, v in (attrs or {}).items()]
        self.lines += [f"in {tensor(x)}" for x in inputs]
        self.lines += [f"out {tensor(x)}" for x in as_tuple(outputs)]
        for word, given in (("cotangent", cotangents), ("grad", grads)):
            given = dict(enumerate(given)) if isinstance(given, (list, tuple)) else given or {}
            self.lines += [f"{word} {i} {tensor(x)}" for i, x in given.items()]
        self.lines += ["end", ""]

    def case(self, name, f, inputs, attrs=None, wrt="all", cotangents_of=None, domain="all", note=None):
        """A case whose values are computed. An input that is a tuple is a shape to draw; attrs are passed to f.
        wrt: the inputs to differentiate ("all": the floating ones); cotangents_of: the outputs that have one."""
        draw = draws(name, domain)
        stored = [draw.floats(x) if isinstance(x, tuple) else x for x in inputs]
        inner = [exact(x) if isinstance(x, np.ndarray) and x.dtype == np.float64 else x for x in stored]
        inner = [x.values if isinstance(x, typed) else x for x in inner]

        def call(*arrays):
            return f(*arrays, **(attrs or {}))

        outputs = tuple(
            np.asarray(y, dtype=object) if not isinstance(y, (np.ndarray, typed)) else y for y in as_tuple(call(*inner))
        )
        floating = [i for i, y in enumerate(outputs) if is_exact(y)]
        if wrt == "all":
            wrt = [k for k, x in enumerate(inner) if is_exact(x)] if floating else []
        cotangents, grads = {}, {}
        if wrt:
            for i in floating if cotangents_of is None else cotangents_of:
                cotangents[i] = draw.cotangent(outputs[i].shape)
            for k in wrt:
                grads[k] = gradient(call, inner, cotangents, k)
        self.known(name, stored, outputs, attrs, cotangents, grads, note)

    def write(self, folder):
        path = Path(folder) / f"{self.name}.txt"
        path.write_text("\n".join(self.lines))
        print(f"{path.name}: {len(self.names)} cases, {path.stat().st_size} bytes")


# Reading -------------------------------------------------------------------------------------------------


class block:
    """A case as read from a file; the arrays are float64."""

    def __init__(self, name):
        self.name, self.attrs, self.inputs, self.outputs = name, {}, [], []
        self.cotangents, self.grads, self.dtypes = {}, {}, []


def load(path):
    def parse(text):
        head, _, values = text.partition(" :")
        dtype, shape = head.split()
        numbers = []
        for token in values.split():
            count, star, value = token.partition("*")
            numbers += [float(value)] * int(count) if star else [float(token)]
        return dtype, np.array(numbers).reshape([int(n) for n in shape.split(",")] if shape != "()" else [])

    found = []
    for line in Path(path).read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "case":
            now = block(rest)
        elif word == "attr":
            key, _, value = rest.partition(" ")
            now.attrs[key] = value
        elif word == "in":
            dtype, values = parse(rest)
            now.inputs.append(values)
            now.dtypes.append(dtype)
        elif word == "out":
            now.outputs.append(parse(rest)[1])
        elif word in ("cotangent", "grad"):
            index, _, rest = rest.partition(" ")
            getattr(now, word + "s")[int(index)] = parse(rest)[1]
        elif word == "end":
            found.append(now)
    return found
