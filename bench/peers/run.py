#!/usr/bin/env python3
"""Times PyTorch and JAX on the works that Primal is measured on, one JSON line a result:

    {"peer": "torch", "work": "layer_norm", "pass": "forward", "rows": 8192, "cols": 768, "seconds": 0.0021, ...}

    run.py [WORK ...] [--peers torch,torch_compile,jax] [--passes forward,value_grad,adam] [--rows 64,8192]
           [--threads 1] [--seconds 1]

Run it with a Python that has the peers (bench/run --peers makes one); a peer that is missing is left out, with a word
on standard error. The works, in float32 on the CPU:

    layer_norm      with scale and bias, epsilon 1e-5                 rms_norm    with scale
    softmax, gelu   over the last axis; gelu with erf                 norm_gelu   layer_norm(gelu(x + bias)), no scale
    cross_entropy   rows of 768 logits, integer labels, mean          mlp         cross_entropy(gelu(x W1 + b1) W2 + b2),
                                                                                  64-128-10, batch 64

Passes: forward; value_grad, the value and the gradient with respect to every floating input (of the mlp: to the
parameters) from a given cotangent; for the mlp also adam, a whole training step. seconds is the least time of many
calls, each of them waited for. Every peer has a process of its own, so that its threads are as many as were asked for.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PEERS = {
    "torch": ("torch", ["pytorch.py"]),
    "torch_compile": ("torch", ["pytorch.py", "--compile"]),
    "jax": ("jax", ["jax_jit.py"]),
}


def value_of(option, otherwise, arguments):
    """Takes `option VALUE` or `option=VALUE` out of the arguments."""
    for i, a in enumerate(arguments):
        if a == option and i + 1 < len(arguments):
            value = arguments[i + 1]
            del arguments[i : i + 2]
            return value
        if a.startswith(option + "="):
            del arguments[i]
            return a.partition("=")[2]
    return otherwise


def environment(threads):
    """Every library reads its own variable. XLA makes NPROC threads, and hands products to Eigen's pool unless told
    not to."""
    names = [
        "OMP_NUM_THREADS",
        "MKL_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "NPROC",
        "TORCHINDUCTOR_COMPILE_THREADS",
    ]
    settings = os.environ | {name: threads for name in names}
    flags = settings.get("XLA_FLAGS", "")
    if threads == "1":
        flags += " --xla_cpu_multi_thread_eigen=false"
    return settings | {
        "XLA_FLAGS": flags.strip(),
        "JAX_PLATFORMS": "cpu",
        "CUDA_VISIBLE_DEVICES": "",
    }


def main():
    arguments = sys.argv[1:]
    if "-h" in arguments or "--help" in arguments:
        sys.exit(print(__doc__))
    peers = value_of("--peers", ",".join(PEERS), arguments).split(",")
    threads = value_of("--threads", "1", arguments)
    failed = False
    for peer in peers:
        if peer not in PEERS:
            sys.exit(f"run.py: no peer is called {peer}; there are {', '.join(PEERS)}")
        module, command = PEERS[peer]
        if importlib.util.find_spec(module) is None:
            print(f"run.py: {module} is not installed", file=sys.stderr)
            continue
        command = [
            sys.executable,
            str(HERE / command[0]),
            *command[1:],
            *arguments,
            "--threads",
            threads,
        ]
        failed |= subprocess.run(command, env=environment(threads)).returncode != 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
