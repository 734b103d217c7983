// pieces: a program in which regions are calculated from regions, and not taken from what lies in memory.
//
// slice(f(x, y)) = f(slice(x), slice(y)), and a slice of a `concat` is one of the part that it lies in. The states of
// differential equations, which are sliced and stacked at every step, come apart into single rows this way, and the
// sum of the gradients of slices becomes a `concat`.
#pragma once

#include <primal/transform/parts.hpp>
#include <primal/transform/simplified_statements.hpp>

namespace primal {

class simplifier_of_pieces : public simplified_statements {
 public:
  constexpr explicit simplifier_of_pieces(const program& own)
      : simplified_statements(own),
        cutting(own, out.to.extents, live),
        first_(own.values.size(), -1) {
    for (int i = 0; i < from.size(); ++i)
      if (live[i]) visit(from.at(i));
    for (int v : from.inputs) whole(v);
    for (int v : from.outputs) whole(v);
    finish();
  }
  constexpr bool found_any() const { return any_; }

 private:
  parts cutting;
  bool any_ = false;
  struct piece {
    int region = 0, value = -1, next = -1;
  };
  sequence<int> first_;  // per old value: the last of its pieces
  sequence<piece> pieces_;

  constexpr void visit(const statement& s) {
    if (s.result_count != 1) return rewrite_whole(s);
    const int v = s.first_result;
    out.where = s.where;
    if (is<slice_op>(s.op)) {
      const auto r = region_of(attributes_in<slice_op>(from.attributes_of(s)));
      return map(v, piece_of(from.operand(s, 0), r));
    }
    if (is<sum_op>(s.op) && cutting.adds_parts(s)) return map(v, sum_of_parts(s));
    if (is<concat_op>(s.op)) return rewrite_whole(s);
    if (cutting.given(v))
      for (int i = 0; i < cutting.count(v); ++i) of(v, cutting.part(v, i));
    else if (cutting.never_whole(v))
      for (int r : cutting.wanted(v)) of(v, r);
    else rewrite_whole(s);
  }
  constexpr void map(int v, int y) {
    now[v] = y;
    add_uses(y, old_uses[v]);
  }
  constexpr void rewrite_whole(const statement& s) {
    for (int u : from.operands_of(s)) whole(u);
    rewrite(s);
  }
  /// All of a value.
  constexpr int whole(int v) {
    if (v < 0) return v;
    if (now[v] >= 0) return now[v];
    const auto& s = from.maker(v);
    if (!cutting.given(v)) {
      rewrite_whole(s);
      return now[v];
    }
    sequence<int> values;
    for (int i = 0; i < cutting.count(v); ++i) values.push_back(of(v, cutting.part(v, i)));
    map(v, joined(values, cutting.axis(v)));
    return now[v];
  }
  constexpr int joined(const sequence<int>& values, int axis) {
    return out.plain<concat_op>(values, {axis});
  }

  constexpr int piece_of(int v, const region& r) { return of(v, cutting.number(v, r)); }
  constexpr int of(int v, int number) {
    for (int i = first_[v]; i >= 0; i = pieces_[i].next)
      if (pieces_[i].region == number) return pieces_[i].value;
    if (cutting.regions[number].whole) return whole(v);
    const int y = made(from.maker(v), v, number);
    pieces_.push_back({number, y, first_[v]});
    first_[v] = pieces_.size() - 1;
    add_uses(y, old_uses[v]);
    return y;
  }
  constexpr int made(const statement& s, int v, int number) {
    const region r = cutting.regions[number].where;
    if (!s.op->elementwise) {
      if (is<slice_op>(s.op)) {
        const auto outer = region_of(attributes_in<slice_op>(from.attributes_of(s)));
        return piece_of(from.operand(s, 0), within(out.to.extents, outer, r));
      }
      if (is<concat_op>(s.op)) return of_concat(s, v, r);
      if (!is_reduction(s.op) && !renames_axes(from, s)) return sliced(whole(v), r);
    }
    if (!cutting.in_regions(v)) return sliced(whole(v), r);
    any_ = true;
    list<int, 16> in;
    for (int k = 0; k < s.operand_count; ++k) {
      const int u = from.operand(s, k);
      in.push_back(u < 0 ? u : of(u, cutting.behind(s, k, number)));
    }
    out.where = s.where;
    if (s.op->elementwise) return elementwise(s, in, number);
    if (is<reshape_op>(s.op)) return renamed(in[0], r.size);
    if (is<broadcast_to_op>(s.op))
      return out.is_number(in[0]) ? out.number_like(in[0], r.size) : repeated(in[0], r.size);
    if (is<sum_op>(s.op) && from.dtype_of(v) == out.to.dtype_of(in[0]))
      return out.reshaped(out.sum_along(in[0], attributes_in<sum_op>(from.attributes_of(s)).axes),
                          r.size);
    return out.number(s.op, sequence_view<int>(in.begin(), in.size()), from.attributes_of(s),
                      s.where);
  }

