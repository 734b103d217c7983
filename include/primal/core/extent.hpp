// Extents: numbers, or polynomials over extents that are known only at the call.
//
// An extent is written as one integer, its code: a number is its own code, and a code below
// `first_unknown` names an interned polynomial of an `extent_space`. Equal polynomials have equal
// codes, so that most questions about dynamic shapes are comparisons of integers.
#pragma once

#include <primal/core/error.hpp>
#include <primal/core/hash_chains.hpp>
#include <primal/core/list.hpp>
#include <primal/core/polynomial.hpp>

namespace primal {

/// Codes at or below this are polynomials; between it and -1 they are plain (negative) numbers.
inline constexpr std::int64_t first_unknown = -(std::int64_t{1} << 40);
constexpr bool is_number(std::int64_t code) { return code > first_unknown; }

/// The extents of a tensor, as codes.
using shape = list<std::int64_t, max_rank>;

/// A factor of a monomial.
struct atom {
  enum kind_t : std::uint8_t { symbol, quotient, remainder } kind = symbol;
  std::int64_t a = 0, b = 0;  // symbol: argument and axis; else the codes of both operands
  friend constexpr bool operator==(const atom&, const atom&) = default;
};

/// A condition that a call must check.
struct requirement {
  std::int64_t a = 0, b = 0;
  const char* what = "";  // the operator
  place where;
};

/// The interned polynomials of one program.
class extent_space {
 public:
  /// A fresh extent: axis `axis` of input `input`.
  constexpr std::int64_t symbol(int input, int axis) {
    add_atom({atom::symbol, input, axis});
    return intern({{1, {atoms.size() - 1}}});
  }

  constexpr std::int64_t add(std::int64_t a, std::int64_t b) {
    if (is_number(a) && is_number(b)) return a + b;
    auto sum = terms(a);
    for (const auto& m : terms(b)) add_term(sum, m);
    return intern(std::move(sum));
  }
  constexpr std::int64_t subtract(std::int64_t a, std::int64_t b) {
    return add(a, multiply(b, -1));
  }
  constexpr std::int64_t multiply(std::int64_t a, std::int64_t b) {
    if (is_number(a) && is_number(b)) return a * b;
    if (a == 1) return resolve(b);
    if (b == 1) return resolve(a);
    const auto hash =
        hashed_with(hashed_with(0, static_cast<std::uint64_t>(a)), static_cast<std::uint64_t>(b));
    for (int i = product_chains.last(hash); i >= 0; i = product_chains.before(i)) {
      const auto& p = products[i];
      if (p.a == a && p.b == b && p.equalities == equalities) return p.result;
    }
    const auto result = intern(product_of(terms(a), terms(b)));
    products.push_back({a, b, result, equalities});
    product_chains.add(hash);
    return result;
  }
  /// floor(a / b)
  constexpr std::int64_t divide(std::int64_t a, std::int64_t b) {
    a = resolve(a), b = resolve(b);
    if (b == 1) return a;
    if (a == b) return 1;
    if (is_number(a) && is_number(b) && b != 0) return a / b - (a % b != 0 && (a < 0) != (b < 0));
    if (auto exact = quotient_of(terms(a), terms(b)); !exact.empty())
      return intern(std::move(exact));
    return opaque(atom::quotient, a, b);
  }
  constexpr std::int64_t modulo(std::int64_t a, std::int64_t b) {
    a = resolve(a), b = resolve(b);
    if (is_number(a) && is_number(b) && b != 0) return a - b * divide(a, b);
    if (a == b || !quotient_of(terms(a), terms(b)).empty()) return 0;
    return opaque(atom::remainder, a, b);
  }

  /// Both extents must be equal: at once if that is known, else at the call. False if they differ.
  constexpr bool unify(std::int64_t a, std::int64_t b, const char* what, const place& where) {
    a = resolve(a), b = resolve(b);
    if (a == b) return true;
    if (is_number(a) && is_number(b)) return false;
    requirements.push_back({a, b, what, where});
    ++equalities;
    if (int s = sole_symbol(a); s >= 0 && !mentions(b, s)) alias(s, b);
    else if (int t = sole_symbol(b); t >= 0 && !mentions(a, t)) alias(t, a);
    return true;
  }

  /// An extent must not be negative: at once if that is known, else at the call. False if it is.
  constexpr bool require_non_negative(std::int64_t a, const char* what, const place& where) {
    a = resolve(a);
    if (is_number(a)) return a >= 0;
    requirements.push_back({divide(a, sign_divisor), 0, what, where});
    return true;
  }

  /// The sign of an extent as far as its terms tell: -1, 1, or 0 where they differ.
  constexpr int sign_of_terms(std::int64_t code) const {
    if (is_number(code)) return code < 0 ? -1 : 1;
    bool plus = false, minus = false;
    for (const auto& m : polynomials[index(code)]) (m.coefficient > 0 ? plus : minus) = true;
    return plus && minus ? 0 : minus ? -1 : 1;
  }

