#!/usr/bin/env python3
"""Times PaddlePaddle on the CPU, eager. Usually started by run.py.

The passes. forward: nothing is recorded. value_grad: the forward pass, then the backward pass from a given cotangent
(from 1 for a loss) to every differentiable input.
"""

import measure
import paddle
import paddle.nn.functional as F


def batch_norm(x, scale, bias):
    channels = x.shape[1]
    mean, variance = paddle.zeros([channels]), paddle.ones([channels])
    return F.batch_norm(x, mean, variance, scale, bias, training=True, epsilon=measure.EPSILON)


def norm_middle(x):
    centred = x - x.mean(1, keepdim=True)
    return centred * paddle.rsqrt((centred * centred).mean(1, keepdim=True) + measure.EPSILON)


def transformer(
    scale1, bias1, scale2, bias2, wq, bq, wk, bk, wv, bv, wo, bo, up_w, up_b, down_w, down_b, x, target
):
    batch, tokens, width = x.shape

    def heads(x):
        return x.reshape([batch, tokens, measure.HEADS, width // measure.HEADS]).transpose([0, 2, 1, 3])

    n = F.layer_norm(x, [width], scale1, bias1, measure.EPSILON)
    q, k, v = heads(n @ wq + bq), heads(n @ wk + bk), heads(n @ wv + bv)
    scores = paddle.matmul(q, k, transpose_y=True) * (q.shape[-1] ** -0.5)
    mixed = (F.softmax(scores) @ v).transpose([0, 2, 1, 3]).reshape(x.shape)
    h = x + mixed @ wo + bo
    n = F.layer_norm(h, [width], scale2, bias2, measure.EPSILON)
    return F.mse_loss(h + F.gelu(n @ up_w + up_b) @ down_w + down_b, target)


WORKS = {
    "layer_norm": lambda x, scale, bias: F.layer_norm(x, x.shape[-1:], scale, bias, measure.EPSILON),
    "softmax": lambda x: F.softmax(x),
    "log_softmax": lambda x: F.log_softmax(x),
    "gelu": lambda x: F.gelu(x),
    "gelu_tanh": lambda x: F.gelu(x, approximate=True),
    "silu": lambda x: F.silu(x),
    "cross_entropy": lambda x, labels: F.cross_entropy(x, labels),
    "norm_gelu": lambda x, bias: F.layer_norm(F.gelu(x + bias), x.shape[-1:], None, None, measure.EPSILON),
    "softmax_middle": lambda x: F.softmax(x, 1),
    "norm_middle": norm_middle,
    "batch_norm": batch_norm,
    "gelu_transposed": lambda x: F.gelu(x.T),
    "gelu_every_second": lambda x: F.gelu(x[:, ::2]),
    "gelu_columns": lambda x: F.gelu(x[:, 100:1100]),
    "sum_outer": lambda x: x.sum(0),
    "sum_middle": lambda x: x.sum(1),
    "matmul": lambda a, b: a @ b,
    "mlp": lambda w1, b1, w2, b2, x, labels: F.cross_entropy(F.gelu(x @ w1 + b1) @ w2 + b2, labels),
    "transformer": transformer,
}


def make_call(work, kind, arrays, data):
    values = {name: paddle.to_tensor(a, stop_gradient=kind == "forward" or name in data) for name, a in arrays.items()}
    cotangent = values.pop("cotangent", None)
    f, inputs = WORKS[work], list(values.values())
    if kind == "forward":
        return lambda: f(*inputs)
    wanted = [value for name, value in values.items() if name not in data]

    def value_grad():
        y = f(*inputs)
        return y, paddle.grad([y], wanted, None if cotangent is None else [cotangent])

    return value_grad


if __name__ == "__main__":
    given = measure.arguments(__doc__.splitlines()[0])
    given.jobs = [job for job in given.jobs if "/adam/" not in job]
    paddle.set_device("cpu")
    measure.report("paddle", paddle.__version__, given, WORKS, make_call)
