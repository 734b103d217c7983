// frozen: a program as a constant, so that every pass is a constant evaluation of its own.
//
// Nothing allocated outlives a constant evaluation. A pass therefore writes its result into arrays that
// are large enough for most programs. Numbers are packed into words and nothing has a constructor: the
// unused rest then costs nothing, and a statement costs some ten writes.
#pragma once

#include <primal/expr/op_info.hpp>

namespace primal {

/// How many elements the arrays of a frozen program hold.
struct frozen_sizes {
  int words = 0;       // everything that is a number
  int statements = 0;  // operators and files of the source
  int names = 0;       // of extents, and of the operators that require something of them

  constexpr bool fits(const frozen_sizes& room) const {
    return words <= room.words && statements <= room.statements && names <= room.names;
  }
};

/// A program in fixed arrays.
template <int Words, int Statements, int Names> struct frozen_program {
  static constexpr frozen_sizes room{Words, Statements, Names};
  frozen_sizes used;
  std::int64_t words[Words + 1];
  const op_info* operators[Statements + 1];
  const char* files[Statements + 1];
  const char* names[Names + 1];

  /// How many statements, inputs and constants among them.
  constexpr int size() const { return used.statements; }
  /// How many statements of one operator.
  constexpr int count(op_name name) const {
    int n = 0;
    for (int i = 0; i < used.statements; ++i) n += operators[i]->name == name;
    return n;
  }
  /// Is no composite left?
  constexpr bool is_primitive() const {
    for (int i = 0; i < used.statements; ++i)
      if (operators[i]->composite) return false;
    return true;
  }
};

namespace core {

/// Writes the numbers of a program, or only counts them when `out` is null.
struct word_writer {
  std::int64_t* out = nullptr;
  int room = 0, count = 0;

