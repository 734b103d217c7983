#!/usr/bin/env python3
"""Times JAX on the CPU, everything under one jax.jit. Usually started by run.py, which sets the number of threads.

The passes. forward; value_grad: the value and, from a given cotangent (from 1 for a loss), the gradient with respect
to every differentiable input; adam: value_grad of the model and an Adam step, the state donated.
"""

import jax
import jax.numpy as jnp
import measure

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_cpu_enable_async_dispatch", False)
jax.config.update("jax_enable_x64", True)  # float32 arrays stay float32


def gelu(x):
    return jax.nn.gelu(x, approximate=False)


def layer_norm(x, scale=None, bias=None, axes=-1):
    centred = x - x.mean(axes, keepdims=True)
    y = centred * jax.lax.rsqrt((centred * centred).mean(axes, keepdims=True) + measure.EPSILON)
    return y if scale is None else y * scale + bias


def batch_norm(x, scale, bias):
    return layer_norm(x, scale[:, None, None], bias[:, None, None], (0, 2, 3))


def rms_norm(x, scale):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + measure.EPSILON) * scale


def cross_entropy(x, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], 1).mean()


def transformer(
    scale1, bias1, scale2, bias2, wq, bq, wk, bk, wv, bv, wo, bo, up_w, up_b, down_w, down_b, x, target
):
    def heads(x):
        return x.reshape(*x.shape[:2], measure.HEADS, -1).transpose(0, 2, 1, 3)

    n = layer_norm(x, scale1, bias1)
    q, k, v = heads(n @ wq + bq), heads(n @ wk + bk), heads(n @ wv + bv)
    mixed = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) * q.shape[-1] ** -0.5) @ v
    h = x + mixed.transpose(0, 2, 1, 3).reshape(x.shape) @ wo + bo
    y = h + gelu(layer_norm(h, scale2, bias2) @ up_w + up_b) @ down_w + down_b
    return ((y - target) ** 2).mean()


def normal(x, mu, sigma):
    return jax.scipy.stats.norm.logpdf(x, mu, sigma).sum()


def stochastic_volatility(h, mu, phi, sigma, y):
    return (
        normal(h[:1], mu, sigma / jnp.sqrt(1 - phi * phi))
        + normal(h[1:], mu + phi * (h[:-1] - mu), sigma)
        + normal(y, 0, jnp.exp(0.5 * h))
    )


WORKS = {
    "layer_norm": layer_norm,
    "rms_norm": rms_norm,
    "softmax": jax.nn.softmax,
    "log_softmax": jax.nn.log_softmax,
    "gelu": gelu,
    "gelu_tanh": jax.nn.gelu,
    "silu": jax.nn.silu,
    "cross_entropy": cross_entropy,
    "norm_gelu": lambda x, bias: layer_norm(gelu(x + bias)),
    "softmax_middle": lambda x: jax.nn.softmax(x, 1),
    "norm_middle": lambda x: layer_norm(x, axes=1),
    "batch_norm": batch_norm,
    "gelu_transposed": lambda x: gelu(x.T),
    "gelu_every_second": lambda x: gelu(x[:, ::2]),
    "gelu_columns": lambda x: gelu(x[:, 100:1100]),
    "sum_outer": lambda x: x.sum(0),
    "sum_middle": lambda x: x.sum(1),
    "matmul": lambda a, b: a @ b,
    "mlp": lambda w1, b1, w2, b2, x, labels: cross_entropy(gelu(x @ w1 + b1) @ w2 + b2, labels),
    "transformer": transformer,
    "sum": lambda x: x.sum(),
    "prod": lambda x: x.prod(),
    "log_sum_exp": jax.nn.logsumexp,
    "sum_of_matmul": lambda a, b: (a @ b).sum(),
    "normal_density": normal,
    "linear_regression": lambda w, bias, sigma, x, y: normal(y, x @ w + bias, sigma),
    "stochastic_volatility": stochastic_volatility,
    "chain20": lambda x, y: measure.chain(x, y, 20, jnp.maximum, jnp.minimum),
    "chain100": lambda x, y: measure.chain(x, y, 100, jnp.maximum, jnp.minimum),
}


def make_call(work, kind, arrays, data):
    values = {name: jnp.asarray(a) for name, a in arrays.items()}
    cotangent = values.pop("cotangent", None)
    names, f = list(values), WORKS[work]
    wanted = tuple(i for i, name in enumerate(names) if name not in data)

    def ready(function, *inputs):
        compiled = jax.jit(function).lower(*inputs).compile()
        return lambda: jax.block_until_ready(compiled(*inputs))

    if kind == "forward":
        return ready(f, *values.values())

    if kind == "value_grad" and cotangent is None:
        return ready(jax.value_and_grad(f, wanted), *values.values())

    if kind == "value_grad":

        def value_grad(cotangent, *inputs):  # every input is differentiable where there is a cotangent
            y, back = jax.vjp(f, *inputs)
            return y, back(cotangent)

        return ready(value_grad, cotangent, *values.values())

    def step(parameters, m, v, t, x, labels):
        a, t = measure.ADAM, t + 1
        loss, g = jax.value_and_grad(lambda p: f(*p, x, labels))(parameters)
        m = [a["beta1"] * m + (1 - a["beta1"]) * g for m, g in zip(m, g)]
        v = [a["beta2"] * v + (1 - a["beta2"]) * g * g for v, g in zip(v, g)]
        rate = a["learning_rate"] / (1 - a["beta1"] ** t)
        root = jnp.sqrt(1 - a["beta2"] ** t)
        moved = [p - rate * m / (jnp.sqrt(v) / root + a["epsilon"]) for p, m, v in zip(parameters, m, v)]
        return loss, moved, m, v, t

    parameters = [values[name] for name in names[:4]]
    zeros = [jnp.zeros_like(p) for p in parameters]
    state = [parameters, zeros, [jnp.zeros_like(p) for p in parameters], jnp.float32(0)]
    compiled = jax.jit(step, donate_argnums=(0, 1, 2, 3))

    def adam():
        loss, *state[:] = compiled(*state, values["x"], values["labels"])
        jax.block_until_ready((loss, state))

    return adam


if __name__ == "__main__":
    given = measure.arguments(__doc__.splitlines()[0])
    measure.report("jax", jax.__version__, given, WORKS, make_call)
