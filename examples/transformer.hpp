// transformer: blocks h = x + attention(norm(x)), then h + mlp(norm(h)), and the mean square of the
// distance to a target.
#pragma once

#if defined(__CUDACC__)
#include <primal/cuda.hpp>
#else
#include <primal/primal.hpp>
#endif

namespace transformer {

namespace pm = primal;

template <template <std::size_t> class A> struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (A<2>, w), (A<1>, b));
};
template <template <std::size_t> class A> struct normalization {
  BOOST_HANA_DEFINE_STRUCT(normalization, (A<1>, scale), (A<1>, bias));
};
template <template <std::size_t> class A> struct attention {
  BOOST_HANA_DEFINE_STRUCT(attention, (linear<A>, query), (linear<A>, key), (linear<A>, value),
                           (linear<A>, out));
};
template <template <std::size_t> class A> struct block {
  BOOST_HANA_DEFINE_STRUCT(block, (normalization<A>, first), (attention<A>, attend),
                           (normalization<A>, second), (linear<A>, up), (linear<A>, down));
};

inline constexpr int heads = 4;

inline constexpr auto apply = [](auto layer, auto x) { return pm::matmul(x, layer.w) + layer.b; };
inline constexpr auto normalize = [](auto layer, auto x) {
  return pm::layer_norm(x, layer.scale, layer.bias);
};
/// [batch, tokens, width] as [batch, heads, tokens, width / heads].
inline constexpr auto split_heads = [](auto x) {
  const auto parts = pm::reshape(x, {x.extent(0), x.extent(1), heads, x.extent(2) / heads});
  return pm::transpose(parts, {0, 2, 1, 3});
};
inline constexpr auto attend = [](auto layer, auto x) {
  const auto q = split_heads(apply(layer.query, x)), k = split_heads(apply(layer.key, x)),
             v = split_heads(apply(layer.value, x));
  const auto scores = pm::matmul(q, pm::transpose(k, {0, 1, 3, 2})) * 0.125;
  const auto mixed = pm::transpose(pm::matmul(pm::softmax(scores), v), {0, 2, 1, 3});
  return apply(layer.out, pm::reshape(mixed, x.shape()));
};
inline constexpr auto block_of = [](auto p, auto x) {
  const auto h = x + attend(p.attend, normalize(p.first, x));
  return h + apply(p.down, pm::gelu(apply(p.up, normalize(p.second, h))));
};
inline constexpr auto loss = [](auto blocks, auto x, auto target) {
  for (auto& p : blocks) x = block_of(p, x);
  return pm::mean(pm::square(x - target));
};

}  // namespace transformer
