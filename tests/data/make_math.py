#!/usr/bin/env python3
"""Writes math_unary.csv and math_pow.csv beside this file: values of elementary functions for
doubles, computed by mpmath in 60 digits and written in 25.

    python3 -m pip install mpmath
    python3 make_math.py
"""
import random
from pathlib import Path

import mpmath as mp

HERE = Path(__file__).resolve().parent
mp.mp.dps = 60
random.seed(20240601)


def sigmoid(x):
    return 1 / (1 + mp.exp(-x))


def gelu(x):
    return x * mp.erfc(-x / mp.sqrt(2)) / 2


def gelu_slope(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2 + x * mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def magnitudes(low, high, count):
    """Both signs, exponents spread evenly."""
    return [random.choice((-1, 1)) * random.uniform(1, 2) * 2.0 ** random.randint(low, high)
            for _ in range(count)]


def positive(low, high, count):
    return [abs(x) for x in magnitudes(low, high, count)]


def between(low, high, count):
    return [random.uniform(low, high) for _ in range(count)]


near_pi = [float(k * mp.pi / 2) for k in (1, 2, 3, 4, 5, 11, 22, 355, 710, 103993, 208341, 312689)]

UNARY = {
    "exp": (mp.exp, magnitudes(-60, 8, 40) + between(-745, 709, 40) + [709.7827, -745.1, -708.5]),
    "expm1": (mp.expm1, magnitudes(-60, 8, 40) + between(-1, 1, 40) + between(-40, 709, 20)),
    "log": (mp.log, positive(-1074, 1000, 40) + between(0.5, 2, 40)),
    "log2": (lambda x: mp.log(x) / mp.log(2), positive(-1074, 1000, 40) + between(0.5, 2, 40)),
    "log1p": (mp.log1p, positive(-100, 100, 40) + between(-0.99, 2, 40)),
    "sin": (mp.sin, magnitudes(-60, 20, 40) + magnitudes(20, 1000, 20) + near_pi),
    "cos": (mp.cos, magnitudes(-60, 20, 40) + magnitudes(20, 1000, 20) + near_pi),
    "tan": (mp.tan, magnitudes(-60, 20, 40) + magnitudes(20, 1000, 20) + near_pi),
    "tanh": (mp.tanh, magnitudes(-60, 5, 60)),
    "sigmoid": (sigmoid, magnitudes(-30, 9, 40) + between(-745, 40, 40)),
    "erf": (mp.erf, magnitudes(-60, 2, 60) + between(-6, 6, 40)),
    "gelu": (gelu, magnitudes(-60, 5, 40) + between(-37, 10, 40)),
    "gelu_slope": (gelu_slope, magnitudes(-60, 5, 40) + between(-10, 10, 40)),
}


def digits(value):
    return mp.nstr(value, 25, min_fixed=0, max_fixed=0)


rows = ["function,x,value"]
for name, (function, points) in UNARY.items():
    rows += [f"{name},{x.hex()},{digits(function(mp.mpf(x)))}" for x in points]
(HERE / "math_unary.csv").write_text("\n".join(rows) + "\n")

rows = ["x,y,value"]
for _ in range(300):
    # x spread over all magnitudes, y so that the result is a double.
    x = abs(magnitudes(-1000, 1000, 1)[0]) if random.random() < 0.5 else random.uniform(0.5, 2)
    y = random.uniform(-740, 709) / float(mp.log(x))
    rows.append(f"{x.hex()},{y.hex()},{digits(mp.power(mp.mpf(x), mp.mpf(y)))}")
for _ in range(60):
    x, y = random.uniform(-20, 20), float(random.randint(-40, 40))
    rows.append(f"{x.hex()},{y.hex()},{digits(mp.power(mp.mpf(x), mp.mpf(y)))}")
(HERE / "math_pow.csv").write_text("\n".join(rows) + "\n")
