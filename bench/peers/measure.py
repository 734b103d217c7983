"""What the peers' scripts share: the command line, the works and their sizes, the clock, the output."""

import argparse
import json
import time

import numpy as np

ARRAY_WORKS = ["layer_norm", "rms_norm", "softmax", "gelu", "cross_entropy", "norm_gelu"]
WORKS = [*ARRAY_WORKS, "mlp"]
PASSES = {work: ["forward", "value_grad"] for work in ARRAY_WORKS} | {"mlp": ["value_grad", "adam"]}
COLS = 768
MLP = {"batch": 64, "inputs": 64, "hidden": 128, "classes": 10}
ADAM = {"learning_rate": 1e-3, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8}
EPSILON = 1e-5


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("works", nargs="*", metavar="WORK", help=f"of {', '.join(WORKS)}; all without any")
    parser.add_argument("--passes", default="forward,value_grad,adam", help="comma-separated (default: all)")
    parser.add_argument("--rows", default="64,8192", help=f"rows of {COLS} (default: 64,8192)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each row is repeated")
    given = parser.parse_args()
    for work in given.works:
        if work not in WORKS:
            parser.error(f"no work is called {work}; there are {', '.join(WORKS)}")
    return given


def jobs(given):
    """(work, pass, rows, cols) for everything that was asked for."""
    wanted = given.passes.split(",")
    for work in given.works or WORKS:
        sizes = [(MLP["batch"], MLP["inputs"])] if work == "mlp" else [(int(r), COLS) for r in given.rows.split(",")]
        for kind in PASSES[work]:
            if kind in wanted:
                for rows, cols in sizes:
                    yield work, kind, rows, cols


def inputs_of(work, rows, cols):
    """The arrays of a work by name, as NumPy arrays; the same numbers for every peer."""
    random = np.random.default_rng(0)

    def normal(*shape):
        return random.standard_normal(shape).astype(np.float32)

    if work == "mlp":
        n, m, k = MLP["inputs"], MLP["hidden"], MLP["classes"]
        parameters = {
            "w1": normal(n, m) / 8,
            "b1": normal(m),
            "w2": normal(m, k) / 8,
            "b2": normal(k),
        }
        return parameters | {"x": normal(rows, n), "labels": random.integers(0, k, rows)}
    arrays = {"x": normal(rows, cols)}
    if work == "layer_norm":
        arrays |= {"scale": normal(cols), "bias": normal(cols)}
    elif work == "rms_norm":
        arrays |= {"scale": normal(cols)}
    elif work == "norm_gelu":
        arrays |= {"bias": normal(cols)}
    if work == "cross_entropy":
        arrays |= {"labels": random.integers(0, cols, rows)}
    else:
        arrays |= {"cotangent": normal(rows, cols)}
    return arrays


def seconds_of(call, budget):
    """The least time of a call, which returns when its work is done. Short calls are timed many at once."""
    for _ in range(3):
        call()
    start = time.perf_counter()
    call()
    once = max(time.perf_counter() - start, 1e-7)
    together = max(1, round(1e-3 / once))
    best, samples, end = float("inf"), 0, time.perf_counter() + budget
    while samples < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(together):
            call()
        best = min(best, (time.perf_counter() - start) / together)
        samples += 1
    return best


def report(peer, version, given, make_call):
    """One JSON line for each job. make_call(work, pass, arrays) gives a call without arguments."""
    for work, kind, rows, cols in jobs(given):
        call = make_call(work, kind, inputs_of(work, rows, cols))
        line = {"peer": peer, "work": work, "pass": kind, "rows": rows, "cols": cols}
        line |= {
            "seconds": seconds_of(call, given.seconds),
            "threads": given.threads,
            "version": version,
        }
        print(json.dumps(line), flush=True)
