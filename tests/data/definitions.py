"""The operators, defined on arrays of exact numbers as a textbook defines them. See reference.py."""

import math

import mpmath as mp
import numpy as np
from reference import elementwise, exact, is_exact, predicate

ONE = mp.mpf(1)


def isnan(v):
    return v != v


# One element ---------------------------------------------------------------------------------------------


def _round_half_even(v):
    return mp.nint(v)  # mpmath rounds halves to even


def _sigmoid(v):
    return 1 / (1 + mp.exp(-v)) if v >= 0 else mp.exp(v) / (1 + mp.exp(v))


def _normal_distribution(v):
    return mp.erfc(-v / mp.sqrt(2)) / 2


def _softplus(v):
    return max(v, mp.mpf(0)) + mp.log1p(mp.exp(-abs(v)))


negative = elementwise(lambda v: -v)
abs_ = elementwise(lambda v: abs(v))
sign = elementwise(lambda v: mp.sign(v))
exp = elementwise(lambda v: mp.exp(v))
log = elementwise(lambda v: mp.log(v))
log1p = elementwise(lambda v: mp.log1p(v))
expm1 = elementwise(lambda v: mp.expm1(v))
sqrt = elementwise(lambda v: mp.sqrt(v))
rsqrt = elementwise(lambda v: 1 / mp.sqrt(v))
square = elementwise(lambda v: v * v)
reciprocal = elementwise(lambda v: 1 / v)
sin = elementwise(lambda v: mp.sin(v))
cos = elementwise(lambda v: mp.cos(v))
tanh = elementwise(lambda v: mp.tanh(v))
sigmoid = elementwise(_sigmoid)
erf = elementwise(lambda v: mp.erf(v))
floor = elementwise(lambda v: mp.floor(v))
ceil = elementwise(lambda v: mp.ceil(v))
round_ = elementwise(_round_half_even)

relu = elementwise(lambda v: max(v, mp.mpf(0)))
relu6 = elementwise(lambda v: min(max(v, mp.mpf(0)), mp.mpf(6)))
silu = elementwise(lambda v: v * _sigmoid(v))
hardswish = elementwise(lambda v: v * min(max(v + 3, mp.mpf(0)), mp.mpf(6)) / 6)


def leaky_relu(x, negative_slope=0.01):
    slope = mp.mpf(negative_slope)
    return elementwise(lambda v: v if v > 0 else slope * v)(x)


def elu(x, alpha=1.0):
    return elementwise(lambda v: v if v > 0 else mp.mpf(alpha) * mp.expm1(v))(x)


def gelu(x, approximate="none"):
    if approximate == "none":
        return elementwise(lambda v: v * _normal_distribution(v))(x)
    cubic = mp.mpf("0.044715")  # 1 + tanh(z) is 2 sigmoid(2 z), without cancellation
    return elementwise(lambda v: v * _sigmoid(2 * mp.sqrt(2 / mp.pi) * (v + cubic * v**3)))(x)


def softplus(x, beta=1.0):
    """log(1 + exp(beta x)) / beta, without a threshold beyond which it would be taken as x."""
    return elementwise(lambda v: _softplus(mp.mpf(beta) * v) / mp.mpf(beta))(x)


def clip(x, low=None, high=None, min=None, max=None):
    """Bounds are inputs, or the attributes min and max."""
    low = exact(min) if min is not None else low
    high = exact(max) if max is not None else high
    if low is not None:
        x = elementwise(lambda v, bound: bound if v < bound else v)(x, low)
    if high is not None:
        x = elementwise(lambda v, bound: bound if v > bound else v)(x, high)
    return x


# Two and three elements ----------------------------------------------------------------------------------

add = elementwise(lambda a, b: a + b)
subtract = elementwise(lambda a, b: a - b)
multiply = elementwise(lambda a, b: a * b)
divide = elementwise(lambda a, b: a / b)
power = elementwise(lambda a, b: mp.power(a, b))
floor_divide = elementwise(lambda a, b: mp.floor(a / b))
remainder = elementwise(lambda a, b: a - b * mp.floor(a / b))
lerp = elementwise(lambda a, b, weight: a + weight * (b - a))
maximum = elementwise(lambda a, b: mp.nan if isnan(a) or isnan(b) else max(a, b))
minimum = elementwise(lambda a, b: mp.nan if isnan(a) or isnan(b) else min(a, b))


