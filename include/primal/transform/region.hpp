// region: the elements that a slice takes, and where they are found in what the value was made of.
#pragma once

#include <primal/op/joining.hpp>

namespace primal {

/// Along each axis `size` elements: start, start + step, ...
struct region {
  shape start, size, step;

  constexpr void push_back(std::int64_t first, std::int64_t count, std::int64_t by = 1) {
    start.push_back(first);
    size.push_back(count);
    step.push_back(by);
  }
  constexpr void set(int axis, std::int64_t first, std::int64_t count, std::int64_t by = 1) {
    start[axis] = first;
    size[axis] = count;
    step[axis] = by;
  }
  /// Does it take an axis as it is?
  constexpr bool is_whole(int axis, const shape& dims) const {
    return start[axis] == 0 && step[axis] == 1 && size[axis] == dims[axis];
  }
  constexpr bool is_whole(const shape& dims) const {
    for (int i = 0; i < dims.size(); ++i)
      if (!is_whole(i, dims)) return false;
    return true;
  }
  friend constexpr bool operator==(const region&, const region&) = default;
};

constexpr region whole_of(const shape& dims) {
  region r;
  for (auto e : dims) r.push_back(0, e);
  return r;
}
constexpr region region_of(const slice_op::attributes& a) {
  region r;
  for (int i = 0; i < a.start.size(); ++i)
    r.push_back(a.start[i].code(), a.size[i].code(), a.step[i]);
  return r;
}
constexpr slice_op::attributes slice_of(const region& r) {
  slice_op::attributes a;
  a.start = extents(r.start, nullptr);
  a.size = extents(r.size, nullptr);
  for (auto by : r.step) a.step.push_back(by);
  return a;
}
/// The region `inner` of what the region `outer` takes.
constexpr region within(extent_space& space, const region& outer, const region& inner) {
  region r;
  for (int i = 0; i < outer.size.size(); ++i)
    r.push_back(space.add(outer.start[i], space.multiply(inner.start[i], outer.step[i])),
                inner.size[i], inner.step[i] * outer.step[i]);
  return r;
}

/// Is a at least b, whatever the extents are?
constexpr bool at_least(extent_space& space, std::int64_t a, std::int64_t b) {
  return a == b || space.is_non_negative(space.subtract(a, b));
}

/// Where `r` lies in a value of these extents that is repeated to those of the result.
constexpr region unrepeated(const region& r, const shape& dims) {
  region own;
  const int shift = r.size.size() - dims.size();
  for (int i = 0; i < dims.size(); ++i)
    if (dims[i] == 1) own.push_back(0, 1);
    else own.push_back(r.start[i + shift], r.size[i + shift], r.step[i + shift]);
  return own;
}
/// Regions of shapes, each of which has a number.
class region_table {
 public:
  struct entry {
    region where;
    int dims = 0;        // the shape of the value
    bool whole = false;  // all of it
    int size = -1;       // the shape of the region, as soon as somebody has asked
  };

  /// `dims` is shape number `index`.
  constexpr int number(int index, const shape& dims, const region& r) {
    std::uint64_t hash = hashed_with(0, static_cast<std::uint64_t>(index));
    for (int i = 0; i < dims.size(); ++i)
      hash = hashed_with(hashed_with(hash, static_cast<std::uint64_t>(r.start[i])),
                         static_cast<std::uint64_t>(r.size[i]));
    for (int i = chains_.last(hash); i >= 0; i = chains_.before(i))
      if (all_[i].dims == index && all_[i].where == r) return i;
    all_.push_back({r, index, r.is_whole(dims)});
    chains_.add(hash);
    return all_.size() - 1;
  }
  constexpr entry& operator[](int i) { return all_[i]; }
  constexpr const entry& operator[](int i) const { return all_[i]; }

 private:
  sequence<entry> all_;
  hash_chains chains_;
};

}  // namespace primal
