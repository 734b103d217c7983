// emulated: runs a model as the CUDA back end does, on the CPU. For tests.
#pragma once

#include <primal/kernel/emulated_team.hpp>
#include <primal/runtime/cpu_backend.hpp>

#include <optional>
#include <vector>

namespace primal {

/// `pm::compile(f, pm::emulated<32, 4>{.order = pm::lane_order::backwards})`.
template <int Lanes, int Width> struct emulated {
  static constexpr int lanes = Lanes, width = Width;

  lane_order order = lane_order::forwards;
  std::optional<row_walk> walk =
      {};  // instead of the one that is chosen; `again` where there is no room for it
  block_limits limits{.enough_blocks = 8,
                      .least_columns = 64,
                      .block_memory = 2048,  // low, so that small arrays meet them
                      .most_lanes = Lanes};
};

template <int Lanes, int Width> class emulated_backend : public cpu_backend {
 public:
  static constexpr std::int64_t row_length = 256;
  static constexpr bool rows_have_one_thread = false;
  static constexpr bool multiplies_fixed = false;
  static constexpr bool has_epilogues = true;

  explicit emulated_backend(const emulated<Lanes, Width>& o)
      : cpu_backend(options{}), options_(o) {}

  template <class T> void run_products(const product_batch<T>& products, std::byte* scratch) const {
    cpu_backend::run_products(products, scratch);
    if (products.after == epilogue::empty) return;
    using scalar = typename product_batch<T>::scalar;
    const auto& p = products.first;
    for (std::int64_t i = 0; i < p.rows; ++i)
      for (std::int64_t j = 0; j < p.columns; ++j) {
        T& element = p.c[i * p.c_row + j];
        element = products.finished(static_cast<scalar>(element), j);
      }
  }
  template <class K, class Arguments>
  static std::size_t kernel_scratch(const Arguments&, bool,
                                    const std::int64_t (&)[Arguments::access_room]) {
    return 0;
  }
  template <class K, class Arguments>
  void run_kernel(const Arguments& a, bool, const std::int64_t (&)[Arguments::access_room],
                  std::byte*) {
    const auto row = needs_for<K>(a);
    const auto walk = !options_.walk ? walk_for(row, Width, options_.limits)
                      : can_walk(*options_.walk, row, Width, options_.limits) ? *options_.walk
                                                                              : row_walk::again;
    constexpr row_needs needs = needs_of<K>(1);
    if constexpr (needs.held > 0 && !needs.in_memory)
      if (walk == row_walk::registers) return run_walked<K, row_walk::registers>(a);
    if constexpr (needs.held > needs.planned)
      if (walk == row_walk::shared) return run_walked<K, row_walk::shared>(a);
    if constexpr (needs.splits)
      if (walk == row_walk::by_sweeps) return run_walked<K, row_walk::by_sweeps>(a);
    run_walked<K, row_walk::again>(a);
  }

 private:
  emulated<Lanes, Width> options_;

  template <class Original, row_walk Walk, class Arguments> void run_walked(const Arguments& a) {
    using K = walked<Original, Walk>;
    block_call<K> call(a, options_.limits, Walk);
    const auto blocks = call.grid.blocks();
    std::vector<std::max_align_t> scratch(units(call.scratch_bytes)),
        memory(units(call.block_bytes)), buffers(units(Lanes * call.buffer_bytes));
    call.scratch = bytes(scratch);
    for (auto* unwritten : {&scratch, &memory, &buffers}) poison(*unwritten);
    call.for_each_sum([&]<class A>(const block_sum& place, A) {
      auto* parts = reinterpret_cast<typename A::element*>(call.scratch + place.parts_at);
      if (place.fill_first)
        std::fill_n(parts, call.grid.parts * place.part_step, part_identity<A>());
    });
    const int launches = Walk == row_walk::by_sweeps ? call.launches : 1;
    for (; call.sweep < launches; ++call.sweep)
      for (std::int64_t i = 0; i < blocks; ++i) {
        const auto b = nth_of(options_.order, i, blocks);
        const block_share own(call.grid, b);
        emulated_team<K, Lanes, Width, Walk> team(own, options_.order, bytes(buffers),
                                                  call.buffer_bytes);
        run_block(call, b, own, bytes(memory), team);
      }
    if (call.grid.parts > 1)
      call.for_each_sum([&]<class A>(const block_sum& place, A) { add_parts<A>(call, place); });
  }

  using storage = std::vector<std::max_align_t>;
  static std::size_t units(std::int64_t n) {
    return static_cast<std::size_t>(n) / sizeof(std::max_align_t) + 1;
  }
  static void poison(storage& s) {
    std::memset(s.data(), 0xff, s.size() * sizeof(std::max_align_t));
  }
  static std::byte* bytes(storage& s) { return reinterpret_cast<std::byte*>(s.data()); }

  template <class A, class Call> static void add_parts(const Call& call, const block_sum& place) {
    const auto* parts = reinterpret_cast<const typename A::element*>(call.scratch + place.parts_at);
    auto* target = static_cast<typename A::element*>(call.a.base[A::access]);
    for (std::int64_t i = 0; i < place.span; ++i) {
      typename A::scalar of_lane[part_lanes];
      for (int l = 0; l < part_lanes; ++l)
        of_lane[l] = sum_of_parts<A>(parts, place.part_step, call.grid.parts, i, l);
      add_to<A>(target[i], emulation::combine_lanes<A::how>(of_lane, part_lanes));
    }
  }
};

template <int Lanes, int Width> struct backend_of<emulated<Lanes, Width>> {
  using type = emulated_backend<Lanes, Width>;
};

}  // namespace primal