def where(condition, a, b):
    return elementwise(lambda c, a, b: a if c else b)(condition, a, b)


equal = predicate(lambda a, b: a == b)
not_equal = predicate(lambda a, b: a != b)
less = predicate(lambda a, b: a < b)
less_equal = predicate(lambda a, b: a <= b)
greater = predicate(lambda a, b: a > b)
greater_equal = predicate(lambda a, b: a >= b)
logical_and = predicate(lambda a, b: bool(a) and bool(b))
logical_or = predicate(lambda a, b: bool(a) or bool(b))
logical_xor = predicate(lambda a, b: bool(a) != bool(b))
logical_not = predicate(lambda a: not a)


# Reductions ----------------------------------------------------------------------------------------------


def normalised(axes, rank):
    if axes is None:
        return tuple(range(rank))
    axes = axes if isinstance(axes, (list, tuple)) else (axes,)
    return tuple(a % rank for a in axes)


def reduce(f, x, axes=None, keepdims=False):
    """f of the list of the elements along the axes, in row-major order, for each place of the other axes."""
    axes = normalised(axes, x.ndim)
    kept = [a for a in range(x.ndim) if a not in axes]
    shape = [x.shape[a] for a in kept]
    rows = x.transpose(kept + sorted(axes)).reshape(shape + [math.prod(x.shape[a] for a in axes)])
    out = np.empty(shape, dtype=object)
    for i in np.ndindex(*shape):
        out[i] = f(list(rows[i]))
    if keepdims:
        out = out.reshape([1 if a in axes else n for a, n in enumerate(x.shape)])
    return out


def _max(row):
    return mp.nan if any(isnan(v) for v in row) else max(row)


def _min(row):
    return mp.nan if any(isnan(v) for v in row) else min(row)


def _prod(row):
    out = ONE
    for v in row:
        out = out * v
    return out


def _mean(row):
    return sum(row, mp.mpf(0)) / len(row) if row else mp.nan


def _variance(row, correction=0):
    if len(row) <= correction:
        return mp.nan
    m = _mean(row)
    return sum(((v - m) ** 2 for v in row), mp.mpf(0)) / (len(row) - mp.mpf(correction))


def _logsumexp(row):
    top = _max(row) if row else -mp.inf
    if isnan(top) or mp.isinf(top):
        return top
    return top + mp.log(sum((mp.exp(v - top) for v in row), mp.mpf(0)))


def sum_(x, axes=None, keepdims=False):
    if is_exact(x):
        return reduce(lambda row: sum(row, mp.mpf(0)), x, axes, keepdims)
    return reduce(lambda row: sum(int(v) for v in row), x, axes, keepdims).astype(np.int64)


def max_(x, axes=None, keepdims=False):
    out = reduce(_max, x, axes, keepdims)
    return out if is_exact(x) else out.astype(x.dtype)


def min_(x, axes=None, keepdims=False):
    out = reduce(_min, x, axes, keepdims)
    return out if is_exact(x) else out.astype(x.dtype)


def prod(x, axes=None, keepdims=False):
    if is_exact(x):
        return reduce(_prod, x, axes, keepdims)
    return reduce(lambda row: math.prod(int(v) for v in row), x, axes, keepdims).astype(np.int64)


def mean(x, axes=None, keepdims=False):
    return reduce(_mean, x if is_exact(x) else exact(x), axes, keepdims)


def var(x, axes=None, keepdims=False, correction=0):
    return reduce(lambda row: _variance(row, correction), x, axes, keepdims)


def std(x, axes=None, keepdims=False, correction=0):
    return sqrt(var(x, axes, keepdims, correction))


def logsumexp(x, axes=None, keepdims=False):
    return reduce(_logsumexp, x, axes, keepdims)


def squared_l2_norm(x):
    return sum_(square(x))


def norm(x, axes=None, keepdims=False):
    return sqrt(sum_(square(x), axes, keepdims))


