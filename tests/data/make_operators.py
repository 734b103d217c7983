#!/usr/bin/env python3
"""Writes the reference values of the operators: unary.txt, binary.txt, and so on beside this file.

    python3 -m pip install numpy mpmath
    python3 make_operators.py [FAMILY ...]      # without a name: all of them, in some seconds

How the values are computed and the format of the files: reference.py. The definitions: definitions.py. What
NumPy, JAX and PyTorch say differently is noted at the case. check_operators.py compares the files with them.
"""
import sys
from pathlib import Path

import definitions as d
import mpmath as mp
import numpy as np
from reference import draws, exact, family, typed

# fmt: off
# One case a line, as far as it fits.

HERE = Path(__file__).resolve().parent
NAN, INF = float("nan"), float("inf")


def f64(*values):
    return np.array(values, dtype=np.float64)


def f32_exact(values):
    return np.array([float(np.float32(v)) for v in values])


def ints(values, dtype=np.int64):
    return np.array(values, dtype=dtype)


def scalar(v, dtype=np.float64):
    return np.array(v, dtype=dtype)


def rounded(x):
    return np.array([float(v) for v in x.flat]).reshape(x.shape)


# Elementwise ---------------------------------------------------------------------------------------------

SPECIAL = f64(NAN, INF, -INF, 0.0, -0.0)


def symmetric(*values):
    return sorted([-v for v in values] + list(values))


TINY = [1e-45, 1e-40, 1.2e-38, 1e-30, 1e-10, 1e-5, 1e-3]
TINY64 = [5e-324, 1e-310, 2.3e-308, 1e-200, 1e-20]
HUGE = [1e3, 1e5, 1e10, 1e20, 1e30, 3.4e38]

# name: definition, values at SPECIAL (C99, IEEE 754), domain of the drawn inputs, points exact in f32, points beyond
UNARY = {
    "negative": (d.negative, [NAN, -INF, INF, -0.0, 0.0], "all", [], []),
    "abs": (d.abs_, [NAN, INF, INF, 0, 0], "all", symmetric(*TINY[:3], 3.4e38), []),
    "sign": (d.sign, [NAN, 1, -1, 0, 0], "all", symmetric(*TINY[:3], 3.4e38), []),
    "exp": (d.exp, [NAN, INF, 0, 1, 1], "all",
            [-104, -103.5, -95, -88, -87.5, -87.33, -50, -10, -1, -1e-3, -1e-6, 1e-8, 1e-4, 0.34, 0.35, 0.69, 1, 5.5,
                    20, 50, 80, 87.5, 88.3, 88.4, 88.6, 88.72],
            [-745.1, -740, -708.5, -708.3, -300, 1e-16, 300, 700, 709, 709.7, 709.78]),
    "log": (d.log, [NAN, INF, NAN, -INF, -INF], "positive",
            [*TINY, 0.1, 0.5, 0.7, 0.71, 0.99, 0.9999, 0.9999999, 1.0000001, 1.0001, 1.01, 1.41, 1.42, 2, 3, 10, *HUGE],
            [*TINY64, 1 - 2**-53, 1 + 2**-52, 1e300, 1.7e308]),
    "log1p": (d.log1p, [NAN, INF, NAN, 0, -0.0], "above -1",
              [-0.9999999, -0.999, -0.9, -0.5, -0.3, -0.01, *[-v for v in TINY], *TINY, 0.4, 0.42, 1, 3, *HUGE],
              [-1 + 2**-53, -1e-20, 1e-300, 1e-17, 1e300]),
    "expm1": (d.expm1, [NAN, INF, -1, 0, -0.0], "all",
              [-100, -88, -50, -17.5, -17, -5, -1, -0.5, -0.3, *[-v for v in TINY], *TINY, 0.3, 0.5, 1, 5, 17, 50, 87.5,
                      88.5, 88.72],
              [-745, -40, -1e-20, 5e-324, 1e-300, 1e-17, 709.7]),
    "sqrt": (d.sqrt, [NAN, INF, NAN, 0, -0.0], "positive", [*TINY, 2, 3, 4, *HUGE], [*TINY64, 1.7e308]),
    "rsqrt": (d.rsqrt, [NAN, 0, NAN, INF, -INF], "positive", [*TINY, 2, 3, 4, *HUGE], [*TINY64, 1.7e308]),
    "square": (d.square, [NAN, INF, INF, 0, 0], "all", symmetric(1e-20, 1e-15, 3, 1e5, 1.8e19), [1e-160, 1.3e154]),
    "reciprocal": (d.reciprocal, [NAN, 0, -0.0, INF, -INF], "all", symmetric(1.2e-38, 1e-30, 1e-3, 3, 7, 1e20, 8e37),
            [2.3e-308, 4e307]),
    "sin": (d.sin, [NAN, NAN, NAN, 0, -0.0], "all",
            symmetric(1e-45, 1e-30, 1e-4, 0.1, 0.785, 1.5707964, 3.1415927, 6.2831855, 22, 355, 1e4, 1e5, 1e10, 3.4e38),
                    [np.pi, 1e15, 1e22, 1e300]),
    "cos": (d.cos, [NAN, NAN, NAN, 1, 1], "all",
            symmetric(1e-30, 1e-4, 0.1, 0.785, 1.5707964, 3.1415927, 6.2831855, 22, 355, 1e4, 1e5, 1e10, 3.4e38),
                    [np.pi / 2, 1e15, 1e22, 1e300]),
    "tanh": (d.tanh, [NAN, 1, -1, 0, -0.0], "all",
             symmetric(*TINY, 0.02, 0.1, 0.5, 0.54, 0.63, 1, 2, 4, 8, 9, 9.02, 10, 20, 100, 1e20),
                     [1e-300, 18.7, 19.1, 22, 1e300]),
    "sigmoid": (d.sigmoid, [NAN, 1, 0, 0.5, 0.5], "all",
                symmetric(1e-30, 1e-5, 0.1, 1, 4, 8, 15, 17, 18, 30, 80, 87.5, 88.5, 100) + [-103],
                        [-745, -709.5, -40, 36.5, 37, 800]),
    "erf": (d.erf, [NAN, 1, -1, 0, -0.0], "all",
            symmetric(*TINY, 0.1, 0.47, 0.5, 0.84, 0.85, 1, 1.25, 2, 2.8, 3, 3.5, 3.9, 4, 10, 1e20),
                    [1e-300, 5.5, 5.9, 6, 28, 1e62, 1e300]),
    "floor": (d.floor, [NAN, INF, -INF, 0, -0.0], "all",
              symmetric(1e-40, 0.25, 0.5, 0.75, 1, 1.5, 8388607.5, 8388608, 16777215, 1e10, 3e38),
                      symmetric(2**52 + 0.5, 2**53 + 2, 1e300)),
    "ceil": (d.ceil, [NAN, INF, -INF, 0, -0.0], "all",
             symmetric(1e-40, 0.25, 0.5, 0.75, 1, 1.5, 8388607.5, 8388608, 16777215, 1e10, 3e38),
                     symmetric(2**52 + 0.5, 2**53 + 2, 1e300)),
    "round": (d.round_, [NAN, INF, -INF, 0, -0.0], "all",
              symmetric(1e-40, 0.25, 0.5, 0.50000006, 0.49999997, 0.75, 1, 1.5, 2.5, 3.5, 8388606.5, 8388607.5,
                      16777215, 1e10, 3e38),
              symmetric(0.49999999999999994, 2**51 + 0.5, 2**53 + 2, 1e300)),
    "relu": (d.relu, [NAN, INF, 0, 0, 0], "all", symmetric(1e-45, 1e-38, 3.4e38), []),
    "relu6": (d.relu6, [NAN, 6, 0, 0, 0], "all", symmetric(1e-45, 5.5, 6, 6.5, 3.4e38), []),
    "leaky_relu": (d.leaky_relu, [NAN, INF, -INF, 0, -0.0], "all", symmetric(1e-35, 1, 1e30), []),
    "elu": (d.elu, [NAN, INF, -1, 0, -0.0], "all", [-100, -17, -1, -0.3, *[-v for v in TINY], *TINY, 1, 3.4e38],
            [-40, -1e-300]),
    "gelu": (d.gelu, [NAN, INF, 0, 0, 0], "all",
             [-13.2, -13, -10, -8, -6, -5.5, -4, -3, -2, -1, -0.75, -0.5, -0.1, -1e-3, -1e-10, -1e-30, 1e-30, 1e-10,
                     1e-3, 0.1, 0.5, 1, 2, 4, 5.5, 6, 10, 1e20],
             [-38.5, -37, -30, -20, 8.2, 1e300]),
    "silu": (d.silu, [NAN, INF], "all",
             [-107, -100, -90, -88.5, -87.5, -50, -17, -5, -1.278, -1, -0.1, -1e-5, -1e-30, 1e-30, 1e-5, 0.1, 1, 5, 17,
                     50, 90, 1e20],
             [-750, -709.5, -100, 800]),
    "softplus": (d.softplus, [NAN, INF, 0], "all",
                 [-103, -100, -88, -50, -17, -5, -1, -1e-5, 1e-30, 1e-5, 1, 5, 15, 16, 17, 20, 50, 88.5, 100, 1e20],
                         [-745, -700, -40, 36, 37, 800]),
    "hardswish": (d.hardswish, [NAN, INF], "all", symmetric(1e-30, 1, 2.9, 3, 3.1, 5, 1e20), []),
}