  /// Is an extent not negative in any call, by its terms or because a call checks something that is no more?
  constexpr bool is_non_negative(std::int64_t code) {
    if (const int sign = sign_of_terms(code); sign != 0) return sign > 0;
    for (int i = 0; i < requirements.size(); ++i) {
      const int x = sole_atom(requirements[i].a);
      if (is_sign(x) && sign_of_terms(subtract(code, atoms[x].a)) > 0) return true;
    }
    return false;
  }

  /// The same where it is not clear that it is not negative: an extent that a model states.
  constexpr bool require_extent(std::int64_t code, const char* what, const place& where) {
    return is_non_negative(code) || require_non_negative(code, what, where);
  }

  /// Does one extent stand for another one?
  constexpr bool any_equalities() const { return !settled; }
  /// Codes are what they are from now on: whoever has resolved all of them says so.
  constexpr void settle() {
    aliases.assign(atoms.size(), unaliased);
    settled = true;
  }
  /// Atom `x` stands for `code`, if that is one.
  constexpr void alias(int x, std::int64_t code) {
    aliases[x] = code;
    if (code != unaliased) settled = false;
  }

  /// The code of an extent after all equalities found so far.
  constexpr std::int64_t resolve(std::int64_t code) {
    if (settled || is_number(code)) return code;
    const int i = index(code);
    if (i < resolved.size() && resolved[i].equalities == equalities) return resolved[i].code;
    const auto found = resolved_anew(code);
    if (resolved.size() < polynomials.size()) resolved.resize(polynomials.size());
    resolved[i] = {found, equalities};
    return found;
  }

  /// The value of an extent; `inputs(argument, axis)` answers for the symbols.
  template <class Inputs>
  constexpr std::int64_t evaluate(std::int64_t code, const Inputs& inputs) const {
    if (is_number(code)) return code;
    std::int64_t sum = 0;
    for (const auto& m : polynomials[index(code)]) {
      std::int64_t product = m.coefficient;
      for (int x : m.atoms) {
        const auto& f = atoms[x];
        if (f.kind == atom::symbol) {
          product *= inputs(f.a, f.b);
        } else {
          const auto a = evaluate(f.a, inputs), b = evaluate(f.b, inputs);
          const auto q = b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
          product *= f.kind == atom::quotient ? q : a - b * q;
        }
      }
      sum += product;
    }
    return sum;
  }

  constexpr text to_text(std::int64_t code, bool with_constant = true) const {
    if (is_number(code)) return join(code);
    text t;
    for (const auto& m : polynomials[index(code)]) {
      if (m.atoms.empty() && !with_constant) continue;
      if (!t.empty()) t += m.coefficient < 0 ? "-" : "+";
      const auto size = m.coefficient < 0 && !t.empty() ? -m.coefficient : m.coefficient;
      if (size != 1 || m.atoms.empty()) t += size;
      for (int i = 0; i < m.atoms.size(); ++i) {
        if (i > 0 || size != 1) t += "*";
        t += atom_text(m.atoms[i]);
      }
    }
    if (t.empty()) t += "0";  // no conditional expression: g++ 12 frees its result
    return t;
  }

  /// Names of several words stand in parentheses, which one that stands alone does not need.
  static constexpr text without_parentheses(const text& t) {
    auto all = t.view();
    if (all.empty() || all[0] != '(' || all.find(')') != all.size() - 1) return t;
    return text(all.substr(1, all.size() - 2));
  }

  /// The two sides of a requirement, or all that it says if that is the least that something may be.
  constexpr text left_of(const requirement& r) const {
    const int x = sole_atom(r.a);
    if (!is_sign(x)) return without_parentheses(to_text(r.a));
    std::int64_t least = 0;
    for (const auto& m : polynomials[index(atoms[x].a)])
      if (m.atoms.empty()) least = -m.coefficient;
    text t = without_parentheses(to_text(atoms[x].a, least <= 0));
    if (least > 0) t += join(" must be at least ", least);
    else t += " must not be negative";
    return t;
  }
  constexpr text right_of(const requirement& r) const {
    if (is_sign(sole_atom(r.a))) return {};
    return without_parentheses(to_text(r.b));
  }

  static constexpr int index(std::int64_t code) { return static_cast<int>(first_unknown - code); }

  sequence<polynomial> polynomials;
  sequence<atom> atoms;
  sequence<std::int64_t> aliases;  // per atom: the code it is known to equal
  sequence<const char*> names;     // per atom: what dim<"name"> said, or empty
  sequence<requirement> requirements;

