#!/usr/bin/env python3
"""Compares the stored reference values with PyTorch in double precision: a second, independent opinion.

    python3 -m pip install numpy mpmath torch
    python3 check_operators.py [FAMILY ...]

Prints the cases that PyTorch answers differently; those in DIFFERENT are known and explained there, and any
other is an error. Cases that PyTorch has no operator for are counted as skipped.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from reference import load

warnings.filterwarnings("ignore", "var|std")
HERE = Path(__file__).resolve().parent
FAMILIES = [
    "unary",
    "binary",
    "cast",
    "reductions",
    "movement",
    "contraction",
    "normalization",
    "losses",
    "conventions",
    "cases",
]
TORCH_DTYPE = {
    "bool": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8,
    "f16": torch.float64, "bf16": torch.float64, "f32": torch.float64, "f64": torch.float64,
}  # fmt: skip

DIFFERENT = {
    "sign/special": "PyTorch: sign(NaN) is 0; NumPy, JAX: NaN",
    "gelu/special gelu/tanh_special gelu/infinities_none gelu/infinities_tanh": "PyTorch: NaN at -inf",
    "exp/int32 divide/int32": "PyTorch computes in f32, the stored values are exact",
    "floor_divide/same floor_divide/inner floor_divide/both floor_divide/rank0 floor_divide/scalars floor_divide/empty "
    "floor_divide/one_with_zero": "PyTorch has no derivative, here (as in JAX) it is 0",
    "clip/bounds clip/minimum_only clip/four_answers": "a convention",
    "relu6/nan": "a convention",
    "logsumexp/minus_infinities": "a convention",
    "logsumexp/f16_zeros": "the stored value is rounded to f16",
    "logsumexp/at_1e+10 logsumexp/at_1e+50": "PyTorch uses the rounded result in the gradient",
    "cross_entropy/soft_minus_infinity": "PyTorch: 0 * inf",
    "layer_norm/large_mean layer_norm/ramps layer_norm/around_2000 layer_norm/one_element": "PyTorch's rounding; equal to 6 digits",
}  # fmt: skip
EXPECTED = {name: why for names, why in DIFFERENT.items() for name in names.split()}


def numbers(text):
    return [] if text == "()" else [int(v) for v in text.split(",")]


def axes_of(a, x):
    return tuple(numbers(a["axes"])) if "axes" in a else tuple(range(x.dim()))


def keep(a):
    return a.get("keepdims") == "true"


def reduce_extreme(f):
    def apply(a, x):
        axes = axes_of(a, x)
        return f(x, axes, keep(a)) if axes else x

    return apply


def logical_reduce(f):
    def apply(a, x):
        axes = sorted((i % x.dim() for i in axes_of(a, x)), reverse=True)
        out = x != 0
        for i in axes:
            out = f(out, dim=i, keepdim=keep(a))
        return out

    return apply


def prod(a, x):
    for i in sorted((i % x.dim() for i in axes_of(a, x)), reverse=True):
        x = x.prod(i, keepdim=keep(a))
    return x


def spread(f):
    """var and std without axes means no axes in PyTorch only when dim is None."""

    def apply(a, x):
        axes = axes_of(a, x)
        if not axes and x.dim():
            return torch.zeros_like(x)
        return f(x, axes or None, correction=float(a.get("correction", 0)), keepdim=keep(a))

    return apply


def arg(f):
    def apply(a, x):
        return f(x, int(a["axis"]), keepdim=keep(a)) if "axis" in a else f(x)

    return apply


def clip(a, x, low=None, high=None):
    low = float(a["min"]) if "min" in a else low
    high = float(a["max"]) if "max" in a else high
    return torch.clamp(x, low, high)


def layer_norm(a, x, scale=None, bias=None):
    axes = numbers(a.get("axes", "-1"))
    if scale is None and axes == [1] and x.dim() == 3:
        y, m, v = layer_norm({**a, "axes": "-1"}, x.transpose(1, 2))
        return y.transpose(1, 2), m, v
    y = F.layer_norm(x, x.shape[-len(axes) :], scale, bias, float(a.get("epsilon", 1e-5)))
    return y, x.mean(axes), x.var(axes, correction=0)


def rms_norm(a, x, scale=None):
    axes = numbers(a.get("axes", "-1"))
    return F.rms_norm(x, x.shape[-len(axes) :], scale, float(a.get("epsilon", 1e-6)))


def batch_norm(a, x, scale, bias, mean, var):
    if "model" in a:
        raise NotImplementedError
    training = a["training"] == "true"
    mean, var = mean.detach().clone(), var.detach().clone()
    y = F.batch_norm(x, mean, var, scale, bias, training, float(a.get("momentum", 0.1)), float(a.get("epsilon", 1e-5)))
    axes = [i for i in range(x.dim()) if i != 1]
    return (y, mean, var, x.mean(axes), x.var(axes, correction=0)) if training else y


def cross_entropy(a, logits, labels):
    reduction = a.get("reduction", "mean")
    if labels.is_floating_point():
        return F.cross_entropy(logits, labels, reduction=reduction)
    out = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.long().reshape(-1), reduction=reduction)
    return out.reshape(labels.shape) if reduction == "none" else out


def optimiser(make, p, gradients, state=None):
    p = p.detach().clone().requires_grad_()
    o = make([p])
    if state:
        o.state[p] = state
    for g in gradients:
        p.grad = g.clone()
        o.step()
    return p, o.state[p]


def sgd(a, p, g, velocity=None):
    def make(ps):
        return torch.optim.SGD(ps, float(a["learning_rate"]), momentum=float(a.get("momentum", 0)))

    gradients = g if g.dim() > p.dim() else g[None]
    p, s = optimiser(make, p, gradients, {"momentum_buffer": velocity.clone()} if velocity is not None else None)
    return (p, s["momentum_buffer"]) if "momentum" in a else p


def adam(a, p, g, m=None, v=None, t=None):
    def make(ps):
        betas = float(a.get("beta1", 0.9)), float(a.get("beta2", 0.999))
        return torch.optim.Adam(ps, float(a["learning_rate"]), betas, float(a.get("epsilon", 1e-8)))

    state = {"exp_avg": m.clone(), "exp_avg_sq": v.clone(), "step": t.double() - 1} if m is not None else None
    p, s = optimiser(make, p, g if m is None else g[None], state)
    return p, s["exp_avg"], s["exp_avg_sq"]


def slice_(a, x):
    for axis, (start, step, extent) in enumerate(zip(*(numbers(a[k]) for k in ("start", "step", "extent")))):
        x = x.index_select(axis, torch.tensor([start + i * step for i in range(extent)], dtype=torch.long))
    return x


def take(a, x, i):
    axis = int(a["axis"])
    i = torch.where(i < 0, i + x.shape[axis], i).long()
    return x.index_select(axis, i.reshape(-1)).reshape(x.shape[:axis] + i.shape + x.shape[axis + 1 :])


def wrap(a, x, i):
    return torch.where(i < 0, i + x.shape[int(a["axis"])], i).long()


def pad(a, x):
    both = [n for pair in zip(numbers(a["low"]), numbers(a["high"])) for n in pair]
    pairs = [both[i : i + 2] for i in range(0, len(both), 2)][::-1]
    return F.pad(x, [n for p in pairs for n in p], value=float(a["value"]))


def reduce_as(a, x, like):
    return x.sum_to_size(like.shape) if x.dim() else x


def filled(a):
    return torch.full(numbers(a["shape"]), float(a["value"]), dtype=torch.float64)


def cast(a, x):
    narrow = {
        "i8": torch.int8,
        "u8": torch.uint8,
        "i32": torch.int32,
        "i64": torch.int64,
        "bool": torch.bool,
        "f16": torch.float16,
        "bf16": torch.bfloat16,
        "f32": torch.float32,
        "f64": torch.float64,
    }
    return x.to(narrow[a["dtype"]])


def simple(f):
    return lambda a, *x: f(*x)


OPERATORS = {
    **{n: simple(getattr(torch, n)) for n in (
        "negative abs sign exp log log1p expm1 sqrt rsqrt square reciprocal sin cos tanh sigmoid erf erfc floor ceil round add subtract "
        "multiply divide maximum minimum pow floor_divide remainder not_equal less less_equal greater greater_equal logical_and "
        "logical_or logical_xor logical_not isnan isinf isfinite where lerp matmul relu atan2").split()},
    "equal": simple(torch.eq), "hardtanh": simple(F.hardtanh), "relu6": simple(F.relu6), "silu": simple(F.silu), "hardswish": simple(F.hardswish),
    "log_sigmoid": simple(F.logsigmoid),
    "leaky_relu": lambda a, x: F.leaky_relu(x, float(a.get("negative_slope", 0.01))),
    "elu": lambda a, x: F.elu(x, float(a.get("alpha", 1))),
    "gelu": lambda a, x: F.gelu(x, approximate=a.get("approximate", "none")),
    "softplus": lambda a, x: F.softplus(x, float(a.get("beta", 1))),
    "clip": clip, "cast": cast,
    "stop_gradient": lambda a, x: x * x.detach() if x.requires_grad else x,
    "sum": lambda a, x: x.sum(axes_of(a, x), keep(a)) if axes_of(a, x) else x,
    "mean": lambda a, x: x.double().mean(axes_of(a, x), keep(a)) if axes_of(a, x) else x,
    "max": reduce_extreme(torch.amax), "min": reduce_extreme(torch.amin), "prod": prod, "var": spread(torch.var), "std": spread(torch.std),
    "logsumexp": lambda a, x: torch.logsumexp(x, axes_of(a, x), keep(a)) if axes_of(a, x) else x,
    "argmax": arg(torch.argmax), "argmin": arg(torch.argmin), "any": logical_reduce(torch.any), "all": logical_reduce(torch.all),
    "reduce_as": reduce_as, "squared_l2_norm": lambda a, x: (x * x).sum(),
    "norm": lambda a, x: torch.linalg.vector_norm(x, 2, axes_of(a, x), keep(a)),
    "reshape": lambda a, x: x.reshape(numbers(a["shape"])), "transpose": lambda a, x: x.permute(numbers(a["axes"])),
    "broadcast_to": lambda a, x: x.expand(numbers(a["shape"])), "slice": slice_, "pad": pad,
    "concat": lambda a, *x: torch.cat(x, int(a["axis"])), "stack": lambda a, *x: torch.stack(x, int(a["axis"])),
    "full": filled, "arange": lambda a: torch.arange(float(a["start"]), float(a["stop"]), float(a["step"]), dtype=torch.float64),
    "take_along_axis": lambda a, x, i: torch.gather(x, int(a["axis"]), wrap(a, x, i)), "gather": take,
    "embedding": lambda a, i, table: F.embedding(i.long(), table),
    "scatter_add": lambda a, x, i, u: x.scatter_add(int(a["axis"]), wrap(a, x, i), u),
    "index_add": lambda a, x, i, u: x.index_add(int(a["axis"]), wrap(a, x, i), u),
    "one_hot": lambda a, i: F.one_hot(i.long(), int(a["classes"])),
    "softmax": lambda a, x: torch.softmax(x, int(a.get("axis", -1))),
    "log_softmax": lambda a, x: torch.log_softmax(x, int(a.get("axis", -1))),
    "safe_softmax": lambda a, x: torch._safe_softmax(x, -1),
    "layer_norm": layer_norm, "rms_norm": rms_norm, "batch_norm": batch_norm, "cross_entropy": cross_entropy,
    "bce_with_logits": lambda a, x, t: F.binary_cross_entropy_with_logits(x, t, reduction=a.get("reduction", "mean")),
    "mse_loss": lambda a, x, y: F.mse_loss(x, y, reduction=a.get("reduction", "mean")),
    "sgd": sgd, "adam": adam, "sort": lambda a, x: torch.sort(x).values, "cumprod": lambda a, x: torch.cumprod(x, int(a["axis"])),
}  # fmt: skip


def close(x, y):
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if x.shape != y.shape:
        return f"shape {x.shape} against {y.shape}"
    with np.errstate(all="ignore"):
        same = (x == y) | (np.isnan(x) & np.isnan(y)) | (np.abs(x - y) <= 1e-15 + 1e-12 * np.abs(y))
    return None if same.all() else f"{x[~same][:3]} against {y[~same][:3]}"


def difference(c):
    """None, or what PyTorch says against what is stored."""
    operator = c.name.split("/")[0]
    if (
        operator not in OPERATORS
        or "model" in c.attrs
        or c.name == "layer_norm/sum_is_constant"
        or c.name.startswith("log/shared")
    ):
        raise NotImplementedError
    inputs = [torch.tensor(x).to(TORCH_DTYPE[t]) for x, t in zip(c.inputs, c.dtypes)]
    for k in c.grads:
        inputs[k].requires_grad_()
    outputs = OPERATORS[operator](c.attrs, *inputs)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    for i, (got, stored) in enumerate(zip(outputs, c.outputs)):
        if what := close(got.detach().double().numpy(), stored):
            return f"output {i}: {what}"
    if c.grads:
        loss = sum((outputs[i] * torch.tensor(v)).sum() for i, v in c.cotangents.items())
        grads = torch.autograd.grad(loss, [inputs[k] for k in c.grads], allow_unused=True)
        for k, got in zip(c.grads, grads):
            got = torch.zeros(c.inputs[k].shape) if got is None else got
            if what := close(got.detach().numpy(), c.grads[k]):
                return f"gradient {k}: {what}"
    return None


def main():
    unexpected = 0
    for name in sys.argv[1:] or FAMILIES:
        agreed = skipped = 0
        for c in load(HERE / f"{name}.txt"):
            try:
                what = difference(c)
            except NotImplementedError:
                skipped += 1
                continue
            except Exception as error:  # an operator of PyTorch that does not take these inputs
                what = f"PyTorch: {str(error).splitlines()[0][:100]}"
            if what is None:
                agreed += 1
                continue
            unexpected += c.name not in EXPECTED
            print(f"  {'known ' if c.name in EXPECTED else 'DIFFERS'} {c.name}: {what}  {EXPECTED.get(c.name, '')}")
        print(f"{name}: {agreed} agree, {skipped} skipped")
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
