#!/usr/bin/env python3
"""Times other libraries on the works that Primal is measured on, one JSON line a result:

    {"peer": "torch", "job": "layer_norm/forward/f32/8192x768", "seconds": 0.0021, "version": "2.15"}

    run.py [--peers torch,torch_compile,jax,paddle] [--threads 1] [--seconds 1] WORK/PASS/DTYPE/EXTENTS ...

PRIMAL_BENCH_PYTHON names the Python that has the peers, or several with : between them (bench/run --peers makes them);
without it this Python is asked. A peer that is missing is left out. EXTENTS are those of a work's first input;
measure.py says what the others are, and the peers' scripts what each work is.

Passes: forward; value_grad, the value and the gradient with respect to every differentiable input from a given
cotangent, from 1 for a loss; for the mlp also adam, a whole training step. seconds is the least time of many calls,
each of them waited for. Every peer has a process of its own, so that its threads are as many as were asked for.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PEERS = {
    "torch": ("torch", ["pytorch.py"]),
    "torch_compile": ("torch", ["pytorch.py", "--compile"]),
    "jax": ("jax", ["jax_jit.py"]),
    "paddle": ("paddle", ["paddle_eager.py"]),
}


def pythons():
    """The Python that has each module."""
    found = {}
    ask = "import importlib.util, sys; print(*[m for m in sys.argv[1:] if importlib.util.find_spec(m)])"
    for python in os.environ.get("PRIMAL_BENCH_PYTHON", sys.executable).split(":"):
        modules = sorted({module for module, _ in PEERS.values()})
        answer = subprocess.run([python, "-c", ask, *modules], capture_output=True, text=True)
        for module in answer.stdout.split():
            found.setdefault(module, python)
    return found


def environment(threads, cuda=False):
    """Every library reads its own variable. XLA makes NPROC threads, and hands products to Eigen's pool unless told
    not to."""
    names = [
        "OMP_NUM_THREADS",
        "MKL_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "NPROC",
        "TORCHINDUCTOR_COMPILE_THREADS",
    ]
    settings = os.environ | {name: str(threads) for name in names}
    flags = settings.get("XLA_FLAGS", "")
    if threads == 1:
        flags += " --xla_cpu_multi_thread_eigen=false"
    settings |= {"XLA_FLAGS": flags.strip(), "JAX_PLATFORMS": "cpu"}
    return settings if cuda else settings | {"CUDA_VISIBLE_DEVICES": ""}


def results(peer, jobs, threads, seconds, found, cuda=False):
    """What a peer reports of the jobs that it knows; nothing if it is not installed."""
    module, command = PEERS[peer]
    if module not in found or not jobs or (cuda and module != "torch"):
        return []
    script = [found[module], str(HERE / command[0]), *command[1:]]
    options = ["--threads", str(threads), "--seconds", str(seconds)] + ["--cuda"] * cuda
    run = subprocess.run([*script, *options, *jobs], env=environment(threads, cuda), capture_output=True, text=True)
    if run.returncode:
        print(f"{peer} failed:\n{run.stderr[-2000:]}", file=sys.stderr)
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith('{"peer"')]


def value_of(option, otherwise, arguments):
    """Takes `option VALUE` out of the arguments."""
    if option not in arguments[:-1]:
        return otherwise
    at = arguments.index(option)
    value = arguments[at + 1]
    del arguments[at : at + 2]
    return value


def main():
    arguments = sys.argv[1:]
    if not arguments or "-h" in arguments or "--help" in arguments:
        sys.exit(print(__doc__))
    peers = value_of("--peers", ",".join(PEERS), arguments).split(",")
    threads, seconds = int(value_of("--threads", 1, arguments)), float(value_of("--seconds", 1, arguments))
    found = pythons()
    for peer in peers:
        if peer not in PEERS:
            sys.exit(f"run.py: no peer is called {peer}; there are {', '.join(PEERS)}")
        for result in results(peer, arguments, threads, seconds, found):
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