  /// Without axes of extent 1, so that all pieces have the same shape wherever they come from.
  constexpr int elementwise(const statement& s, list<int, 16>& in, int number) {
    auto& r = cutting.regions[number];
    if (r.size < 0) r.size = out.to.intern(r.where.size);
    const int size = r.size, thin = thinned(size);
    bool fits = true;
    for (int u : in) fits = fits && u >= 0 && (shape_number(u) == size || out.varies(u) == 0);
    const shape dims = out.to.shapes[fits ? thin : size];
    if (!fits) return build(s, in, dims);
    for (int& u : in)
      if (const int own = thinned(shape_number(u)); own != shape_number(u))
        u = renamed(u, out.to.shapes[own]);
    const int y = build(s, in, dims);
    return thin == size ? y : renamed(y, out.to.shapes[size]);
  }
  constexpr int shape_number(int v) const { return out.to.value_at(v).shape; }
  sequence<int> thinned_;  // per shape: without axes of extent 1
  constexpr int thinned(int shape_index) {
    if (thinned_.size() <= shape_index) thinned_.resize(out.to.shapes.size(), -1);
    if (thinned_[shape_index] < 0) {
      shape thin;
      for (auto e : out.to.shapes[shape_index])
        if (e != 1) thin.push_back(e);
      const int n = out.to.intern(thin);
      thinned_[shape_index] = n;
    }
    return thinned_[shape_index];
  }

  constexpr int of_concat(const statement& s, int v, const region& r) {
    auto& space = out.to.extents;
    const int axis = attributes_in<concat_op>(from.attributes_of(s)).axis;
    const auto last =
        space.add(r.start[axis], space.multiply(space.add(r.size[axis], -1), r.step[axis]));
    const auto low = r.step[axis] > 0 ? r.start[axis] : last,
               high = r.step[axis] > 0 ? last : r.start[axis];
    const auto stop = space.add(high, 1);
    sequence<int> several;
    bool clear = r.step[axis] == 1 && !cutting.is_whole(v);  // is it known where its parts begin?
    std::int64_t begin = 0;
    for (int u : from.operands_of(s)) {
      const auto end = space.add(begin, from.shape_of(u)[axis]);
      const bool from_here = at_least(space, low, begin), to_here = at_least(space, end, stop);
      region own = r;
      own.start[axis] = space.subtract(r.start[axis], begin);
      if (from_here && to_here) {
        any_ = true;
        return piece_of(u, own);
      }
      if (clear && !at_least(space, low, end) && !at_least(space, begin, stop)) {
        clear =
            (from_here || at_least(space, begin, low)) && (to_here || at_least(space, stop, end));
        if (!from_here) own.start[axis] = 0;
        own.size[axis] = space.subtract(to_here ? stop : end, from_here ? low : begin);
        if (clear) several.push_back(piece_of(u, own));
      }
      begin = end;
    }
    if (!clear || several.size() < 2) return sliced(whole(v), r);
    any_ = true;
    return joined(several, axis);
  }

  constexpr int sliced(int v, const region& r) {
    if (r.is_whole(out.to.shape_of(v))) return v;
    if (out.is_number(v)) return out.number_like(v, r.size);
    return out.plain<slice_op>(v, slice_of(r));
  }

  constexpr int sum_of_parts(const statement& s) {
    any_ = true;
    const int u = from.operand(s, 0);
    int total = -1;
    int size = -1;
    for (int i = 0; i < cutting.count(u); ++i) {
      const int own = of(u, cutting.part(u, i));
      size = shape_number(own);
      const int thin = renamed(own, out.to.shapes[thinned(size)]);
      total = total < 0 ? thin : out.add(total, thin);
    }
    const auto& over = attributes_in<sum_op>(from.attributes_of(s)).axes;
    return out.reshaped(out.sum_along(renamed(total, out.to.shapes[size]), over),
                        from.shape_of(s.first_result));
  }
};

}  // namespace primal
