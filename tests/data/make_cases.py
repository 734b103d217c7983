#!/usr/bin/env python3
"""Writes conventions.txt and cases.txt beside this file.

    python3 -m pip install numpy mpmath
    python3 make_cases.py

conventions.txt: what this library wants where a function has no derivative, where a formula divides 0 by 0, and
the like; most values follow from the text of a convention, so they are written out here by hand.
cases.txt: inputs that broke other libraries, as told in their public bug reports, with the right values. The
notes name the report. Values are computed exactly as in make_operators.py, or by hand where that is impossible.

The attribute model says what is computed from the inputs a, b, ... where it is more than one operator.
"""
from pathlib import Path

import definitions as d
import mpmath as mp
import numpy as np
from make_operators import INF, NAN, f32_exact, f64, ints, rounded, scalar
from reference import draws, exact, family, typed

# fmt: off
# One case a line, as far as it fits.

HERE = Path(__file__).resolve().parent


def conventions():
    out = family("conventions", "What holds at kinks, at 0 / 0 and for empty arrays.")

    def at(name, inputs, outputs, cotangents, grads, attrs=None, note=None):
        out.known(name, inputs, outputs, attrs, [cotangents], grads, note)

    at("abs/zero", [f64(-1.5, 0, -0.0, 2)], f64(1.5, 0, 0, 2), f64(3, 5, 7, 2), [f64(-3, 0, 0, 2)], note="0 (JAX: 1)")
    at("relu/zero", [f64(-1, 0, -0.0, 2)], f64(0, 0, 0, 2), f64(3, 5, 7, 2), [f64(0, 0, 0, 2)], note="0")
    at("relu6/bounds", [f64(-1, 0, 3, 6, 7)], f64(0, 0, 3, 6, 6), f64(3, 5, 7, 2, 4), [f64(0, 0, 7, 0, 0)],
            note="0 at both bounds")
    at("hardtanh/bounds", [f64(-2, -1, 0.5, 1, 2)], f64(-1, -1, 0.5, 1, 1), f64(3, 5, 7, 2, 4), [f64(0, 0, 7, 0, 0)],
            note="0 at both bounds")
    at("hardswish/bounds", [f64(-4, -3, 0, 3, 4)], f64(0, 0, 0, 3, 4), f64(3, 5, 7, 2, 4), [f64(0, 0, 3.5, 2, 4)],
            note="follows from relu6: 0 at -3, 1 at 3")
    at("leaky_relu/zero", [f64(-1, 0, 2)], f64(-0.25, 0, 2), f64(4, 8, 3), [f64(1, 2, 3)], {"negative_slope": 0.25},
            "the slope of the left side, as PyTorch (JAX: 1)")
    at("elu/zero", [f64(0, 1)], f64(0, 1), f64(4, 3), [f64(2, 3)], {"alpha": 0.5}, "alpha, the slope of the left side")
    for name, y in (("maximum", f64(1, 5, 3)), ("minimum", f64(1, 2, 0))):
        larger = name == "maximum"
        at(f"{name}/tie", [f64(1, 2, 3), f64(1, 5, 0)], y, f64(4, 6, 8),
                [f64(2, 0, 8) if larger else f64(2, 6, 0), f64(2, 6, 0) if larger else f64(2, 0, 8)], note="half each")
        at(f"{name}/itself", [f64(1, 2)], f64(1, 2), f64(3, 5), [f64(3, 5)], {"model": f"{name}(a, a)"},
                "the halves add up")
        at(f"{name}/zeros_of_both_signs", [f64(0.0), f64(-0.0)], f64(0), f64(4), [f64(2), f64(2)])
    third, x = 1 / 3, np.array([[1.0, 4, 4, 4], [2, 2, 0, 1]])
    at("max/tie", [x], f64(4, 2), f64(3, 5), [np.array([[0, 1, 1, 1], [2.5, 2.5, 0, 0]])], {"axes": [1]},
            "1/n each; the pieces sum to the cotangent")
    at("max/tie_all", [x], scalar(4.0), scalar(2.0), [np.array([[0, 2 * third, 2 * third, 2 * third], [0, 0, 0, 0]])])
    at("max/tie_outer", [np.ones((4, 3))], f64(1, 1, 1), f64(1, 2, 4), [np.tile(f64(0.25, 0.5, 1), (4, 1))],
            {"axes": [0]})
    at("min/tie", [-x], f64(-4, -2), f64(3, 5), [np.array([[0, 1, 1, 1], [2.5, 2.5, 0, 0]])], {"axes": [1]})
    at("max/tie_at_minus_infinity", [f64(-INF, -INF)], scalar(-INF), scalar(4.0), [f64(2, 2)])
    at("clip/bounds", [f64(-2, -1, 0, 1, 2)], f64(-1, -1, 0, 1, 1), f64(3, 5, 7, 2, 4), [f64(0, 5, 7, 2, 0)],
            {"min": -1.0, "max": 1.0}, "1 at a bound (PyTorch 2.15: 0)")
    at("clip/minimum_only", [f64(-2, 0, 2)], f64(0, 0, 2), f64(3, 5, 7), [f64(0, 5, 7)], {"min": 0.0})
    at("maximum/with_zero", [f64(0, 1)], f64(0, 1), f64(4, 3), [f64(2, 3)], {"model": "maximum(a, 0)"},
            "unlike relu(a) and clip(a, min 0)")
    at("sqrt/zero", [f64(0, 0, 4)], f64(0, 0, 2), f64(2, -1, 4), [f64(INF, -INF, 1)])
    at("rsqrt/zero", [f64(0, 4)], f64(INF, 0.5), f64(2, 16), [f64(-INF, -1)])
    at("norm/zero", [np.array([[0.0, 0, 0], [1, 2, 2]])], f64(0, 3), f64(5, 3), [np.array([[0.0, 0, 0], [1, 2, 2]])],
            {"axes": [1]}, "0 (JAX: NaN)")
    at("std/constant", [np.array([[2.0, 2, 2], [1, 1, 1]])], f64(0, 0), f64(5, 3), [np.zeros((2, 3))], {"axes": [1]},
            "0 (JAX: NaN)")
    at("std/constant_all", [f64(3, 3)], scalar(0.0), scalar(2.0), [f64(0, 0)], {"correction": 1})
    at("pow/zero_base", [f64(0, 0, 0, 0), f64(2, 1, 0.5, 0)], f64(0, 0, 0, 1), f64(3, 5, 2, 7),
            [f64(0, 5, INF, 0), f64(0, 0, 0, 0)])
    at("pow/zero_exponent", [f64(3, -2, 0), f64(0, 0, 0)], f64(1, 1, 1), f64(3, 5, 2), {0: f64(0, 0, 0)},
            note="0 for every base")
    at("where/dead_branches", [np.array([True, False]), f64(1, INF), f64(NAN, 2)], f64(1, 2), f64(3, 5),
            {1: f64(3, 0), 2: f64(0, 5)})
    at("prod/one_zero", [f64(2, 0, 4)], scalar(0.0), scalar(3.0), [f64(0, 24, 0)])
    at("prod/two_zeros", [f64(2, 0, 0, 4)], scalar(0.0), scalar(3.0), [f64(0, 0, 0, 0)])
    at("prod/rows", [np.array([[2.0, 0, 3], [1, 4, 5], [0, 0, 1]])], f64(0, 20, 0), f64(1, 2, 3),
            [np.array([[0.0, 6, 0], [40, 10, 8], [0, 0, 0]])], {"axes": [1]})
    out.known("prod/second_order", [f64(2, 0, 4), f64(1, 2, 3)], f64(8, 10, 4),
            {"model": "the Hessian of prod at a, times b"})
    out.known("prod/second_order_two_zeros", [f64(0, 0, 5), f64(1, 2, 3)], f64(10, 5, 0),
            {"model": "the Hessian of prod at a, times b"})
    at("logsumexp/minus_infinities", [np.array([[-INF, -INF], [0, -INF]])], f64(-INF, 0), f64(3, 5),
            [np.array([[0.0, 0], [5, 0]])], {"axes": [1]}, "gradient 0 (PyTorch, JAX: NaN)")
    out.known("softmax/minus_infinities", [f64(-INF, -INF)], f64(NAN, NAN))
    at("safe_softmax/minus_infinities", [np.array([[-INF, -INF], [0, -INF]])], np.array([[0.0, 0], [1, 0]]),
            np.array([[3.0, 5], [2, 4]]), [np.zeros((2, 2))], note="rows without a finite element give 0")
    out.known("relu/nan", [f64(NAN, 1)], f64(NAN, 1))
    out.known("relu6/nan", [f64(NAN, 1)], f64(NAN, 1))
    out.known("clip/nan", [f64(NAN, 9)], f64(NAN, 1), {"min": 0.0, "max": 1.0})
    out.known("sort/nan", [f64(3, NAN, -INF, 1, NAN, INF)], f64(-INF, 1, 3, INF, NAN, NAN), note="NaN last, as NumPy")
    out.known("var/large_mean", [typed("f32", [40000.0, 40001, 40002, 40003])], typed("f32", scalar(1.25)),
            note="never E[x^2] - E[x]^2")
    out.known("sum/uint8_in_64_bits", [ints(np.ones(1000), np.uint8)], scalar(1000, np.int64))
    out.known("gather/negative_index", [f64(1, 2, 3), ints([-1, -3])], f64(3, 1), {"axis": 0}, [f64(5, 7)],
            {0: f64(7, 0, 5)})
    out.known("scatter_add/negative_duplicates", [f64(1, 2, 3), ints([-1, 2, 0]), f64(10, 20, 30)], f64(31, 2, 33),
            {"axis": 0}, [f64(5, 7, 9)], {0: f64(5, 7, 9), 2: f64(9, 9, 5)})
    out.known("scatter/duplicates", [f64(1, 2, 3), ints([1, 1, 0]), f64(10, 20, 30)], f64(30, 20, 3), {"axis": 0},
            note="the last one wins")
    return out


