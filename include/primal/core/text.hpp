// text: strings in constant evaluation (std::string is not usable there with libstdc++ 12 under clang).
#pragma once

#include <primal/core/sequence.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace primal {

/// A growing string for messages and listings.
class text {
 public:
  constexpr text() = default;
  constexpr text(std::string_view s) { *this += s; }
  constexpr text(const char* s) { *this += std::string_view(s); }

  constexpr text& operator+=(std::string_view s) {
    chars_.append(s.data(), s.data() + s.size());
    return *this;
  }
  constexpr text& operator+=(const char* s) { return *this += std::string_view(s); }
  constexpr text& operator+=(const text& t) { return *this += t.view(); }
  constexpr text& operator+=(std::int64_t n) {
    char digits[24] = {};
    int count = 0;
    std::uint64_t rest = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    if (n < 0) chars_.push_back('-');
    while (count) chars_.push_back(digits[--count]);
    return *this;
  }
  constexpr text& operator+=(int n) { return *this += static_cast<std::int64_t>(n); }

  constexpr std::string_view view() const { return {chars_.data(), size()}; }
  constexpr bool empty() const { return chars_.empty(); }
  constexpr std::size_t size() const { return static_cast<std::size_t>(chars_.size()); }
  std::string str() const { return std::string(view()); }

 private:
  sequence<char> chars_;
};

/// A text of the parts, one after another.
template <class... Parts> [[gnu::cold, gnu::noinline]] constexpr text join(const Parts&... parts) {
  text t;
  ((t += parts), ...);
  return t;
}

/// A string literal as a template argument.
template <std::size_t N> struct literal {
  char chars[N] = {};
  constexpr literal() = default;
  constexpr literal(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) chars[i] = s[i];
  }
  constexpr std::string_view view() const { return {chars, N - 1}; }
};

/// The name of an operator.
using op_name = std::string_view;

}  // namespace primal