  constexpr void put(std::int64_t word) {
    if (count < room) out[count] = word;
    ++count;
  }
  /// Their number, and then they themselves.
  template <class V> constexpr void put_list(const V& v) {
    put(v.size());
    put_all(v.begin(), v.end());
  }
  template <class T> constexpr void put_all(const T* first, const T* last) {
    if (count + static_cast<int>(last - first) > room) {
      count += static_cast<int>(last - first);
      return;
    }
    for (; first != last; ++first) out[count++] = *first;
  }
};

// Bit fields of a packed statement: line 20, operands 12, attributes 12, results 8, annotation 12.
constexpr std::int64_t pack(const statement& s) {
  return static_cast<std::int64_t>(s.where.line & 0xfffff) | std::int64_t{s.operand_count} << 20 |
         std::int64_t{s.attribute_count} << 32 | std::int64_t{s.result_count} << 44 |
         std::int64_t{s.annotation} << 52;
}
constexpr statement unpack(std::int64_t w) {
  statement s;
  s.where.line = static_cast<unsigned>(w & 0xfffff);
  s.operand_count = static_cast<int>(w >> 20 & 0xfff);
  s.attribute_count = static_cast<int>(w >> 32 & 0xfff);
  s.result_count = static_cast<int>(w >> 44 & 0xff);
  s.annotation = static_cast<int>(w >> 52 & 0xfff);
  return s;
}

constexpr void write_extents(const extent_space& e, word_writer& w) {
  w.put(e.atoms.size());
  for (int i = 0; i < e.atoms.size(); ++i) {
    w.put(e.atoms[i].kind);
    w.put(e.atoms[i].a);
    w.put(e.atoms[i].b);
    w.put(e.aliases[i]);
  }
  w.put(e.polynomials.size());
  for (const auto& p : e.polynomials) {
    w.put(p.size());
    for (const auto& m : p) {
      w.put(m.coefficient);
      w.put_list(m.atoms);
    }
  }
  w.put(e.requirements.size());
  for (const auto& r : e.requirements) {
    w.put(r.a);
    w.put(r.b);
    w.put(r.where.line);
  }
}

constexpr void write_numbers(const program& p, word_writer& w) {
  w.put_list(p.inputs);
  w.put_list(p.outputs);
  w.put(p.shapes.size());
  for (const auto& s : p.shapes) w.put_list(s);
  write_extents(p.extents, w);
  for (const auto& s : p.statements) {
    w.put(pack(s));
    for (int i = 0; i < s.operand_count; i += 3) {  // 20 bits each
      std::int64_t word = 0;
      for (int k = 2; k >= 0; --k)
        word = word << 20 | (i + k < s.operand_count ? p.operand(s, i + k) + 1 : 0);
      w.put(word);
    }
    const auto attributes = p.attributes_of(s);
    w.put_all(attributes.begin(), attributes.end());
    for (int i = 0; i < s.result_count; ++i) {
      const auto& v = p.value_at(s.first_result + i);
      w.put(std::int64_t{v.shape} << 8 | static_cast<std::int64_t>(v.dtype));
    }
  }
}

struct word_reader {
  const std::int64_t* in;
  constexpr std::int64_t get() { return *in++; }
  constexpr int get_int() { return static_cast<int>(*in++); }
};

template <class Names> constexpr void read_extents(extent_space& e, word_reader& r, Names& names) {
  for (int n = r.get_int(); n > 0; --n) {
    const auto kind = static_cast<atom::kind_t>(r.get());
    const auto a = r.get(), b = r.get();
    e.atoms.push_back({kind, a, b});
    e.aliases.push_back(0);
    e.alias(e.atoms.size() - 1, r.get());
    e.names.push_back(*names++);
  }
  for (int n = r.get_int(); n > 0; --n) {
    polynomial p;
    for (int k = r.get_int(); k > 0; --k) {
      monomial m{r.get(), {}};
      for (int i = r.get_int(); i > 0; --i) m.atoms.push_back(r.get_int());
      p.push_back(m);
    }
    e.polynomials.push_back(std::move(p));
  }
  for (int n = r.get_int(); n > 0; --n) {
    requirement q;
    q.a = r.get();
    q.b = r.get();
    q.where.line = static_cast<unsigned>(r.get());
    q.what = *names++;
    q.where.file = *names++;
    e.requirements.push_back(q);
  }
}

}  // namespace core

/// What `p` needs.
constexpr frozen_sizes sizes_of(const program& p) {
  core::word_writer counter;
  core::write_numbers(p, counter);
  return {counter.count, p.size(),
          static_cast<int>(p.extents.atoms.size() + 2 * p.extents.requirements.size())};
}

template <class Frozen> constexpr Frozen freeze(const program& p) {
  Frozen f{};
  core::word_writer w{f.words, Frozen::room.words};
  core::write_numbers(p, w);
  f.used = {w.count, p.size(),
            static_cast<int>(p.extents.atoms.size() + 2 * p.extents.requirements.size())};
  if (!f.used.fits(Frozen::room)) return f;
  for (int i = 0; i < p.size(); ++i) {
    f.operators[i] = p.at(i).op;
    f.files[i] = p.at(i).where.file;
  }
  const char** name = f.names;
  for (const char* n : p.extents.names) *name++ = n;
  for (const auto& r : p.extents.requirements) {
    *name++ = r.what;
    *name++ = r.where.file;
  }
  return f;
}

/// The program again, to be worked on.
template <class Frozen> constexpr program thaw(const Frozen& f) {
  program p;
  p.reserve(f.used.statements + 64);
  core::word_reader r{f.words};
  const char* const* names = f.names;
  for (int n = r.get_int(); n > 0; --n) p.inputs.push_back(r.get_int());
  for (int n = r.get_int(); n > 0; --n) p.outputs.push_back(r.get_int());
  for (int n = r.get_int(); n > 0; --n) {
    shape s;
    for (int k = r.get_int(); k > 0; --k) s.push_back(r.get());
    p.shapes.push_back(s);
  }
  core::read_extents(p.extents, r, names);
  for (int i = 0; i < f.used.statements; ++i) {
    auto s = core::unpack(r.get());
    s.op = f.operators[i];
    s.where.file = f.files[i];
    s.first_operand = static_cast<int>(p.operands.size());
    s.first_attribute = static_cast<int>(p.attributes.size());
    s.first_result = static_cast<int>(p.values.size());
    for (int k = 0; k < s.operand_count; k += 3) {
      auto word = r.get();
      for (int q = k; q < s.operand_count && q < k + 3; ++q, word >>= 20)
        p.operands.push_back(static_cast<int>(word & 0xfffff) - 1);
    }
    p.attributes.append(r.in, r.in + s.attribute_count);
    r.in += s.attribute_count;
    for (int k = 0; k < s.result_count; ++k) {
      const auto word = r.get();
      p.values.push_back({static_cast<int>(word >> 8), static_cast<dtype>(word & 0xff), i, k});
    }
    p.statements.push_back(s);
  }
  return p;
}

namespace core {
/// Room for most programs, and for the rest.
using usual_program = frozen_program<16384, 2048, 512>;
using large_program = frozen_program<1 << 19, 1 << 16, 1 << 13>;

template <class Frozen, class Larger> constexpr Frozen shrink(const Larger& from) {
  Frozen f{};
  f.used = from.used;
  for (int i = 0; i < f.used.words; ++i) f.words[i] = from.words[i];
  for (int i = 0; i < f.used.statements; ++i) {
    f.operators[i] = from.operators[i];
    f.files[i] = from.files[i];
  }
  for (int i = 0; i < f.used.names; ++i) f.names[i] = from.names[i];
  return f;
}

// Static members with every type spelled out: nvcc 13.0 dies on a variable template of deduced type.
template <class Pass, class Room> struct roomy {
  static constexpr Room value = freeze<Room>(Pass::run());
  static constexpr bool fits = value.used.fits(Room::room);
};
template <class Pass, bool Fits> struct fitting : roomy<Pass, usual_program> {};
template <class Pass> struct fitting<Pass, false> : roomy<Pass, large_program> {
  static_assert(roomy<Pass, large_program>::fits,
                "primal: a program has more than 65,536 statements");
};

/// A stage without the unused rest: what a user may keep.
template <class Stage> struct exact {
  static constexpr int words = Stage::value.used.words, statements = Stage::value.used.statements,
                       names = Stage::value.used.names;
  using type = frozen_program<words, statements, names>;
  static constexpr type value = shrink<type>(Stage::value);
};
}  // namespace core

/// The result of a pass as a constant, `stage<Pass>::value`: `Pass::run()` gives the program.
template <class Pass>
struct stage : core::fitting<Pass, core::roomy<Pass, core::usual_program>::fits> {};

}  // namespace primal
