// small_call: calls of small programs whose extents are all known, without any work but that of their kernels.
#pragma once

#include <primal/expr/interface.hpp>
#include <primal/runtime/arrangement.hpp>
#include <primal/runtime/array_ref.hpp>
#include <primal/runtime/fixed_products.hpp>
#include <primal/runtime/flat_arrays.hpp>
#include <primal/runtime/index_uses.hpp>

namespace primal {

/// A call on dense arrays that lie apart: everything but where they begin is a constant, steps follow each other
/// without a table, and temporaries lie on the stack. Other calls are those of model_call.
template <class Source, class Backend> class small_call {
  using plan = plan_of<Source, Backend::has_epilogues>;
  using numbers = plan_table<plan>;
  using products = fixed_products<plan, Backend::multiplies_fixed>;
  using arrangement = primal::arrangement<plan, Backend>;
  using inputs = inputs_of<stage<Source>>;
  using outputs = outputs_of<stage<Source>>;
  template <int N> using below = std::make_integer_sequence<int, N>;
  static constexpr int most_steps = 8, most_arrays = 16;
  static constexpr std::size_t most_bytes = 4096;  // of the stack

  using extents = plan_extents<plan>;
  /// (A template, so that it exists only where all extents are known.)
  template <class Extents> struct constants {
    static constexpr arrangement value{Extents()};
  };
  using arranged = constants<extents>;

  static constexpr std::size_t scratch() {
    std::size_t most = 0;
    for_each<numbers::kernels>([&]<int K>(std::integral_constant<int, K>) {
      using kernel = typename arrangement::template kernel_type<K>;
      const auto bytes =
          Backend::template small_scratch<kernel>(arranged::value.template kernel<K>().a);
      if (bytes > most) most = bytes;
    });
    return most;
  }
  template <int N, class F> static constexpr void for_each(const F& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (f(std::integral_constant<int, I>{}), ...);
    }(below<N>{});
  }
  template <class Arrays> static constexpr bool are_known() {
    for (const auto& type : Arrays::types)
      for (auto e : type.dims)
        if (!is_number(e)) return false;
    return true;
  }
  static constexpr bool decide() {
    if constexpr (extents::count > 0 || !are_known<inputs>() || !are_known<outputs>() ||
                  !Backend::multiplies_fixed || index_check<Source>::any ||
                  numbers::steps > most_steps || inputs::count + outputs::count > most_arrays) {
      return false;
    } else {
      bool small = true;
      for (int m = 0; m < numbers::matmuls; ++m) small = small && products::has(m);
      for_each<numbers::kernels>([&]<int K>(std::integral_constant<int, K>) {
        using kernel = typename arrangement::template kernel_type<K>;
        small = small && Backend::template is_small<kernel>(arranged::value.template kernel<K>().a,
                                                            typename numbers::kernel(K).serial());
      });
      return small && arranged::value.size + scratch() <= most_bytes;
    }
  }

 public:
  /// Are all calls of the program so small?
  static constexpr bool possible = decide();

  using input_places = array_places<inputs::count>;
  using output_places = array_places<outputs::count>;

  /// Do arrays have the extents of the program, and are they dense? `Inputs`, `Outputs`: tuples of trees of arrays.
  template <class Inputs, class Outputs> static consteval bool always_fit() {
    return primal::always_fit(std::type_identity<Inputs>{}, inputs::types) &&
           primal::always_fit(std::type_identity<Outputs>{}, outputs::types);
  }
  /// The same, of the arrays of a call.
  static PRIMAL_HOST_INLINE bool inputs_fit(const array_ref* in) {
    return all_fit<inputs>(in, below<inputs::count>{});
  }
  static PRIMAL_HOST_INLINE bool outputs_fit(const array_ref* out) {
    return all_fit<outputs>(out, below<outputs::count>{});
  }
  /// Does no output share memory with another array?
  static PRIMAL_HOST_INLINE bool apart(const input_places& in, const output_places& out) {
    return all_apart(in, out, below<outputs::count>{});
  }
  static const std::int64_t* result_extents(int i) {
    return outputs::types[static_cast<std::size_t>(i)].dims.begin();
  }

  /// Runs a call with arrays that fit and lie apart.
  static PRIMAL_HOST_INLINE void run(const input_places& in, const output_places& out) {
    constexpr std::size_t bytes = arranged::value.size + scratch();
    alignas(workspace_alignment) std::byte block[bytes > 0 ? bytes : 1];
    [&]<int... S>(std::integer_sequence<int, S...>) {
      (run_step<S>(in, out, block), ...);
    }(below<numbers::steps>{});
  }

 private:
  // ---- the arrays ---------------------------------------------------------------------------