def _first(row, better):
    """Index of the first NaN, else of the first of the best."""
    best = 0
    for i, v in enumerate(row):
        if isnan(v):
            return i
        if better(v, row[best]):
            best = i
    return best


def argmax(x, axis=None, keepdims=False):
    return reduce(lambda row: _first(row, lambda a, b: a > b), x, axis, keepdims).astype(np.int64)


def argmin(x, axis=None, keepdims=False):
    return reduce(lambda row: _first(row, lambda a, b: a < b), x, axis, keepdims).astype(np.int64)


def any_(x, axes=None, keepdims=False):
    return reduce(lambda row: any(bool(v) for v in row), x, axes, keepdims).astype(np.bool_)


def all_(x, axes=None, keepdims=False):
    return reduce(lambda row: all(bool(v) for v in row), x, axes, keepdims).astype(np.bool_)


def reduce_as(x, like):
    """x summed to the shape of like, which broadcasts to that of x."""
    extra = x.ndim - like.ndim
    axes = [a for a in range(x.ndim) if a < extra or (like.shape[a - extra] == 1 and x.shape[a] != 1)]
    return sum_(x, axes).reshape(like.shape) if axes else x


# Moving data ---------------------------------------------------------------------------------------------


def slice_(x, start, step, extent):
    """extent elements from start by step, on each axis; start counts from the beginning."""
    for axis in range(x.ndim):
        places = [start[axis] + i * step[axis] for i in range(extent[axis])]
        x = np.take(x, np.array(places, dtype=np.int64), axis)
    return x


def pad(x, low, high, value=0.0):
    out = np.empty([l + n + h for l, n, h in zip(low, x.shape, high)], dtype=object)
    out[...] = mp.mpf(value)
    out[tuple(slice(l, l + n) for l, n in zip(low, x.shape))] = x
    return out


def concat(*arrays, axis=0):
    return np.concatenate(arrays, axis)


def stack(*arrays, axis=0):
    return np.stack(arrays, axis)


def wrapped(index, extent):
    assert all(-extent <= i < extent for i in index.flat)
    return np.where(index < 0, index + extent, index)


def take_along_axis(x, index, axis):
    """out[i, j, k] = x[i, index[i, j, k], k] for axis 1; the other extents are equal."""
    return np.take_along_axis(x, wrapped(index, x.shape[axis]), axis)


def gather(x, index, axis=0):
    """x at the places index of the axis, which is replaced by the axes of index."""
    return np.take(x, wrapped(index, x.shape[axis]), axis)


def scatter_add(x, index, updates, axis):
    """x with updates[i, j, k] added at [i, index[i, j, k], k] for axis 1."""
    out = x.copy()
    index = wrapped(index, x.shape[axis])
    for i in np.ndindex(*index.shape):
        place = i[:axis] + (index[i],) + i[axis + 1 :]
        out[place] = out[place] + updates[i]
    return out


def index_add(x, index, updates, axis=0):
    """x with the i-th slice of updates along the axis added to slice index[i] of x."""
    out = np.moveaxis(x.copy(), axis, 0)
    for i, place in enumerate(wrapped(index, x.shape[axis])):
        out[place] = out[place] + np.moveaxis(updates, axis, 0)[i]
    return np.moveaxis(out, 0, axis)


def one_hot(index, classes):
    """Float rows with a single 1; an index outside the classes is not allowed."""
    return (index[..., None] == np.arange(classes)).astype(np.float64)


def embedding(index, table):
    return gather(table, index, 0)


def matmul(a, b):
    row, column = a.ndim == 1, b.ndim == 1
    a, b = a[None, :] if row else a, b[:, None] if column else b
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    a, b = np.broadcast_to(a, batch + (m, k)), np.broadcast_to(b, batch + (k, n))
    out = np.empty(batch + (m, n), dtype=object)
    for i in np.ndindex(*batch, m, n):
        out[i] = sum((a[i[:-2] + (i[-2], p)] * b[i[:-2] + (p, i[-1])] for p in range(k)), mp.mpf(0))
    if row:
        out = out[..., 0, :]
    return out[..., 0] if column else out


# Normalisation -------------------------------------------------------------------------------------------


