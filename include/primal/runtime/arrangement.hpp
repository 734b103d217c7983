// arrangement: what follows from the extents of a call alone.
#pragma once

#include <primal/runtime/kernel_call.hpp>
#include <primal/runtime/packing.hpp>
#include <primal/runtime/workspace.hpp>

#include <utility>

namespace primal {

/// The arguments of all kernels of a plan, and the places of its temporaries in the workspace.
template <class Plan, class Backend> class arrangement {
  using numbers = plan_table<Plan>;
  using extents = plan_extents<Plan>;

 public:
  template <int K> using kernel_type = typename Plan::template kernel_type<K>::type;
  template <class Kernel> using call_of = kernel_call<Plan, arguments_of<Kernel>>;
  using all_kernels = std::make_integer_sequence<int, numbers::kernels>;

  std::size_t begin[numbers::temporaries + 1] = {};  // of the temporaries
  std::size_t size = 0;                              // of all of them

  constexpr explicit arrangement(const extents& e) : calls_(e) {
    packing<numbers::temporaries> workspace;
    if constexpr (numbers::temporaries > 0)
      for (int b = 0; b < numbers::buffers; ++b)
        if (numbers::lies(b, storage::workspace) && numbers::port(b) >= 0)
          workspace.set(numbers::port(b), bytes_of_buffer(b, e),
                        static_cast<int>(numbers::buffer(b, plan_layout::buffer_first_step)),
                        static_cast<int>(numbers::buffer(b, plan_layout::buffer_last_step)));
    size = workspace.place(begin);
  }

  template <int K> constexpr const call_of<kernel_type<K>>& kernel() const {
    return static_cast<const held<K>&>(calls_).call;
  }

 private:
  template <int K> struct held {
    call_of<kernel_type<K>> call;
  };
  template <class Numbers> struct held_calls;
  template <int... K> struct held_calls<std::integer_sequence<int, K...>> : held<K>... {
    constexpr explicit held_calls(const extents& e)
        : held<K>{{typename numbers::kernel(K), e, Backend::row_length}}... {}
  };
  held_calls<all_kernels> calls_;

  static constexpr std::size_t bytes_of_buffer(int b, const extents& e) {
    const auto bytes = e(numbers::buffer(b, plan_layout::buffer_size)) *
                       size_of(static_cast<dtype>(numbers::buffer(b, plan_layout::buffer_type)));
    return aligned_size(static_cast<std::size_t>(bytes));
  }
};

}  // namespace primal
