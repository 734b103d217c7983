// polynomial: sums of products of unknown extents.
#pragma once

#include <primal/core/hash_chains.hpp>
#include <primal/core/list.hpp>
#include <primal/core/sequence.hpp>

namespace primal {

/// coefficient * atoms[0] * atoms[1] * ...
struct monomial {
  // As many as a tensor has axes, and as are summed over when two of them are multiplied.
  using factors = list<int, max_rank + 4>;

  std::int64_t coefficient = 0;
  factors atoms;  // sorted
};

/// A sum of monomials, no two of which have the same atoms, highest degree first; zero is empty.
using polynomial = sequence<monomial>;

/// Does a stand before b?
constexpr bool stands_before(const monomial::factors& a, const monomial::factors& b) {
  if (a.size() != b.size()) return a.size() > b.size();
  for (int i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}
constexpr void insert_sorted(monomial::factors& atoms, int x) {
  int at = 0;
  while (at < atoms.size() && atoms[at] < x) ++at;
  atoms.insert(at, x);
}
constexpr void add_term(polynomial& sum, const monomial& m) {
  for (int i = 0; i < sum.size(); ++i) {
    if (sum[i].atoms == m.atoms) {
      sum[i].coefficient += m.coefficient;
      if (sum[i].coefficient == 0) sum.erase(i);
      return;
    }
    if (stands_before(m.atoms, sum[i].atoms)) {
      sum.insert(i, m);
      return;
    }
  }
  if (m.coefficient != 0) sum.push_back(m);
}

constexpr polynomial product_of(const polynomial& a, const polynomial& b) {
  polynomial sum;
  for (const auto& p : a)
    for (const auto& q : b) {
      monomial m{p.coefficient * q.coefficient, p.atoms};
      for (int x : q.atoms) insert_sorted(m.atoms, x);
      add_term(sum, m);
    }
  return sum;
}

/// a / b where b is one monomial that divides every term of a; else empty.
constexpr polynomial quotient_of(const polynomial& a, const polynomial& b) {
  if (b.size() != 1) return {};
  polynomial quotient;
  for (auto m : a) {
    if (m.coefficient % b[0].coefficient != 0) return {};
    m.coefficient /= b[0].coefficient;
    for (int x : b[0].atoms) {
      monomial::factors rest;
      bool found = false;
      for (int own : m.atoms) {
        if (own == x && !found) found = true;
        else rest.push_back(own);
      }
      if (!found) return {};
      m.atoms = rest;
    }
    add_term(quotient, m);
  }
  return quotient;
}

constexpr bool are_same(const polynomial& p, const polynomial& q) {
  if (p.size() != q.size()) return false;
  for (int i = 0; i < p.size(); ++i)
    if (p[i].coefficient != q[i].coefficient || !(p[i].atoms == q[i].atoms)) return false;
  return true;
}
constexpr std::uint64_t hash_of(const polynomial& p) {
  auto hash = static_cast<std::uint64_t>(p.size());
  for (const auto& m : p) {
    hash = hashed_with(hash, static_cast<std::uint64_t>(m.coefficient));
    for (int x : m.atoms) hash = hashed_with(hash, static_cast<std::uint64_t>(x));
  }
  return hash;
}

}  // namespace primal