def unary():
    out = family("unary", "Functions of one element.")
    for name, (f, special, domain, points, more) in UNARY.items():
        out.case(f"{name}/random", f, [(2, 3, 4)], domain=domain)
        out.case(f"{name}/rank0", f, [()], domain=domain)
        out.case(f"{name}/empty", f, [(0, 3)], domain=domain)
        out.known(f"{name}/special", [SPECIAL[: len(special)]], f64(*special))
        if points:  # exact in f32; where f32 overflows or underflows the double does not
            out.case(f"{name}/range", f, [f32_exact(points)], wrt=[])
        if more:
            out.case(f"{name}/range64", f, [f64(*more)], wrt=[])
    for slope in (0.0, 0.2, 1.5, -0.5):
        out.case(f"leaky_relu/slope_{slope}", d.leaky_relu, [(3, 5)], {"negative_slope": slope})
    out.case("elu/alpha", d.elu, [(3, 5)], {"alpha": 0.75})
    out.case("gelu/tanh", lambda x, approximate: d.gelu(x, approximate), [(2, 3, 4)], {"approximate": "tanh"})
    out.case("gelu/tanh_range", d.gelu, [f32_exact(UNARY["gelu"][3])], {"approximate": "tanh"}, wrt=[])
    out.known("gelu/tanh_special", [f64(NAN, INF, -INF, 0)], f64(NAN, INF, 0, 0), {"approximate": "tanh"})
    out.case("softplus/beta", d.softplus, [(3, 5)], {"beta": 2.5})
    out.known("log1p/minus_one", [f64(-1)], f64(-INF))
    out.case("square/int32", lambda x: x * x, [ints([[-3, 0, 7]], np.int32)])
    out.known("abs/int32", [ints([-3, 0, 7], np.int32)], ints([3, 0, 7], np.int32))
    out.known("negative/int32", [ints([-3, 0, 7], np.int32)], ints([3, 0, -7], np.int32))
    out.known("sign/int32", [ints([-3, 0, 7], np.int32)], ints([-1, 0, 1], np.int32))
    out.known("exp/int32", [ints([-3, 0, 7], np.int32)], typed("f32", rounded(d.exp(exact([-3, 0, 7])))),
            note="an integer argument gives f32")
    out.case("stop_gradient/random", lambda x: x, [(2, 3)], wrt=[])
    x = draws("stop_gradient/square").floats((2, 3))
    c = draws("stop_gradient/cotangent").cotangent((2, 3))
    out.known("stop_gradient/product", [x], x * x, None, [c], [c * x], note="x * stop_gradient(x)")
    for bound in ("both", "min", "max"):
        limits = {k: v for k, v in (("min", -1.25), ("max", 2.25)) if bound in ("both", k)}
        out.case(f"clip/{bound}", d.clip, [(3, 4)], limits)
    out.case("clip/tensors", d.clip, [(2, 3, 4), f64(-1.5, -1.25, -1, -0.75), f64(1, 1.75, 2, 2.25)])
    out.known("clip/special", [SPECIAL], f64(NAN, 2, -1, 0, -0.0), {"min": -1.0, "max": 2.0})
    out.known("isnan/special", [SPECIAL], np.isnan(SPECIAL))
    out.known("isinf/special", [SPECIAL], np.isinf(SPECIAL))
    out.known("isfinite/special", [SPECIAL], np.isfinite(SPECIAL))
    lanes = f64(*range(17))
    lanes[[0, 5, 16]] = NAN, INF, -INF
    for name, f in (("isnan", np.isnan), ("isinf", np.isinf), ("isfinite", np.isfinite)):
        out.known(f"{name}/lanes", [lanes], f(lanes))
        out.known(f"{name}/rank0", [scalar(NAN)], f(scalar(NAN)))
        out.known(f"{name}/empty", [np.zeros((0, 3))], np.zeros((0, 3), dtype=np.bool_))
        out.known(f"{name}/int32", [ints([1, 2], np.int32)], f(ints([1, 2])))
    return out