def second_order_batch_norm():
    """f(t) and its three derivatives by t, for the model in the case's attribute."""

    def f(t):
        i = np.arange(8)
        x = np.array([(k + 1) * t + ((k % 3) - 1) * t * t + k for k in map(int, i)], dtype=object).reshape(2, 2, 2)
        y = d.batch_norm(x, exact(f64(1.5, -0.5)), exact(f64(0.25, 1)), exact(f64(0, 0)), exact(f64(1, 1)),
                epsilon=0.25)[0]
        return sum(v * (k + 1) for k, v in enumerate(y.flat))

    values = [mp.diff(f, mp.mpf(-6), n, h=mp.mpf(10) ** -12) if n else f(mp.mpf(-6)) for n in range(4)]
    stated = [36.168777566306485, -0.44963206471575355, -0.20703015646993196, -0.12088220653249108]
    assert all(abs(v - s) < 1e-14 for v, s in zip(values, stated)), values
    return [scalar(float(v)) for v in values]


def cases():
    out = family("cases", "Inputs that broke other libraries, with the right values.")

    def at(name, inputs, outputs, cotangents, grads, note, attrs=None):
        out.known(name, inputs, outputs, attrs, [cotangents], grads, note)

    e = float(mp.e)
    ln2 = float(mp.log(2))
    at("where/dead_sqrt", [f64(16, 0)], f64(5, 0), f64(1, 1), [f64(0.125, 0.5)], "pytorch#36923, #23395",
            {"model": "where(a == 0, a / 2, sqrt(a) + 1)"})
    at("where/dead_exp", [scalar(100.0)], scalar(101.0), scalar(1.0), [scalar(1.0)],
            "pytorch#68425 (f32: exp(100) overflows)", {"model": "where(a <= 0, exp(a), 1 + a)"})
    at("where/dead_cos", [f64(0, INF)], f64(1, 0), f64(1, 1), [f64(-0.0, 0)], "pytorch#18287",
            {"model": "where(a < 1, cos(a), 0)"})
    at("where/dead_quotient", [f64(0, 1), f64(0, 2)], f64(0, 0.5), f64(1, 1), [f64(0, 0.5), f64(0, -0.25)],
            "pytorch#16317", {"model": "where(b == 0, 0, a / b)"})
    at("where/dead_exp_nan", [f64(1, NAN, 1e10)], f64(e, 1, 1), f64(1, 1, 1), [f64(e, 0, 0)], "pytorch#156212",
            {"model": "where(a <= 10, exp(a), 1)"})
    at("where/dead_infinity", [scalar(2.0), scalar(3.0)], scalar(3.0), scalar(5.0), [scalar(0.0), scalar(5.0)],
            "pytorch#52248", {"model": "where(false, a / 0, b)"})

    logits, target = f64(-INF, 0, 1), f64(0, 0.25, 0.75)
    finite = exact(f64(0, 1))
    soft = d.soft_cross_entropy(finite, exact(target[1:]))
    slope = rounded(d.softmax(finite) - exact(target[1:]))
    at("cross_entropy/soft_minus_infinity", [logits, target], scalar(float(soft)), scalar(1.0), {0: f64(0, *slope)},
            "optax#896: a label of 0 at a logit of -inf contributes 0")
    at("cross_entropy/minus_infinity", [np.array([[-INF, 0.0]]), ints([1])], scalar(0.0), scalar(1.0),
            {0: np.zeros((1, 2))}, "optax#896", {"reduction": "mean"})
    out.known("softmax/minus_infinities", [f64(-INF, -INF, -INF)], f64(NAN, NAN, NAN),
            note="pytorch#25110; safe_softmax gives 0")
    at("safe_softmax/minus_infinities", [f64(-INF, -INF, -INF)], f64(0, 0, 0), f64(1, 2, 3), [f64(0, 0, 0)],
            "pytorch#131060")
    out.case("softmax/below_minus_1e4", d.softmax, [f64(-2e4, -2e4)], note="burn#4697")
    out.known("softmax/plus_infinity", [f64(INF, 0)], f64(NAN, NAN), note="tensorflow#10142")
    out.known("logsumexp/infinities", [np.array([[-INF, -INF], [INF, 0]])], f64(-INF, INF), {"axes": [1]},
            note="matrixStats#84")
    for x in (1e10, 1e50):
        at(f"logsumexp/at_{x:g}", [f64(x, x)], scalar(float(mp.mpf(x) + mp.log(2))), scalar(1.0), [f64(0.5, 0.5)],
                "stan-dev/math#1679: the pieces sum to exactly 1")
    at("logsumexp/f16_zeros", [typed("f16", np.zeros(65536))], typed("f16", scalar(11.09375)),
            typed("f16", scalar(1.0)), [typed("f16", np.full(65536, 2.0**-16))],
            "google-research/last#43: ln 65536 in f16")
    out.case("cross_entropy/far_apart", d.cross_entropy, [f64(-431, 279, 427), scalar(0, np.int64)], note="NNlib.jl#68",
            wrt=[])
    p = rounded(d.softmax(exact(f64(-431, 279, 427))))
    at("cross_entropy/far_apart_gradient", [f64(-431, 279, 427), scalar(0, np.int64)], scalar(858.0), scalar(1.0),
            {0: f64(-1, p[1], p[2])}, "NNlib.jl#68: the softmax is 0, 5.3e-65, 1")
    assert abs(p[1] - 5.3017187e-65) < 1e-72
    at("log_softmax/far_apart", [f64(0, -1000)], f64(0, -1000), f64(1, 2), [f64(-2, 2)], "dynet#218")
    out.known("softmax/f16_sum", [typed("f16", np.zeros(4096))], typed("f16", np.full(4096, 2.0**-12)),
            note="mxnet#14072: a sum in f16 stops at 2048")

    steps = np.array([[40000.0, 40001, 40002, 40003], [80000, 80001, 80002, 80003]])
    out.case("layer_norm/large_mean", d.layer_norm, [steps], {"epsilon": 1e-5}, cotangents_of=[0],
            note="onnxruntime#28463; exact in f32")
    y = d.layer_norm(exact(steps))[0]
    assert np.allclose(rounded(y[0]), [-1.341635420, -0.447211807, 0.447211807, 1.341635420], atol=1e-9)
    ramp = np.array([f32_exact([m + 0.001 * i for i in range(16)]) for m in (0, 100, 1000, 10000)])
    y, m, v = d.layer_norm(exact(ramp))
    assert np.allclose([float(t) for t in y[:, 0]], [-1.341640795, -1.341527711, -1.341507762, -1.331333352], atol=1e-9)
    out.known("layer_norm/ramps", [typed("f32", ramp)], (typed("f32", y), typed("f32", m), typed("f32", v)),
            {"epsilon": 1e-5}, note="burn#5607: 0.001 i on 0, 100, 1000, 10000")
    x = draws("around 2000").floats((5, 4)) + 2000
    out.case("layer_norm/around_2000", d.layer_norm, [x], {"epsilon": 1e-5}, cotangents_of=[0],
            note="pytorch#51102; exact in f32")
    x = draws("bf16 channels").integers((4, 2, 4), -6, 7) / 32 + f64(5, -5)[:, None]
    out.case("batch_norm/bf16", d.batch_norm, [typed("bf16", exact(x)), f64(1, 1), f64(0, 0), f64(0, 0), f64(1, 1)],
            {"training": True}, wrt=[], note="tt-metal#45968: channels at 5 and -5, exact in bf16")
    out.case("layer_norm/zero_variance", d.layer_norm, [np.full((2, 3), 2.0), (3,), (3,)], {"epsilon": 1e-5},
            cotangents_of=[0], note="CNTK#3816: epsilon inside the root")
    at("layer_norm/one_element", [np.array([[1e6]]), f64(0.7), f64(3)], (np.array([[3.0]]), f64(1e6), f64(0)),
            np.array([[5.0]]), [np.array([[0.0]]), f64(0), f64(5)],
            "pytorch#188372: the output never depends on the scale")
    at("layer_norm/columns_of_one", [draws("column").floats((4, 1))], np.zeros((4, 1)),
            np.array([[1.0], [2], [3], [4]]), [np.zeros((4, 1))], "pytorch#108956")
    at("var/one_element_unbiased", [np.array([[2.0]])], scalar(NAN), scalar(1.0), [np.array([[NAN]])],
            "pytorch#94184: the gradient has the shape of the input", {"correction": 1})
    ladder = np.arange(1.0, 5)[:, None] + np.arange(4.0)
    x = np.stack([ladder, 2 * ladder + 1, -ladder], 1)
    assert abs(float(d.batch_norm(exact(x),
            *map(exact, (np.ones(3), np.zeros(3), np.zeros(3), np.ones(3))))[2][0]) - 1.166666667) < 1e-9
    out.case("batch_norm/ladder", d.batch_norm, [x, np.ones(3), np.zeros(3), np.zeros(3), np.ones(3)],
            {"training": True, "momentum": 0.1}, wrt=[0, 1, 2], cotangents_of=[0],
             note="pytorch#60528: biased for the output, unbiased for the running variance")
    nothing, five = np.zeros((0, 5, 9)), [np.arange(5.0) + k for k in range(4)]
    out.known("batch_norm/no_samples", [nothing, *five], (nothing, five[2], five[3]), {"training": True}, [nothing],
            [nothing, np.zeros(5), np.zeros(5)], "pytorch#12013: statistics untouched")
    out.known("batch_norm/three_derivatives", [scalar(-6.0)], tuple(second_order_batch_norm()),
              {"model": "x[i] = (i+1)*a + ((i mod 3)-1)*a*a + i, i = 0..7, as [2,2,2]; sum(batch_norm(x, [1.5,-0.5], [0.25,1], "
                        "epsilon 0.25, training) * [1..8]); out: value and three derivatives by a"},
              note="pytorch#196699")
    out.case("rms_norm/f16_squares", d.rms_norm, [typed("f16", exact(f64(300, 400)))], {"epsilon": 1e-6}, wrt=[],
            note="torch-mlir#4683: the squares do not fit f16")
    out.case("layer_norm/sum_is_constant", lambda x: d.sum_(d.layer_norm(x)[0]), [(2, 5)], {},
            note="pytorch#63541: 0 is right, and makes sum a useless loss in tests")

    x = f64(-14, -13, -12, -11, -10, 10, 11, 12, 13, 14)
    out.case("gelu/tanh_saturated", d.gelu, [x], {"approximate": "tanh"}, note="pytorch#186286")
    for form in ("none", "tanh"):
        kinks = f64(-1e20, 1e20)
        at(f"gelu/far_{form}", [kinks], f64(0, 1e20), f64(3, 5), [f64(0, 5)],
                "AiDotNet.Tensors#355: in f32 the square overflows", {"approximate": form})
        out.known(f"gelu/infinities_{form}", [f64(INF, -INF)], f64(INF, 0), {"approximate": form},
                note="pytorch#185770")
        x = f64(-1, 0, 1, -4)
        name = f"gelu/slopes_{form}"
        stated = {"none": [-0.0833154705877, 0.5, 1.08331547059, -5.03649661226e-4],
                "tanh": [-0.0829640838458, 0.5, 1.08296408385, -3.35123197123e-4]}[form]
        slopes = [mp.diff(lambda t: d.gelu(np.array(t, dtype=object), form).item(), v) for v in (-1, 0, 1, -4)]
        assert np.allclose([float(s) for s in slopes], stated, rtol=1e-10)
        at(name, [x], d.gelu(exact(x), form), f64(1, 1, 1, 1), [f64(*map(float, slopes))], "the slopes themselves",
                {"approximate": form})
    out.case("softplus/large", d.softplus, [f64(20, 50, 100)], {"beta": 1.0}, note="burn#5373")
    out.case("softplus/large_beta", d.softplus, [f64(20, 50, 100)], {"beta": 5.0}, note="burn#5373")
    out.case("log_sigmoid/far", lambda x: -d.softplus(-x), [f64(-300, -1, 0, 1, 40)], note="pytorch#1835")
    x = f64(-100, -88.5, -40, 40, 88.5, 100)
    p, q = d.sigmoid(exact(x)), d.sigmoid(-exact(x))
    at("sigmoid/tails", [x], p, np.ones(6), [rounded(p * q)], "snntorch#433: s(x) s(-x), not s (1 - s)")

    at("max/tie_of_four", [np.ones((4, 3))], np.ones(3), np.ones(3), [np.full((4, 3), 0.25)], "mxnet#18563",
            {"axes": [0]})
    at("max/tie_of_two", [f64(0.6, 0.6, 0.3)], scalar(0.6), scalar(1.0), [f64(0.5, 0.5, 0)], "mxnet#18563")
    at("relu/four_answers", [scalar(0.0)], scalar(0.0), scalar(1.0), [scalar(0.0)],
            "pytorch#184572: relu 0, maximum with 0 a half, clip 1")
    at("maximum/four_answers", [scalar(0.0)], scalar(0.0), scalar(1.0), [scalar(0.5)], "pytorch#184572",
            {"model": "maximum(a, 0)"})
    at("clip/four_answers", [scalar(0.0)], scalar(0.0), scalar(1.0), [scalar(1.0)], "pytorch#184572",
            {"min": 0.0, "max": 1.0})
    at("abs/zero", [f64(0, -0.0)], f64(0, 0), f64(1, 1), [f64(0, 0)], "jax#37820, autodiff#130")
    at("relu6/nan", [f64(NAN, 7)], f64(NAN, 6), f64(3, 5), [f64(0, 0)],
            "tt-metal#57374: the mask says inside, which NaN is not (PyTorch 2.15: the cotangent)")
    at("softplus/kinked_spelling", [scalar(0.0)], scalar(ln2), scalar(1.0), [scalar(0.5)],
            "jax#2140: right only if the choices at kinks compose", {"model": "maximum(a, 0) + log1p(exp(-abs(a)))"})
    for name, pair in (("left", (NAN, 1)), ("right", (1, NAN))):
        out.known(f"maximum/nan_{name}", [scalar(pair[0], np.float64), scalar(pair[1], np.float64)], scalar(NAN),
                note="xsimd#1165")
        out.known(f"minimum/nan_{name}", [scalar(pair[0], np.float64), scalar(pair[1], np.float64)], scalar(NAN),
                note="xsimd#1165")
    for name in ("exp", "tanh", "sigmoid", "log", "erf", "relu", "gelu", "sin"):
        out.known(f"{name}/nan", [f64(NAN, 1)], np.array([NAN, float(getattr(d, name)(exact([1.0]))[0])]),
                note="operon#171: a clamp loses NaN")
    for place in (0, 2, 8):
        x = np.arange(1.0, 10)
        x[place] = NAN
        out.known(f"max/nan_at_{place}", [x], scalar(NAN), note="xtensor's amax depends on the place")
        out.known(f"min/nan_at_{place}", [x], scalar(NAN))

    at("pow/exponent_at_zero", [f64(0, 2), f64(1, 1)], f64(0, 2), f64(1, 1), [f64(1, 1), f64(0, 2 * ln2)],
            "pytorch#27134")
    at("pow/zero_base", [f64(0, 0, 0, 0), f64(2, 1, 0.5, 0)], f64(0, 0, 0, 1), f64(1, 1, 1, 1),
            [f64(0, 1, INF, 0), f64(0, 0, 0, 0)], "stan-dev/math#3031")
    at("pow/zero_base_negative_exponent", [scalar(0.0), scalar(-1.0)], scalar(INF), scalar(1.0),
            [scalar(-INF), scalar(-INF)], "as PyTorch")
    at("pow/constant_exponent", [scalar(-2.0)], scalar(4.0), scalar(1.0), [scalar(-4.0)],
            "tfjs#346: no logarithm of a negative number", {"model": "pow(a, 2)"})
    out.known("pow/negative_base", [f64(-1, -4), f64(1, 2)], f64(-1, 16), note="torch7#132")
    out.known("pow/zero_zero", [f64(0, NAN), f64(0, 0)], f64(1, 1), note="C99; xsimd 8.1: 0 and NaN")
    out.known("atan2/zeros", [f64(0, 0, -0.0, -0.0), f64(0, -0.0, 0, -0.0)], f64(0, float(mp.pi), -0.0, -float(mp.pi)),
            note="C99; xsimd 8.1: NaN")
    at("norm/zero_row", [np.array([[0.0, 0, 0], [1, 2, 2]])], f64(0, 3), f64(1, 1),
            [np.array([[0, 0, 0], [1 / 3, 2 / 3, 2 / 3]])], "pytorch#2421", {"axes": [1]})
    at("prod/zero_of_three", [f64(2, 0, 4)], scalar(0.0), scalar(1.0), [f64(0, 8, 0)], "pytorch#773")
    at("prod/zero_of_four", [f64(2, 0, 3, 4)], scalar(0.0), scalar(1.0), [f64(0, 24, 0, 0)], "pytorch#773")
    at("prod/one_element", [f64(0)], scalar(0.0), scalar(1.0), [f64(1)], "pytorch#82644: shape [1], not []",
            {"axes": [0]})
    for x, g in (([0], [1]), ([0, 2, 3], [9, 0, 0]), ([2, 3, 0], [4, 2, 6]), ([2, 0, 0, 3], [1, 2, 0, 0]),
            ([2, 0, 3, 4], [1, 32, 0, 0]), ([2, 3, 0, 0], [4, 2, 6, 0])):
        x = f64(*x)
        at("cumprod/" + "_".join(str(int(v)) for v in x), [x], np.cumprod(x), np.ones(len(x)), [f64(*g)],
                "tensorflow#3862", {"axis": 0})

    at("add/unbroadcast", [np.ones((3, 4)), np.ones((1, 4))], np.full((3, 4), 2.0), np.arange(12.0).reshape(3, 4),
            [np.arange(12.0).reshape(3, 4), np.array([[12.0, 15, 18, 21]])], "nd4j#2424")
    at("add/outer", [np.array([[1.0], [2]]), np.array([[10.0, 20, 30]])], np.array([[11.0, 21, 31], [12, 22, 32]]),
            np.array([[1.0, 2, 3], [4, 5, 6]]), [np.array([[6.0], [15]]), np.array([[5.0, 7, 9]])], "burn#181")
    at("multiply/scalar", [np.ones(2), scalar(3.0)], f64(3, 3), f64(1, 1), [f64(3, 3), scalar(2.0)],
            "rust-autograd#38: the gradient of the scalar has rank 0")
    out.known("maximum/one_with_zero", [np.ones(1), np.zeros(0)], np.zeros(0), note="rten#1369")
    out.known("sum/axis_minus_3", [np.ones((1, 2, 3))], np.ones((2, 3)), {"axes": [-3]}, note="Etaler#116")
    mask = ints([[1, 0, 1, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 0, 1, 1]], np.int32)
    out.known("sum/columns", [mask], mask.sum(0, keepdims=True).astype(np.int64), {"axes": [0], "keepdims": True},
            note="MatX#723")
    out.known("multiply/own_column", [f64(1, 2, 3)], np.outer(f64(1, 2, 3), f64(1, 2, 3)),
            {"model": "a * reshape(a, {3, 1})"}, note="xtensor#1345")
    for n in (1, 2):
        out.known(f"sum/leading_ones_{n}", [np.ones((n, 1, 2, 4))], np.ones((n, 1, 2, 4)),
                {"axes": [1], "keepdims": True}, note="xtensor#1558")
    out.known("sum/no_axes", [f64(1, 2)], f64(1, 2), {"axes": []}, note="xtensor#2400: no axes is the identity")
    out.known("max/no_rows", [np.zeros((0, 4))], np.zeros(0), {"axes": [1]},
            note="tensorflow#3510; max of (0, 3) over everything is an error")
    out.known("sum/f16_3000", [typed("f16", np.ones(3000))], typed("f16", scalar(3000.0)),
            note="numpy#15785: f16 alone stops at 2048")
    out.known("sum/f16_65520", [typed("f16", np.ones(65520))], typed("f16", scalar(INF)),
            note="65520 rounds to infinity in f16")
    out.known("mean/f16_65520", [typed("f16", np.ones(65520))], typed("f16", scalar(1.0)),
            note="divide before narrowing")
    out.known("mean/bf16_70000", [typed("bf16", np.ones(70000))], typed("bf16", scalar(1.0)), note="mlx#3909")
    out.known("sum/f32_twenty_million", [], typed("f32", scalar(20000000.0)), {"model": "sum(ones({20000000}))"},
            note="f32 one after the other stops at 16777216")
    out.known("sum/uint8_1000", [ints(np.ones(1000), np.uint8)], scalar(1000, np.int64), note="xtensor#429")

    out.case("log/shared_temporaries", lambda x: -x - 2 * d.log(1 + d.exp(-x)), [scalar(1.0)], {},
            note="autodiff#41: -a - 2 log(1 + exp(-a)), slope -0.46211715726001")
    out.known("exp/f32_end", [typed("f32", f32_exact([88.3768, 88.5, 88.72]))],
            typed("f32", d.exp(exact(f32_exact([88.3768, 88.5, 88.72])))),
            note="xsimd 8.1: inf from 88.3768; right from 88.7228")
    out.known("erf/f64_far", [f64(1e62, -1e62, 1e300)], f64(1, -1, 1), note="xsimd 8.1: NaN beyond 9.6e61")
    out.case("erfc/tail", lambda x: np.frompyfunc(mp.erfc, 1, 1)(x), [f64(1, 3, 5, 9, 20, 26)], {}, wrt=[],
            note="xsimd 8.1: useless in the tail")
    return out


def main():
    conventions().write(HERE)
    cases().write(HERE)


if __name__ == "__main__":
    main()