 private:
  static constexpr std::int64_t unaliased = -1;
  bool settled = true;  // no aliases
  // floor(a / sign_divisor) is 0, or -1 for a negative a: so every requirement is an equality.
  static constexpr std::int64_t sign_divisor = std::int64_t{1} << 62;

  constexpr void add_atom(const atom& a) {
    atoms.push_back(a);
    aliases.push_back(unaliased);
    names.push_back("");
  }
  constexpr polynomial terms(std::int64_t code) {
    code = resolve(code);
    if (!is_number(code)) return polynomials[index(code)];
    if (code == 0) return {};
    return {{code, {}}};
  }
  constexpr std::int64_t intern(polynomial p) {
    if (p.empty()) return 0;
    if (p.size() == 1 && p[0].atoms.empty()) return p[0].coefficient;
    while (chains.size() < polynomials.size())  // a frozen program brings its own
      chains.add(hash_of(polynomials[chains.size()]));
    for (int i = chains.last(hash_of(p)); i >= 0; i = chains.before(i))
      if (are_same(polynomials[i], p)) return first_unknown - i;
    polynomials.push_back(std::move(p));
    return first_unknown - (static_cast<std::int64_t>(polynomials.size()) - 1);
  }
  /// What a code came out as while there were so many equalities. Asked for at every statement.
  struct answer {
    std::int64_t code = 0;
    int equalities = -1;
  };
  sequence<answer> resolved;
  int equalities = 0;
  constexpr std::int64_t resolved_anew(std::int64_t code) {
    const auto& p = polynomials[index(code)];
    bool stale = false;
    for (const auto& m : p)
      for (int x : m.atoms) stale = stale || aliases[x] != unaliased;
    if (!stale) return code;
    std::int64_t sum = 0;
    for (const auto& m : polynomial(p)) {
      std::int64_t product = m.coefficient;
      for (int x : m.atoms) {
        const auto alias = aliases[x];
        product = multiply(product, alias != unaliased ? resolve(alias) : intern({{1, {x}}}));
      }
      sum = add(sum, product);
    }
    return sum;
  }

  // Products that were asked for: strides of the same few shapes are a fifth of the planner's time.
  struct known_product {
    std::int64_t a = 0, b = 0, result = 0;
    int equalities = 0;
  };
  sequence<known_product> products;
  hash_chains product_chains;
  hash_chains chains;  // comparing with all polynomials took a third of the planner's time
  constexpr std::int64_t opaque(atom::kind_t kind, std::int64_t a, std::int64_t b) {
    const atom wanted{kind, a, b};
    for (int i = 0; i < atoms.size(); ++i)
      if (atoms[i] == wanted) return intern({{1, {static_cast<int>(i)}}});
    add_atom(wanted);
    return intern({{1, {atoms.size() - 1}}});
  }
  constexpr int sole_atom(std::int64_t code) const {
    if (is_number(code)) return -1;
    const auto& p = polynomials[index(code)];
    return p.size() == 1 && p[0].coefficient == 1 && p[0].atoms.size() == 1 ? p[0].atoms[0] : -1;
  }
  constexpr bool is_sign(int x) const { return x >= 0 && atoms[x].b == sign_divisor; }
  constexpr int sole_symbol(std::int64_t code) const {
    const int x = sole_atom(code);
    return x >= 0 && atoms[x].kind == atom::symbol ? x : -1;
  }
  constexpr bool mentions(std::int64_t code, int symbol) const {
    if (is_number(code)) return false;
    for (const auto& m : polynomials[index(code)])
      for (int x : m.atoms) {
        const auto& f = atoms[x];
        if (x == symbol) return true;
        if (f.kind != atom::symbol && (mentions(f.a, symbol) || mentions(f.b, symbol))) return true;
      }
    return false;
  }
  constexpr text factor_text(std::int64_t code) const {
    const bool sum = !is_number(code) && polynomials[index(code)].size() > 1;
    if (!sum) return to_text(code);
    return join("(", to_text(code), ")");
  }
  constexpr text atom_text(int x) const {
    if (*names[x] != 0) return text(names[x]);
    const auto& f = atoms[x];
    if (f.kind == atom::symbol) return join("n", x);
    if (f.b == sign_divisor) return join("sign(", to_text(f.a), ")");
    return join("(", factor_text(f.a), f.kind == atom::quotient ? "/" : "%", factor_text(f.b), ")");
  }
};

/// What is wrong where the sides of a requirement, `left` and `right`, are a and b.
[[gnu::cold]] constexpr text to_text(const requirement& r, std::string_view left, std::int64_t a,
                                     std::string_view right, std::int64_t b) {
  text t = join(r.what, ": ");
  if (right.empty()) t += left;
  else t += join("the extents of ", left, " = ", a, " and ", right, " = ", b, " must be equal");
  if (r.where.known()) t += join(" at ", to_text(r.where));
  return t;
}

}  // namespace primal
