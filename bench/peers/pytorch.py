#!/usr/bin/env python3
"""Times PyTorch: eager, or with --compile through torch.compile; on the CPU, or with --cuda on a GPU. Usually
started by run.py.

The passes. forward: inputs that need no gradient, so that nothing is recorded. value_grad: the forward pass, then the
backward pass from a given cotangent (from 1 for a loss) to every differentiable input. adam: value_grad of the model,
then an optimiser step.
"""

import math
import sys

import measure
import torch
import torch.nn.functional as F


def norm_middle(x):
    centred = x - x.mean(1, keepdim=True)
    return centred * torch.rsqrt(x.var(1, correction=0, keepdim=True) + measure.EPSILON)


def transformer(
    scale1, bias1, scale2, bias2, wq, bq, wk, bk, wv, bv, wo, bo, up_w, up_b, down_w, down_b, x, target
):
    width = x.shape[-1]

    def heads(x):
        return x.unflatten(-1, (measure.HEADS, width // measure.HEADS)).transpose(1, 2)

    n = F.layer_norm(x, (width,), scale1, bias1, measure.EPSILON)
    mixed = F.scaled_dot_product_attention(heads(n @ wq + bq), heads(n @ wk + bk), heads(n @ wv + bv))
    h = x + mixed.transpose(1, 2).reshape(x.shape) @ wo + bo
    n = F.layer_norm(h, (width,), scale2, bias2, measure.EPSILON)
    return F.mse_loss(h + F.gelu(n @ up_w + up_b) @ down_w + down_b, target)


def normal(x, mu, sigma):
    z = (x - mu) / sigma
    return (-0.5 * z * z - torch.log(sigma) - 0.5 * math.log(2 * math.pi)).sum()


def stochastic_volatility(h, mu, phi, sigma, y):
    return (
        normal(h[:1], mu, sigma / torch.sqrt(1 - phi * phi))
        + normal(h[1:], mu + phi * (h[:-1] - mu), sigma)
        + normal(y, 0, torch.exp(0.5 * h))
    )


WORKS = {
    "layer_norm": lambda x, scale, bias: F.layer_norm(x, x.shape[-1:], scale, bias, measure.EPSILON),
    "rms_norm": lambda x, scale: F.rms_norm(x, x.shape[-1:], scale, measure.EPSILON),
    "softmax": lambda x: torch.softmax(x, -1),
    "log_softmax": lambda x: torch.log_softmax(x, -1),
    "gelu": lambda x: F.gelu(x),
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": lambda x: F.silu(x),
    "cross_entropy": lambda x, labels: F.cross_entropy(x, labels),
    "norm_gelu": lambda x, bias: F.layer_norm(F.gelu(x + bias), x.shape[-1:], None, None, measure.EPSILON),
    "softmax_middle": lambda x: torch.softmax(x, 1),
    "norm_middle": norm_middle,
    "batch_norm": lambda x, scale, bias: F.batch_norm(x, None, None, scale, bias, True, 0.1, measure.EPSILON),
    "gelu_transposed": lambda x: F.gelu(x.T).contiguous(),
    "gelu_every_second": lambda x: F.gelu(x[:, ::2]),
    "gelu_columns": lambda x: F.gelu(x[:, 100:1100]),
    "sum_outer": lambda x: x.sum(0),
    "sum_middle": lambda x: x.sum(1),
    "sum_rows": lambda x: x.sum(1),
    "sum_columns": lambda x: x.sum(0),
    "matmul": lambda a, b: a @ b,
    "mlp": lambda w1, b1, w2, b2, x, labels: F.cross_entropy(F.gelu(x @ w1 + b1) @ w2 + b2, labels),
    "transformer": transformer,
    "sum": lambda x: x.sum(),
    "prod": lambda x: x.prod(),
    "log_sum_exp": lambda x: torch.logsumexp(x, 0),
    "sum_of_matmul": lambda a, b: (a @ b).sum(),
    "normal_density": normal,
    "linear_regression": lambda w, bias, sigma, x, y: normal(y, x @ w + bias, sigma),
    "stochastic_volatility": stochastic_volatility,
    "chain20": lambda x, y: measure.chain(x, y, 20, torch.maximum, torch.minimum),
    "chain100": lambda x, y: measure.chain(x, y, 100, torch.maximum, torch.minimum),
}


def call_for(compiled, device):
    def finished(f):
        return torch.compile(f, dynamic=False) if compiled else f

    def make(work, kind, arrays, data):
        torch._dynamo.reset()
        tensors = {name: torch.from_numpy(a).to(device) for name, a in arrays.items()}
        cotangent = tensors.pop("cotangent", None)
        f, inputs = finished(WORKS[work]), list(tensors.values())
        if kind == "forward":
            return lambda: f(*inputs)

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
    if given.cuda and not torch.cuda.is_available():
        sys.exit("this PyTorch finds no GPU")
    device, wait = ("cuda", torch.cuda.synchronize) if given.cuda else ("cpu", None)
    measure.report(peer, torch.__version__, given, WORKS, call_for(compiled, device), wait)


if __name__ == "__main__":
    main()
