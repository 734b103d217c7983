#!/usr/bin/env python3
"""Times JAX on the CPU, everything under one jax.jit. Usually started by run.py, which sets the number of threads.

The passes. forward; value_grad: the value and, from a given cotangent (from 1 for a loss), the gradient with respect
to every floating input; adam: value_grad of the model and an Adam step, the state donated.
"""

import jax
import jax.numpy as jnp
import measure

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_cpu_enable_async_dispatch", False)


def gelu(x):
    return jax.nn.gelu(x, approximate=False)


def layer_norm(x, scale=None, bias=None):
    centred = x - x.mean(-1, keepdims=True)
    y = centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + measure.EPSILON)
    return y if scale is None else y * scale + bias


def rms_norm(x, scale):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + measure.EPSILON) * scale


def cross_entropy(x, labels):
    return -jnp.take_along_axis(jax.nn.log_softmax(x), labels[:, None], 1).mean()


FORWARD = {
    "layer_norm": layer_norm,
    "rms_norm": rms_norm,
    "softmax": jax.nn.softmax,
    "gelu": gelu,
    "cross_entropy": cross_entropy,
    "norm_gelu": lambda x, bias: layer_norm(gelu(x + bias)),
    "mlp": lambda w1, b1, w2, b2, x, labels: cross_entropy(gelu(x @ w1 + b1) @ w2 + b2, labels),
}


def make_call(work, kind, arrays):
    values = {name: jnp.asarray(a) for name, a in arrays.items()}
    cotangent = values.pop("cotangent", None)
    names, f = list(values), FORWARD[work]
    data = ("labels", "x") if work == "mlp" else ("labels",)
    wanted = tuple(i for i, name in enumerate(names) if name not in data)

    def ready(function, *inputs):
        compiled = jax.jit(function).lower(*inputs).compile()
        return lambda: jax.block_until_ready(compiled(*inputs))

    if kind == "forward":
        return ready(f, *values.values())

    if kind == "value_grad" and cotangent is None:
        return ready(jax.value_and_grad(f, wanted), *values.values())

    if kind == "value_grad":

        def value_grad(cotangent, *inputs):
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
    measure.report("jax", jax.__version__, given, make_call)
