#!/usr/bin/env python3
"""Times PyTorch on the CPU: eager, or with --compile through torch.compile. Usually started by run.py.

The passes. forward: inputs that need no gradient, so that nothing is recorded. value_grad: the forward pass, then the backward pass from a
given cotangent (from 1 for a loss) to every floating input. adam: value_grad of the model, then an optimiser step.
"""

import sys

import measure
import torch
import torch.nn.functional as F

FORWARD = {
    "layer_norm": lambda x, scale, bias: F.layer_norm(x, x.shape[-1:], scale, bias, measure.EPSILON),
    "rms_norm": lambda x, scale: F.rms_norm(x, x.shape[-1:], scale, measure.EPSILON),
    "softmax": lambda x: torch.softmax(x, -1),
    "gelu": lambda x: F.gelu(x),
    "cross_entropy": lambda x, labels: F.cross_entropy(x, labels),
    "norm_gelu": lambda x, bias: F.layer_norm(F.gelu(x + bias), x.shape[-1:], None, None, measure.EPSILON),
    "mlp": lambda w1, b1, w2, b2, x, labels: F.cross_entropy(F.gelu(x @ w1 + b1) @ w2 + b2, labels),
}


def call_for(compiled):
    def finished(f):
        return torch.compile(f, dynamic=False) if compiled else f

    def make(work, kind, arrays):
        torch._dynamo.reset()
        tensors = {name: torch.from_numpy(a) for name, a in arrays.items()}
        cotangent = tensors.pop("cotangent", None)
        f, inputs = finished(FORWARD[work]), list(tensors.values())
        if kind == "forward":
            return lambda: f(*inputs)

        data = ("labels", "x") if work == "mlp" else ("labels",)
        wanted = [t.requires_grad_() for name, t in tensors.items() if name not in data]
        if kind == "value_grad":

            def value_grad():
                y = f(*inputs)
                return y, torch.autograd.grad(y, wanted, cotangent)

            return value_grad

        a = measure.ADAM
        optimiser = torch.optim.Adam(wanted, a["learning_rate"], (a["beta1"], a["beta2"]), a["epsilon"])
        update = finished(optimiser.step)

        def step():
            optimiser.zero_grad()
            loss = f(*inputs)
            loss.backward()
            update()
            return loss

        return step

    return make


def main():
    compiled = "--compile" in sys.argv
    if compiled:
        sys.argv.remove("--compile")
    given = measure.arguments(__doc__.splitlines()[0])
    torch.set_num_threads(given.threads)
    torch.set_num_interop_threads(1)
    peer = "torch_compile" if compiled else "torch"
    measure.report(peer, torch.__version__, given, call_for(compiled))


if __name__ == "__main__":
    main()