def binary():
    out = family("binary", "Functions of two and three elements, with broadcasting.")
    pairs = {
        "same": [(2, 3, 4), (2, 3, 4)],
        "inner": [(2, 3, 4), (4,)],
        "both": [(2, 1, 4), (3, 1)],
        "rank0": [(), (5,)],
        "scalars": [(), ()],
        "empty": [(0, 3), (3,)],
        "one_with_zero": [(2, 1), (1, 0)],
    }
    functions = {
        "add": d.add, "subtract": d.subtract, "multiply": d.multiply, "divide": d.divide, "maximum": d.maximum,
        "minimum": d.minimum, "pow": d.power, "floor_divide": d.floor_divide, "remainder": d.remainder,
    }
    for name, f in functions.items():
        for kind, shapes in pairs.items():
            inputs = shapes
            if name in ("floor_divide", "remainder"):  # odd by even multiples of 1/64: never a whole quotient
                a, b = (draws(f"{name}/{kind}/{i}").floats(s) for i, s in enumerate(shapes))
                inputs = [np.sign(a) * (np.abs(a) * 32 // 1 * 2 + 1) / 64, np.sign(b) * (np.abs(b) * 32 // 1 + 1) / 32]
            out.case(f"{name}/{kind}", f, inputs, domain="positive" if name == "pow" else "all")

    nan, inf, zero = f64(NAN, 1, NAN), f64(INF, -INF, INF), f64(0.0, -0.0, 0.0)
    left = np.concatenate([nan, inf, zero, f64(INF, 0, 0, 1, 5, -5, 5, -5)])
    right = np.concatenate([f64(1, NAN, NAN), f64(1, 1, -INF), f64(1, -1, 0), f64(0, INF, -0.0, -INF, 3, 3, -3, -3)])
    with np.errstate(all="ignore"):
        for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder"):
            out.known(f"{name}/special", [left, right], getattr(np, name)(left, right))
    a, b = f64(7, -7, 7, -7, 7.5, -7.5, 7.5, -7.5, 6, -6, 0, 1, -1), f64(3, 3, -3, -3, 2, 2, -2, -2, 3, 3, 3, INF, INF)
    out.known("floor_divide/signs", [a, b], np.floor_divide(a, b), note="as Python: -1 // inf is -1")
    out.known("remainder/signs", [a, b], np.remainder(a, b), note="as Python: the sign of the divisor; -1 % inf is inf")
    i, j = ints([7, -7, 7, -7, 6, -6, 0], np.int32), ints([3, 3, -3, -3, 3, 3, 5], np.int32)
    out.known("floor_divide/int32", [i, j], i // j)
    out.known("remainder/int32", [i, j], i % j)
    out.known("divide/int32", [i, j], typed("f32", i / j), note="integers divide to f32")
    for name in ("add", "subtract", "multiply", "maximum", "minimum"):
        out.known(f"{name}/int32", [i[:, None], j[:2]], getattr(np, name)(i[:, None], j[:2]))
    u, v = ints([200, 255, 3], np.uint8), ints([100, 1, 4], np.uint8)
    out.known("add/uint8_wraps", [u, v], u + v)
    out.known("subtract/uint8_wraps", [u, v], u - v)
    out.known("pow/int32", [ints([2, -3, 0, 7], np.int32), ints([10, 3, 0, 1], np.int32)],
            ints([1024, -27, 1, 7], np.int32))

    # C99 7.12.7.4 and annex F.9.4.4
    table = [
        (0, 0, 1), (-0.0, 0, 1), (NAN, 0, 1), (INF, 0, 1), (1, NAN, 1), (1, INF, 1), (-1, INF, 1), (-1, -INF, 1),
                (0.5, INF, 0),
        (0.5, -INF, INF), (2, INF, INF), (2, -INF, 0), (-2, INF, INF), (INF, 2, INF), (INF, -1, 0), (-INF, 3, -INF),
                (-INF, 2, INF),
        (-INF, -3, -0.0), (-INF, -2, 0), (0, 2, 0), (0, -1, INF), (-0.0, 3, -0.0), (-0.0, -3, -INF), (-0.0, 0.5, 0),
                (-8, 1 / 3, NAN),
        (NAN, 1, NAN), (2, NAN, NAN), (-2, 3, -8), (-2, 4, 16), (-2, -1, -0.5), (2, 0.5, 2**0.5), (-1.5, 0.5, NAN),
                (9, 0.5, 3),
    ]
    out.known("pow/special", [f64(*[r[0] for r in table]), f64(*[r[1] for r in table])], f64(*[r[2] for r in table]))
    base = f32_exact([1e-38, 1e-30, 1e-10, 0.1, 0.5, 0.9999, 0.9999999, 1.0000001, 1.0001, 1.5, 2, 3, 10, 1e3, 1e10,
            1e30, 1e-3, 3e38])
    power = f32_exact([1, 1.2, 3.7, -20.5, 30.25, 50000, -1e7, 1e7, -800000, 200, 127.5, -60.5, 38.25, 12.5, -3.7, 1.25,
            14.5, -1])
    out.case("pow/range", d.power, [base, power], wrt=[])
    out.case("pow/range64", d.power, [f64(1e-300, 1.0000001, 0.5, 3, 1e300), f64(0.9, 1e9, 1073.5, -600.5, 1.02)],
            wrt=[])
    out.case("pow/negative_base", d.power, [f64(-2, -1.5, -3, -0.5), f64(3, 2, -1, -2)], wrt=[0],
            note="no gradient for the exponent")

    numbers, others = f64(1, 2, NAN, INF, -INF, 0.0, -0.0, 3), f64(1, 3, NAN, INF, INF, -0.0, 0.0, 2)
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        f = getattr(d, name)
        out.known(f"{name}/special", [numbers, others], getattr(np, name)(numbers, others))
        out.case(f"{name}/broadcast", f, [(2, 1, 4), (3, 1)])
        out.case(f"{name}/equal_elements", f, [f64(1, 2, 3), f64(1, 5, 0)])
        out.case(f"{name}/rank0", f, [scalar(2.0), scalar(2.0)])
        out.known(f"{name}/empty", [np.zeros((0, 3)), np.zeros(3)], np.zeros((0, 3), dtype=np.bool_))
        out.known(f"{name}/int32", [i, j], getattr(np, name)(i, j))
    p, q = np.array([[False], [True]]), np.array([False, True])
    for name in ("logical_and", "logical_or", "logical_xor"):
        out.known(f"{name}/bool", [p, q], getattr(np, name)(p, q))
        out.known(f"{name}/numbers", [numbers, others[::-1].copy()], getattr(np, name)(numbers, others[::-1]),
                note="NaN and numbers other than 0 are true")
        out.known(f"{name}/rank0", [scalar(True, np.bool_), scalar(False, np.bool_)],
                np.asarray(getattr(np, name)(True, False)))
    out.known("logical_not/bool", [q], ~q)
    out.known("logical_not/numbers", [numbers], np.logical_not(numbers))
    out.known("logical_not/rank0", [scalar(True, np.bool_)], scalar(False, np.bool_))

    mask = np.array([[[True, False, True, True]], [[False, False, True, False]]])
    out.case("where/broadcast", d.where, [mask, (2, 3, 4), (3, 1)])
    out.case("where/same", d.where, [np.array([[True, False], [False, True]]), (2, 2), (2, 2)])
    out.case("where/rank0", d.where, [scalar(True, np.bool_), (), ()])
    out.case("where/scalars", d.where, [np.array([True, False, True]), (), (3,)])
    out.case("where/empty", d.where, [np.zeros((0, 2), np.bool_), (0, 2), (2,)])
    out.known("where/unselected_nan", [q, f64(NAN, 1), f64(2, NAN)], f64(2, 1), None, [f64(3, 5)],
            {1: f64(0, 5), 2: f64(3, 0)})
    out.case("lerp/tensors", d.lerp, [(2, 3), (2, 3), (2, 3)])
    out.case("lerp/broadcast", d.lerp, [(2, 3), (3,), ()])
    out.case("lerp/ends", d.lerp, [f64(0.001, 3), f64(7, 0.001), f64(0, 1)], wrt=[])
    return out


def casts():
    out = family("cast", "Conversions. The attribute dtype is that of the result.")

    def conversion(name, values, dtype, results, **more):
        x = values if isinstance(values, (np.ndarray, typed)) else f64(*values)
        out.known(f"cast/{name}", [x], typed(dtype, results), {"dtype": dtype}, **more)

    x = draws("cast/to_f32").floats((2, 3))
    c = draws("cast/cotangent").cotangent((2, 3))
    out.known("cast/f64_to_f32", [x], typed("f32", x), {"dtype": "f32"}, [typed("f32", c)], [c],
            note="the gradient is the cotangent, in the dtype of the input")
    conversion("f64_to_f32_rounds", [0.1, 16777217, 16777219, 1e-46, 1e39, -1e39, NAN, INF, -0.0], "f32",
            [float(np.float32(0.1)), 16777216, 16777220, 0, INF, -INF, NAN, INF, -0.0])
    conversion("f32_to_f16", typed("f32", [2049, 2051, 65504, 65519.99609375, 65520, 70000, 5.9604645e-8, 2.9802322e-8,
            3.1e-8, 0.1, NAN, -INF]), "f16",
               [2048, 2052, 65504, 65504, INF, INF, 2**-24, 0, 2**-24, float(np.float16(0.1)), NAN, -INF],
                       note="round to nearest, ties to even; from 65520 infinity")
    conversion("f32_to_bf16", typed("f32", [1 + 2**-8, 1 + 3 * 2**-8, 3.3895313892515355e38, 3.4e38, 256.5, 257, 259,
            NAN, -INF, -0.0]), "bf16",
               [1, 1 + 2**-6, 3.3895313892515355e38, INF, 256, 256, 260, NAN, -INF, -0.0],
                       note="round to nearest, ties to even")
    conversion("f64_to_i32", [2.9, -2.9, 0.5, -0.5, 0, -0.0, 2147483647, -2147483648], "i32",
            [2, -2, 0, 0, 0, 0, 2147483647, -2147483648], note="towards zero")
    conversion("f64_to_i64", [2.9, -2.9, 4503599627370497.5], "i64", [2, -2, 4503599627370497])
    conversion("f64_to_bool", [0, -0.0, 0.25, -3, NAN, INF, 1e-300], "bool",
            [False, False, True, True, True, True, True], note="NaN is true")
    conversion("i32_to_bool", ints([0, 2, -1, 256], np.int32), "bool", [False, True, True, True])
    conversion("bool_to_f64", np.array([[False, True], [True, True]]), "f64", [[0, 1], [1, 1]])
    conversion("bool_to_i32", np.array([False, True]), "i32", [0, 1])
    conversion("i64_to_f32", ints([16777216, 16777217, 16777219, -3]), "f32", [16777216, 16777216, 16777220, -3])
    conversion("i32_to_i8", ints([300, 127, 128, -129, -1], np.int32), "i8", [44, 127, -128, 127, -1],
            note="modulo 256")
    conversion("i32_to_u8", ints([300, -1, 255], np.int32), "u8", [44, 255, 255])
    conversion("u8_to_i32", ints([200, 255], np.uint8), "i32", [200, 255])
    conversion("i8_to_f64", ints([-128, 127], np.int8), "f64", [-128, 127])
    conversion("rank0", scalar(2.75), "i32", scalar(2))
    conversion("empty", np.zeros((0, 3)), "i32", np.zeros((0, 3)))
    return out


# Reductions ----------------------------------------------------------------------------------------------


def reductions():
    out = family("reductions", "Reductions over axes. Without the attribute axes: over all of them.")
    floating = {
        "sum": d.sum_, "max": d.max_, "min": d.min_, "prod": d.prod, "mean": d.mean, "var": d.var, "std": d.std,
                "logsumexp": d.logsumexp,
    }
    settings = {
        "all": ((2, 3, 4), {}),
        "inner": ((2, 3, 4), {"axes": [-1]}),
        "middle": ((2, 3, 4), {"axes": [1]}),
        "outer_keepdims": ((2, 3, 4), {"axes": [0], "keepdims": True}),
        "two": ((2, 3, 4), {"axes": [0, -1]}),
        "all_keepdims": ((2, 3), {"axes": [0, 1], "keepdims": True}),
        "none": ((2, 3), {"axes": []}),
        "ones": ((1, 1, 2, 3), {"axes": [1]}),
        "rank1": ((5,), {"axes": [0]}),
    }
    for name, f in floating.items():
        for kind, (shape, attrs) in settings.items():
            flat = name in ("var", "std") and kind == "none"
            out.case(f"{name}/{kind}", f, [shape], attrs, wrt=[] if flat else "all")
        if name not in ("std", "var"):
            out.case(f"{name}/rank0", f, [()])
        out.known(f"{name}/empty_kept", [np.zeros((0, 3))], np.zeros(0), {"axes": [1]}, note="no rows of three")
    for correction in (1, 2.5):
        out.case(f"var/correction_{correction}", d.var, [(3, 4)], {"axes": [1], "correction": correction})
        out.case(f"std/correction_{correction}", d.std, [(3, 4)], {"axes": [0], "correction": correction})
    out.known("var/rank0", [scalar(3.0)], scalar(0.0), None, [scalar(2.0)], [scalar(0.0)])

    for name, value in (("sum", 0.0), ("prod", 1.0), ("mean", NAN), ("var", NAN), ("std", NAN), ("logsumexp", -INF)):
        out.known(f"{name}/empty", [np.zeros((0, 3))], np.full(3, value), {"axes": [0]})
        out.known(f"{name}/empty_all", [np.zeros((2, 0))], scalar(value))
    out.known("any/empty", [np.zeros((0, 3), np.bool_)], np.zeros(3, np.bool_), {"axes": [0]})
    out.known("all/empty", [np.zeros((0, 3), np.bool_)], np.ones(3, np.bool_), {"axes": [0]})

    rows = np.array([[1, NAN, 2], [NAN, 0, 3], [5, 4, NAN], [INF, 1, -INF], [INF, INF, 0], [-INF, -INF, -INF]])
    out.known("max/special", [rows], f64(NAN, NAN, NAN, INF, INF, -INF), {"axes": [1]}, note="NaN comes out")
    out.known("min/special", [rows], f64(NAN, NAN, NAN, -INF, 0, -INF), {"axes": [1]})
    out.known("sum/special", [rows], f64(NAN, NAN, NAN, NAN, INF, -INF), {"axes": [1]})
    out.known("prod/special", [rows], f64(NAN, NAN, NAN, -INF, NAN, -INF), {"axes": [1]})
    out.known("mean/special", [rows], f64(NAN, NAN, NAN, NAN, INF, -INF), {"axes": [1]})
    out.known("logsumexp/special", [rows], f64(NAN, NAN, NAN, INF, INF, -INF), {"axes": [1]})
    out.known("argmax/special", [rows], ints([1, 0, 2, 0, 0, 0]), {"axis": 1},
            note="the first NaN, else the first of the largest")
    out.known("argmin/special", [rows], ints([1, 0, 2, 2, 2, 0]), {"axis": 1})
    for lane in range(9):
        x = f64(1, 2, 3, 4, 5, 6, 7, 8, 9)
        x[lane] = NAN
        out.known(f"max/nan_in_lane_{lane}", [x], scalar(NAN))
        out.known(f"min/nan_in_lane_{lane}", [x], scalar(NAN))
        out.known(f"argmax/nan_in_lane_{lane}", [x], scalar(lane, np.int64))
    out.known("max/signed_zeros", [f64(-0.0, 0.0)], scalar(0.0), note="either zero is right")

    for name, f in (("argmax", d.argmax), ("argmin", d.argmin)):
        out.case(f"{name}/all", f, [(2, 3, 4)], wrt=[], note="the place in row-major order")
        out.case(f"{name}/inner", f, [(2, 3, 4)], {"axis": -1}, wrt=[])
        out.case(f"{name}/middle_keepdims", f, [(2, 3, 4)], {"axis": 1, "keepdims": True}, wrt=[])
        out.case(f"{name}/outer", f, [(2, 3, 4)], {"axis": 0}, wrt=[])
        out.case(f"{name}/rank0", f, [()], wrt=[])
        out.case(f"{name}/ties", f, [np.array([[1.0, 3, 3, 1], [2, 2, 2, 2]])], {"axis": 1}, wrt=[])
        out.known(f"{name}/empty_kept", [np.zeros((0, 3))], np.zeros(0, np.int64), {"axis": 1})
        out.case(f"{name}/int32", f, [ints([[3, 1, 4], [-1, -5, -9]], np.int32)], {"axis": 1})

    bits = np.array([[[True, False, True], [False, False, False]], [[True, True, True], [False, True, False]]])
    numbers = np.array([[1.0, -1, 0], [0, 0, 0], [NAN, 0, 0], [0.25, -0.25, 3]])
    for name, f in (("any", d.any_), ("all", d.all_)):
        for kind, attrs in (("all", {}), ("inner", {"axes": [-1]}), ("two_keepdims", {"axes": [0, 1],
                "keepdims": True}), ("none", {"axes": []})):
            out.case(f"{name}/{kind}", f, [bits], attrs)
        out.case(f"{name}/numbers", f, [numbers], {"axes": [1]}, wrt=[], note="NaN is true; 1 and -1 do not cancel")
        out.case(f"{name}/int8", f, [ints([[-128, -128], [0, 0]], np.int8)], {"axes": [1]},
                note="the sum of the first row is 0 modulo 256")
        out.case(f"{name}/rank0", f, [scalar(True, np.bool_)])

    out.known("sum/uint8", [ints(np.ones(1000), np.uint8)], scalar(1000, np.int64),
            note="small integers are summed in 64 bits")
    out.case("sum/int32", d.sum_, [ints([[2000000000, 2000000000, 7], [-1, -2, -3]], np.int32)], {"axes": [1]},
            note="4000000007 does not fit 32 bits")
    out.case("sum/bool", d.sum_, [bits], {"axes": [-1]}, note="counts")
    out.case("prod/int32", d.prod, [ints([[2, -3, 7], [5, 0, 9]], np.int32)], {"axes": [1]})
    out.case("max/int32", d.max_, [ints([[2, -3, 7], [-5, -1, -9]], np.int32)], {"axes": [1]})
    out.case("min/int32", d.min_, [ints([[2, -3, 7], [-5, -1, -9]], np.int32)], {"axes": [0]})
    out.case("mean/int32", d.mean, [ints([[2, -3, 7], [5, 1, 9]], np.int32)], {"axes": [1]}, note="floating")

    for like in ((3, 1), (4,), (), (1, 3, 4), (2, 3, 4), (2, 1, 1), (1,), (1, 1, 1)):
        label = "x".join(map(str, like)) or "scalar"
        out.case(f"reduce_as/{label}", d.reduce_as, [(2, 3, 4), np.zeros(like)], wrt=[0],
                note="the second input gives the shape")
    out.case("reduce_as/rank0", d.reduce_as, [(), np.zeros(())], wrt=[0])
    out.known("reduce_as/empty", [np.zeros((0, 3)), np.zeros(3)], np.zeros(3))

    out.case("squared_l2_norm/random", d.squared_l2_norm, [(3, 4)])
    out.case("squared_l2_norm/rank0", d.squared_l2_norm, [()])
    out.known("squared_l2_norm/empty", [np.zeros((0,))], scalar(0.0))
    out.case("norm/inner", d.norm, [(3, 4)], {"axes": [-1]}, note="the 2-norm")
    out.case("norm/all", d.norm, [(3, 4)])
    return out


# Moving data ---------------------------------------------------------------------------------------------


def movement():
    out = family("movement", "Operators that move, make, gather and scatter elements.")

    def reshape(x, shape):
        return x.reshape(shape)

    def transpose(x, axes):
        return x.transpose(axes)

    def broadcast_to(x, shape):
        return np.broadcast_to(x, shape)

    for kind, shape, target in (("flat", (2, 3, 4), [-1]), ("inferred", (2, 3, 4), [4, -1]), ("scalar", (), [1, 1]),
            ("to_scalar", (1, 1), []), ("empty", (0, 4), [2, 0, 3])):
        out.case(f"reshape/{kind}", reshape, [shape], {"shape": target})
    for kind, shape, axes in (("cycle", (2, 3, 4), [2, 0, 1]), ("swap", (2, 3), [1, 0]), ("inner", (2, 3, 4),
            [0, 2, 1]), ("same", (2, 3), [0, 1]), ("negative", (2, 3, 4), [-1, 0, 1]), ("rank0", (), []),
            ("empty", (0, 3), [1, 0])):
        out.case(f"transpose/{kind}", transpose, [shape], {"axes": axes})
    for kind, shape, target in (("leading", (3,), [2, 3]), ("stretch", (2, 1, 3), [2, 4, 3]),
            ("both", (3, 1), [2, 3, 4]), ("scalar", (), [2, 3]), ("same", (2, 3), [2, 3]), ("empty", (1, 3), [0, 3])):
        out.case(f"broadcast_to/{kind}", broadcast_to, [shape], {"shape": target})

    slices = {
        "range": ((4, 5), "1:3, :", [1, 0], [1, 1], [2, 5]),
        "step": ((5, 6), "::2, 1::3", [0, 1], [2, 3], [3, 2]),
        "negative_step": ((4, 5), "::-1, 3:0:-2", [3, 3], [-1, -2], [4, 2]),
        "negative_bounds": ((5,), "-3:-1", [2], [1], [2]),
        "inner_empty": ((2, 3), ":, 2:2", [0, 2], [1, 1], [2, 0]),
        "rank3": ((2, 3, 4), "1:, :2, ::3", [1, 0, 0], [1, 1, 3], [1, 2, 2]),
    }
    for kind, (shape, text, start, step, extent) in slices.items():
        x = np.arange(np.prod(shape)).reshape(shape)
        index = eval(f"np.s_[{text}]")
        assert (d.slice_(x, start, step, extent) == x[index]).all()
        out.case(f"slice/{kind}", lambda x, start, step, extent, text: d.slice_(x, start, step, extent), [shape],
                 {"text": text, "start": start, "step": step, "extent": extent})

    out.case("concat/axis0", d.concat, [(2, 3), (1, 3), (3, 3)], {"axis": 0})
    out.case("concat/axis1", d.concat, [(2, 1, 2), (2, 3, 2)], {"axis": 1})
    out.case("concat/inner", d.concat, [(2, 3), (2, 2)], {"axis": -1})
    out.case("concat/one", d.concat, [(2, 3)], {"axis": 0})
    out.case("concat/empty_part", d.concat, [(2, 0), (2, 3)], {"axis": 1})
    out.case("concat/int32", d.concat, [ints([1, 2], np.int32), ints([3], np.int32)], {"axis": 0})
    out.case("stack/axis0", d.stack, [(2, 3), (2, 3)], {"axis": 0})
    out.case("stack/axis1", d.stack, [(2, 3), (2, 3), (2, 3)], {"axis": 1})
    out.case("stack/last", d.stack, [(2, 3), (2, 3)], {"axis": -1})
    out.case("stack/scalars", d.stack, [(), (), ()], {"axis": 0})

    out.case("pad/both", d.pad, [(2, 3)], {"low": [1, 0], "high": [2, 1], "value": 0.5})
    out.case("pad/zero", d.pad, [(3,)], {"low": [0], "high": [2], "value": 0.0})
    out.case("pad/nothing", d.pad, [(2, 2)], {"low": [0, 0], "high": [0, 0], "value": 3.0})
    out.case("pad/infinity", d.pad, [(2,)], {"low": [1], "high": [1], "value": -INF}, wrt=[])
    out.case("pad/empty", d.pad, [(0, 2)], {"low": [1, 0], "high": [1, 1], "value": 1.0})
    out.case("pad/rank0", d.pad, [()], {"low": [], "high": [], "value": 1.0})

    out.known("full/matrix", [], np.full((2, 3), 1.5), {"shape": [2, 3], "value": 1.5})
    out.known("full/rank0", [], scalar(-2.0), {"shape": [], "value": -2.0})
    out.known("full/empty", [], np.zeros((0, 3)), {"shape": [0, 3], "value": 7.0})
    out.known("full/int64", [], np.full((4,), -3), {"shape": [4], "value": -3, "dtype": "i64"})
    out.known("full/nan", [], np.full((2,), NAN), {"shape": [2], "value": NAN})
    for kind, start, stop, step in (("count", 0, 5, 1), ("start", 2, 6, 1), ("step", 1, 10, 4), ("down", 5, -1, -2),
            ("nothing", 3, 3, 1)):
        out.known(f"arange/{kind}", [], np.arange(start, stop, step),
                {"start": start, "stop": stop, "step": step, "dtype": "i64"})
    out.known("arange/floating", [], np.arange(0.5, 3, 0.75), {"start": 0.5, "stop": 3.0, "step": 0.75})

    x = (3, 4)
    out.case("take_along_axis/inner", d.take_along_axis, [x, ints([[0, 3], [2, 2], [-1, 1]])], {"axis": 1},
            note="duplicates; -1 is the last")
    out.case("take_along_axis/outer", d.take_along_axis, [x, ints([[0, 2, 1, -3], [2, 2, 2, 0]])], {"axis": 0})
    out.case("take_along_axis/rank3", d.take_along_axis, [(2, 3, 2), draws("i").integers((2, 4, 2), -3, 3)],
            {"axis": 1})
    out.case("take_along_axis/rank1", d.take_along_axis, [(5,), ints([4, 0, 0], np.int32)], {"axis": 0})
    out.case("take_along_axis/empty", d.take_along_axis, [(2, 3), np.zeros((2, 0), np.int64)], {"axis": 1})
    out.case("gather/rows", d.gather, [(4, 3), ints([2, 0, 2, -1])], {"axis": 0}, note="whole slices, as numpy.take")
    out.case("gather/columns", d.gather, [(2, 4), ints([[3, 0], [1, 1]])], {"axis": 1})
    out.case("gather/one", d.gather, [(4, 3), scalar(1, np.int64)], {"axis": 0})
    out.case("gather/middle", d.gather, [(2, 3, 2), ints([1, -3], np.int32)], {"axis": 1})
    out.case("gather/empty", d.gather, [(4, 3), np.zeros(0, np.int64)], {"axis": 0})
    out.case("embedding/matrix", d.embedding, [ints([[1, 0, 4], [4, 4, 2]]), (5, 3)])
    out.case("embedding/int32", d.embedding, [ints([3, 0], np.int32), (4, 2)])
    out.case("embedding/one", d.embedding, [scalar(2, np.int64), (3, 2)])

    out.case("scatter_add/duplicates", d.scatter_add, [(3, 4), ints([[0, 0, 3], [1, 1, 1], [-1, 2, -1]]), (3, 3)],
            {"axis": 1}, note="duplicates are added")
    out.case("scatter_add/outer", d.scatter_add, [(3, 2), ints([[0, 2], [0, 1]]), (2, 2)], {"axis": 0})
    out.case("scatter_add/rank1", d.scatter_add, [(4,), ints([3, 3, 0, 3, -2]), (5,)], {"axis": 0})
    out.case("scatter_add/empty", d.scatter_add, [(4,), np.zeros(0, np.int64), (0,)], {"axis": 0})
    out.case("index_add/rows", d.index_add, [(4, 2), ints([3, 0, 3]), (3, 2)], {"axis": 0},
            note="whole slices, the VJP of gather")
    out.case("index_add/columns", d.index_add, [(2, 3), ints([-1, 1]), (2, 2)], {"axis": 1})

    out.known("one_hot/rank1", [ints([2, 0, 3])], d.one_hot(ints([2, 0, 3]), 4), {"classes": 4})
    out.known("one_hot/rank2", [ints([[1, 0], [2, 2]], np.int32)], d.one_hot(ints([[1, 0], [2, 2]]), 3), {"classes": 3})
    out.known("one_hot/rank0", [scalar(1, np.int64)], f64(0, 1, 0), {"classes": 3})
    out.known("one_hot/empty", [np.zeros(0, np.int64)], np.zeros((0, 3)), {"classes": 3})
    return out


def contraction():
    out = family("contraction", "Matrix products, as numpy.matmul.")
    shapes = {
        "matrices": [(3, 4), (4, 5)],
        "row": [(4,), (4, 3)],
        "column": [(3, 4), (4,)],
        "dot": [(5,), (5,)],
        "batch": [(2, 3, 4), (2, 4, 2)],
        "batch_by_matrix": [(2, 3, 4), (4, 2)],
        "matrix_by_batch": [(3, 4), (2, 4, 2)],
        "broadcast": [(2, 1, 3, 2), (3, 2, 2)],
        "stretch_one": [(1, 2, 3), (2, 3, 2)],
        "batch_by_vector": [(2, 3, 4), (4,)],
        "vector_by_batch": [(3,), (2, 3, 4)],
        "one": [(1, 1), (1, 1)],
        "outer": [(3, 1), (1, 4)],
        "tall": [(17, 2), (2, 1)],
        "inner_empty": [(2, 0), (0, 3)],
        "no_rows": [(0, 3), (3, 2)],
        "no_batch": [(0, 2, 3), (3, 2)],
        "larger": [(9, 11), (11, 7)],
    }
    for kind, pair in shapes.items():
        out.case(f"matmul/{kind}", d.matmul, pair)
    out.known("matmul/nan", [np.array([[NAN, 1], [2, 3]]), np.array([[0.0, 1], [1, 1]])],
            np.array([[NAN, NAN], [3, 5]]))
    out.known("matmul/int32", [ints([[1, -2], [3, 4]], np.int32), ints([[5], [6]], np.int32)],
            ints([[-7], [39]], np.int32))
    return out


# Normalisation, losses, optimisers -----------------------------------------------------------------------


def normalization():
    out = family("normalization", "softmax, layer_norm and their relatives.")
    for name, f in (("softmax", d.softmax), ("log_softmax", d.log_softmax)):
        out.case(f"{name}/inner", f, [(2, 3, 4)])
        out.case(f"{name}/middle", f, [(2, 3, 4)], {"axis": 1})
        out.case(f"{name}/outer", f, [(3, 4)], {"axis": 0})
        out.case(f"{name}/rank1", f, [(5,)])
        out.case(f"{name}/rank4", f, [(2, 2, 2, 3)], {"axis": -1})
        out.case(f"{name}/one", f, [(3, 1)])
        out.known(f"{name}/empty", [np.zeros((0, 3))], np.zeros((0, 3)))
        out.known(f"{name}/no_columns", [np.zeros((3, 0))], np.zeros((3, 0)))
        out.case(f"{name}/large", f, [np.array([[1e4, 1e4 - 1, 0], [-2e4, -2e4, -2e4 + 3], [88.8, 89.5, 90.25]])],
                wrt=[])
        out.case(f"{name}/ties", f, [np.array([[1.0, 1, 1, 1], [0, 0, 5, 5]])])
    out.known("softmax/special", [np.array([[-INF, 0, -INF], [0, -INF, 0], [-INF, -INF, -INF], [INF, 0, 0],
            [NAN, 0, 0]])],
              np.array([[0, 1, 0], [0.5, 0, 0.5], [NAN] * 3, [NAN] * 3, [NAN] * 3]),
                      note="the third: safe_softmax gives 0")
    half = float(mp.log(2))
    out.known("log_softmax/special", [np.array([[-INF, 0, -INF], [0, -INF, 0], [-INF, -INF, -INF]])],
            np.array([[-INF, 0, -INF], [-half, -INF, -half], [NAN] * 3]))

    norms = {
        "plain": ([(2, 3, 4)], {}),
        "scale_bias": ([(2, 3, 4), (4,), (4,)], {}),
        "scale": ([(3, 5), (5,)], {}),
        "two_axes": ([(2, 3, 4), (3, 4), (3, 4)], {"axes": [-2, -1]}),
        "epsilon": ([(3, 4), (4,), (4,)], {"epsilon": 0.25}),
        "rank1": ([(7,), (7,), (7,)], {}),
        "ragged": ([(3, 17), (17,), (17,)], {}),
    }
    for kind, (shapes, attrs) in norms.items():
        out.case(f"layer_norm/{kind}", d.layer_norm, shapes, attrs, cotangents_of=[0])
        if len(shapes) < 3:
            out.case(f"rms_norm/{kind}", d.rms_norm, shapes, attrs)
    out.case("rms_norm/two_axes", d.rms_norm, [(2, 3, 4), (3, 4)], {"axes": [-2, -1]})
    out.case("rms_norm/epsilon", d.rms_norm, [(3, 4), (4,)], {"epsilon": 0.25})
    out.case("layer_norm/all_outputs", d.layer_norm, [(3, 4), (4,), (4,)],
            note="the mean and the variance are functions of x as well")
    out.case("layer_norm/middle", d.layer_norm, [(2, 3, 4)], {"axes": [1]}, cotangents_of=[0])
    out.known("layer_norm/empty", [np.zeros((0, 3)), f64(1, 2, 3), f64(1, 1, 1)],
            (np.zeros((0, 3)), np.zeros(0), np.zeros(0)), None, {0: np.zeros((0, 3))},
              [np.zeros((0, 3)), np.zeros(3), np.zeros(3)])
    out.known("layer_norm/nan_row", [np.array([[1.0, NAN, 3], [2, 2, 2]])],
            (np.array([[NAN] * 3, [0, 0, 0]]), f64(NAN, 2), f64(NAN, 0)))
    out.case("rms_norm/zeros", d.rms_norm, [np.zeros((2, 3)), (3,)])

    channels, stats = (3,), [f64(0.25, -0.5, 1), f64(0.75, 1.5, 2.25)]
    for kind, shape in (("rank4", (2, 3, 2, 2)), ("rank2", (5, 3)), ("rank3", (2, 3, 4))):
        shapes = [shape, channels, channels, *stats]
        out.case(f"batch_norm/{kind}", d.batch_norm, shapes, {"training": True}, wrt=[0, 1, 2], cotangents_of=[0])
        out.case(f"batch_norm/{kind}_inference", d.batch_norm, shapes, {"training": False}, wrt=[0, 1, 2])
    out.case("batch_norm/attributes", d.batch_norm, [(4, 3), channels, channels, *stats],
            {"training": True, "momentum": 0.25, "epsilon": 0.125}, wrt=[0, 1, 2], cotangents_of=[0])
    return out


def losses():
    out = family("losses", "Losses and optimisers.")
    for reduction in ("mean", "sum", "none"):
        attrs = {"reduction": reduction}
        out.case(f"cross_entropy/{reduction}", d.cross_entropy, [(4, 5), ints([3, 0, 4, 3])], attrs)
        out.case(f"cross_entropy/soft_{reduction}", d.soft_cross_entropy,
                [(2, 3), np.array([[0.25, 0.5, 0.25], [0, 1, 0]])], attrs, wrt=[0])
        out.case(f"bce_with_logits/{reduction}", d.bce_with_logits, [(2, 3), np.array([[0, 1, 0.25], [1, 0, 0.5]])],
                attrs)
        out.case(f"mse_loss/{reduction}", d.mse_loss, [(2, 3), (2, 3)], attrs)
    out.case("cross_entropy/rank3", d.cross_entropy, [(2, 3, 4), ints([[0, 3, 1], [2, 2, 0]], np.int32)])
    out.case("cross_entropy/rank1", d.cross_entropy, [(4,), scalar(2, np.int64)])
    out.case("cross_entropy/large", d.cross_entropy,
            [np.array([[1e4, 0, -1e4], [-500, 0, 500], [1, 1, 1]]), ints([0, 0, 1])], {"reduction": "none"}, wrt=[])
    out.known("cross_entropy/empty_sum", [np.zeros((0, 3)), np.zeros(0, np.int64)], scalar(0.0), {"reduction": "sum"})
    out.known("cross_entropy/empty_mean", [np.zeros((0, 3)), np.zeros(0, np.int64)], scalar(NAN), {"reduction": "mean"})
    out.case("bce_with_logits/large", d.bce_with_logits, [f64(-1000, 1000, -1000, 1000, 0), f64(0, 1, 1, 0, 1)],
            {"reduction": "none"}, wrt=[0])
    out.case("mse_loss/rank0", d.mse_loss, [(), ()])

    out.case("sgd/plain", d.sgd, [(2, 3), (2, 3)], {"learning_rate": 0.125}, wrt=[])
    out.case("sgd/momentum", d.sgd, [(2, 3), (2, 3), (2, 3)], {"learning_rate": 0.125, "momentum": 0.9}, wrt=[],
            note="inputs: parameter, gradient, velocity; outputs: parameter, velocity")
    zeros = np.zeros((2, 3))
    order = "inputs: parameter, gradient, m, v, number of this step from 1; outputs: parameter, m, v"
    out.case("adam/first", d.adam, [(2, 3), (2, 3), zeros, zeros, scalar(1, np.int64)], {"learning_rate": 0.01}, wrt=[],
            note=order)
    out.case("adam/first_zero_gradient", d.adam, [(2,), f64(0, 1e-12), f64(0, 0), f64(0, 0), scalar(1, np.int64)],
            {"learning_rate": 0.01}, wrt=[])
    out.case("adam/later", d.adam, [(2, 3), (2, 3), (2, 3), np.array([[0.5, 0.25, 2], [1, 0.125, 3]]), scalar(7,
            np.int64)], {"learning_rate": 0.01}, wrt=[])
    out.case("adam/attributes", d.adam, [(3,), (3,), (3,), f64(0.5, 0.25, 2), scalar(3, np.int64)],
            {"learning_rate": 0.5, "beta1": 0.75, "beta2": 0.5, "epsilon": 0.0625}, wrt=[])

    def adam_steps(parameter, gradients, learning_rate):
        m = v = exact(np.zeros(parameter.shape))
        for t, g in enumerate(gradients, 1):
            parameter, m, v = d.adam(parameter, g, m, v, t, learning_rate)
        return parameter, m, v

    def sgd_steps(parameter, gradients, learning_rate, momentum):
        velocity = exact(np.zeros(parameter.shape))
        for g in gradients:
            parameter, velocity = d.sgd(parameter, g, velocity, learning_rate, momentum)
        return parameter, velocity

    out.case("adam/ten_steps", adam_steps, [(3,), (10, 3)], {"learning_rate": 0.05}, wrt=[],
            note="inputs: parameter, the gradients of the steps")
    out.case("sgd/five_steps", sgd_steps, [(3,), (5, 3)], {"learning_rate": 0.125, "momentum": 0.9}, wrt=[],
            note="inputs: parameter, the gradients of the steps")
    return out


FAMILIES = [unary, binary, casts, reductions, movement, contraction, normalization, losses]


def main():
    chosen = [f for f in FAMILIES if not sys.argv[1:] or f.__name__ in sys.argv[1:]]
    for f in chosen:
        f().write(HERE)


if __name__ == "__main__":
    main()
