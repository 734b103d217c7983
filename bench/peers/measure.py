"""What the peers' scripts share: the works and their inputs, the clock, the output.

A job is WORK/PASS/DTYPE/EXTENTS, with the extents of the work's first input: softmax/value_grad/f32/8192x768.
"""

import argparse
import json
import time

import numpy as np

ADAM = {"learning_rate": 1e-3, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8}
EPSILON = 1e-5
HEADS = 4
DTYPES = {"f32": np.float32, "f64": np.float64}
# Inputs that have no gradient.
DATA = {
    "mlp": ("x", "labels"),
    "transformer": ("x", "target"),
    "cross_entropy": ("labels",),
    "linear_regression": ("x", "y"),
    "stochastic_volatility": ("y",),
}


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("jobs", nargs="+", metavar="WORK/PASS/DTYPE/EXTENTS")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each job is repeated")
    parser.add_argument("--cuda", action="store_true", help="on the GPU")
    return parser.parse_args()


def inputs_of(work, extents, dtype):
    """The arrays of a work by name, as NumPy arrays; the same numbers for every peer."""
    random = np.random.default_rng(0)

    def normal(*shape):
        return random.standard_normal(shape).astype(DTYPES[dtype])

    rows, last = extents[0], extents[-1]
    if work == "mlp":
        hidden, classes = 128, 10
        parameters = {
            "w1": normal(last, hidden) / 8,
            "b1": normal(hidden),
            "w2": normal(hidden, classes) / 8,
            "b2": normal(classes),
        }
        return parameters | {"x": normal(rows, last), "labels": random.integers(0, classes, rows)}
    if work == "transformer":
        arrays = {}
        for norm in ("norm1", "norm2"):
            arrays |= {norm + "_scale": 1 + normal(last) / 10, norm + "_bias": normal(last)}
        for layer in ("query", "key", "value", "out"):
            arrays |= {layer + "_w": normal(last, last) / 16, layer + "_b": normal(last)}
        arrays |= {"up_w": normal(last, 4 * last) / 16, "up_b": normal(4 * last)}
        arrays |= {"down_w": normal(4 * last, last) / 32, "down_b": normal(last)}
        return arrays | {"x": normal(*extents), "target": normal(*extents)}
    if work == "matmul":
        a = normal(*extents)
        return {"a": a, "b": normal(*extents), "cotangent": normal(*extents)}
    if work == "sum_of_matmul":
        return {"a": normal(*extents), "b": normal(*extents)}
    if work == "normal_density":
        return {"x": normal(rows), "mu": normal(1), "sigma": 1 + np.abs(normal(1))}
    if work == "linear_regression":
        features = normal(*extents)
        parameters = {"w": normal(last), "bias": normal(1), "sigma": 1 + np.abs(normal(1))}
        return parameters | {"x": features, "y": features @ normal(last) + normal(rows)}
    if work == "stochastic_volatility":
        parameters = {"h": normal(rows), "mu": normal(1), "phi": normal(1) / 4, "sigma": 1 + np.abs(normal(1))}
        return parameters | {"y": normal(rows)}
    if work == "prod":
        return {"x": 1 + normal(rows) / 1000}
    if work in ("sum", "log_sum_exp"):
        return {"x": normal(rows)}
    if work.startswith("chain"):
        return {name: normal(rows) for name in ("x", "y", "cotangent")}

    arrays = {"x": normal(*extents)}
    if work == "layer_norm":
        arrays |= {"scale": normal(last), "bias": normal(last)}
    elif work == "batch_norm":
        arrays |= {"scale": normal(extents[1]), "bias": normal(extents[1])}
    elif work == "rms_norm":
        arrays |= {"scale": normal(last)}
    elif work == "norm_gelu":
        arrays |= {"bias": normal(last)}
    if work == "cross_entropy":
        return arrays | {"labels": random.integers(0, last, rows)}
    shape = {
        "gelu_transposed": extents[::-1],
        "gelu_every_second": [rows, last // 2],
        "gelu_columns": [rows, 1000],
        "sum_outer": extents[1:],
        "sum_middle": [rows, last],
    }.get(work, extents)
    return arrays | {"cotangent": normal(*shape)}


def chain(x, y, steps, maximum, minimum):
    """`steps` operations, five a round."""
    t = x
    for _ in range(steps // 5):
        t = minimum(maximum((t * y) + x, y) - x, x)
    return t


def seconds_of(call, budget, wait=None):
    """The least time of a call, which returns when its work is done. Short calls are timed many at once. Where calls
    only start their work, `wait` waits for it, after many of them."""
    slice, wait = (5e-3, wait) if wait else (1e-3, lambda: None)
    for _ in range(3):
        call()
    wait()
    start = time.perf_counter()
    call()
    wait()
    once = max(time.perf_counter() - start, 1e-7)
    together = max(1, round(min(slice, budget) / once))
    best, samples, end = float("inf"), 0, time.perf_counter() + budget
    while samples < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(together):
            call()
        wait()
        best = min(best, (time.perf_counter() - start) / together)
        samples += 1
    return best


def report(peer, version, given, works, make_call, wait=None):
    """One JSON line for each job whose work the peer knows. make_call(work, pass, arrays, data) gives a call without
    arguments; `data` are the names of the inputs that have no gradient."""
    for job in given.jobs:
        work, kind, dtype, extents = job.split("/")
        if work not in works:
            continue
        arrays = inputs_of(work, [int(e) for e in extents.split("x")], dtype)
        if kind == "forward":
            arrays.pop("cotangent", None)
        seconds = seconds_of(make_call(work, kind, arrays, DATA.get(work, ())), given.seconds, wait)
        print(json.dumps({"peer": peer, "job": job, "seconds": seconds, "version": version}), flush=True)