  template <class Arrays, int... I>
  static PRIMAL_HOST_INLINE bool all_fit(const array_ref* arrays,
                                         std::integer_sequence<int, I...>) {
    return (fits_type<Arrays, I>(arrays[I], below<Arrays::types[I].rank()>{}) && ...);
  }
  template <class Arrays, int I, int... Axis>
  static PRIMAL_HOST_INLINE bool fits_type([[maybe_unused]] const array_ref& a,
                                           std::integer_sequence<int, Axis...>) {
    return ((a.extents[Axis] == Arrays::types[I].dims[Axis] &&
             (Arrays::types[I].dims[Axis] == 1 || a.strides[Axis] == stride<Arrays, I>(Axis))) &&
            ...);
  }
  template <class Arrays, int I> static consteval std::int64_t stride(int axis) {
    const auto& dims = Arrays::types[I].dims;
    std::int64_t n = 1;
    for (int i = axis + 1; i < dims.size(); ++i) n *= dims[i];
    return n;
  }
  template <class Arrays, int I> static constexpr std::size_t bytes_of() {
    const auto& type = Arrays::types[I];
    return static_cast<std::size_t>(stride<Arrays, I>(-1) * size_of(type.dtype));
  }

  template <int... O>
  static PRIMAL_HOST_INLINE bool all_apart(const input_places& in, const output_places& out,
                                           std::integer_sequence<int, O...>) {
    return ((is_apart_from<O, inputs>(out, in, below<inputs::count>{}) &&
             is_apart_from<O, outputs>(out, out, below<O>{})) &&
            ...);
  }
  template <int O, class Arrays, class Others, int... I>
  static PRIMAL_HOST_INLINE bool is_apart_from(const output_places& out,
                                               [[maybe_unused]] const Others& others,
                                               std::integer_sequence<int, I...>) {
    [[maybe_unused]] const auto* own = out[O];
    [[maybe_unused]] const auto apart =
        [&]<int K>(std::integral_constant<int, K>) PRIMAL_LAMBDA_INLINE {
          const auto* other = others[K];
          return own + bytes_of<outputs, O>() <= other || other + bytes_of<Arrays, K>() <= own;
        };
    return (apart(std::integral_constant<int, I>{}) && ...);
  }

  // ---- the steps ----------------------------------------------------------------------------

  template <int B>
  static PRIMAL_HOST_INLINE std::byte* begin_of(const input_places& in, const output_places& out,
                                                std::byte* block) {
    constexpr int port = numbers::port(B);
    if constexpr (numbers::lies(B, storage::output)) return out[port];
    else if constexpr (numbers::lies(B, storage::input)) return in[port];
    else if constexpr (port < 0) return nullptr;
    else return block + arranged::value.begin[port];
  }
  static constexpr int buffer_of(int kernel, int access) {
    return static_cast<int>(
        typename numbers::kernel(kernel).access(access, plan_layout::access_buffer));
  }
  template <int S>
  static PRIMAL_HOST_INLINE void run_step(const input_places& in, const output_places& out,
                                          std::byte* block) {
    constexpr int i = numbers::index_of(S);
    if constexpr (numbers::kind_of(S) == step_kind::kernel) {
      const auto& call = arranged::value.template kernel<i>();
      auto a = call.a;
      [&]<int... K>(std::integer_sequence<int, K...>) {
        ((a.base[K] = begin_of<buffer_of(i, K)>(in, out, block) + call.offsets[K]), ...);
      }(below<typename numbers::kernel(i).accesses()>{});
      a.buffers = block + arranged::value.size;
      Backend::template run_small<typename arrangement::template kernel_type<i>>(a);
    } else if constexpr (numbers::kind_of(S) == step_kind::matmul) {
      const auto array = [&]<int Column>(std::integral_constant<int, Column>) PRIMAL_LAMBDA_INLINE {
        return begin_of<static_cast<int>(numbers::matmul(i, Column))>(in, out, block);
      };
      products::template multiply<i>(array(std::integral_constant<int, plan_layout::matmul_a>{}),
                                     array(std::integral_constant<int, plan_layout::matmul_b>{}),
                                     array(std::integral_constant<int, plan_layout::matmul_c>{}));
    } else {
      constexpr int b = static_cast<int>(numbers::fill(i, plan_layout::fill_buffer));
      Backend::fill(begin_of<b>(in, out, block),
                    static_cast<dtype>(numbers::buffer(b, plan_layout::buffer_type)),
                    numbers::fill(i, plan_layout::fill_bits),
                    numbers::buffer(b, plan_layout::buffer_size));
    }
  }
};

}  // namespace primal