def softmax(x, axis=-1):
    e = exp(x - max_(x, axis, True))
    return np.asarray(e / sum_(e, axis, True), dtype=object)


def log_softmax(x, axis=-1):
    return np.asarray(x - logsumexp(x, axis, True), dtype=object)


def layer_norm(x, scale=None, bias=None, axes=(-1,), epsilon=1e-5):
    """y, mean, variance; the two last without the normalised axes. scale and bias have the shape of those."""
    m, v = mean(x, axes, True), var(x, axes, True)
    y = (x - m) / sqrt(v + mp.mpf(epsilon))
    y = y if scale is None else y * scale
    y = y if bias is None else y + bias
    return np.asarray(y, dtype=object), mean(x, axes), var(x, axes)


def rms_norm(x, scale=None, axes=(-1,), epsilon=1e-6):
    y = x / sqrt(mean(square(x), axes, True) + mp.mpf(epsilon))
    return np.asarray(y if scale is None else y * scale, dtype=object)


def batch_norm(x, scale, bias, running_mean, running_var, training=True, momentum=0.1, epsilon=1e-5):
    """y, running mean, running variance; then, in training, the mean and the biased variance of the batch.
    Axis 1 has the channels. new = (1 - momentum) * old + momentum * batch, with the unbiased variance."""
    axes = [a for a in range(x.ndim) if a != 1]
    wide = [-1 if a == 1 else 1 for a in range(x.ndim)]
    m, v = (mean(x, axes), var(x, axes)) if training else (running_mean, running_var)
    y = (x - m.reshape(wide)) / sqrt(v.reshape(wide) + mp.mpf(epsilon)) * scale.reshape(wide) + bias.reshape(wide)
    if not training:
        return y
    k = mp.mpf(momentum)
    new_mean = (1 - k) * running_mean + k * m
    new_var = (1 - k) * running_var + k * var(x, axes, correction=1)
    return y, new_mean, new_var, m, v


# Losses and optimisers -----------------------------------------------------------------------------------


def reduced(x, reduction):
    return {"none": lambda x: x, "sum": sum_, "mean": mean}[reduction](np.asarray(x, dtype=object))


def cross_entropy(logits, labels, reduction="mean"):
    """-log_softmax(logits)[label]; the classes are the last axis, labels are integers."""
    picked = np.take_along_axis(log_softmax(logits), wrapped(labels, logits.shape[-1])[..., None], -1)
    return reduced(-picked[..., 0], reduction)


def soft_cross_entropy(logits, target, reduction="mean"):
    """-sum(target * log_softmax(logits)) over the last axis; a target of 0 contributes 0."""
    logs = log_softmax(logits)
    terms = elementwise(lambda t, l: -t * l if t != 0 else mp.mpf(0))(target, logs)
    return reduced(sum_(terms, -1), reduction)


def bce_with_logits(x, target, reduction="mean"):
    return reduced(softplus(x) - x * target, reduction)


def mse_loss(x, y, reduction="mean"):
    return reduced((x - y) * (x - y), reduction)


def sgd(parameter, gradient, velocity=None, learning_rate=0.01, momentum=0.0):
    """velocity = momentum * velocity + gradient; parameter -= learning_rate * velocity (PyTorch's form)."""
    rate = mp.mpf(learning_rate)
    if velocity is None:
        return parameter - rate * gradient
    velocity = mp.mpf(momentum) * velocity + gradient
    return parameter - rate * velocity, velocity


def adam(parameter, gradient, m, v, t, learning_rate=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """Kingma and Ba 2015, algorithm 1; t is the number of this step, 1 for the first. epsilon is added to the
    root of the corrected second moment."""
    b1, b2 = mp.mpf(beta1), mp.mpf(beta2)
    t = int(np.asarray(t).item())
    m = b1 * m + (1 - b1) * gradient
    v = b2 * v + (1 - b2) * gradient * gradient
    root = sqrt(v / (1 - b2**t))
    new = parameter - mp.mpf(learning_rate) * (m / (1 - b1**t)) / (root + mp.mpf(epsilon))
    return np.asarray(new, dtype=object), m, v
