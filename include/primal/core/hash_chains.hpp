// hash_chains: which of some numbered items have the same hash, so that one is found without a look at all of them.
#pragma once

#include <primal/core/sequence.hpp>

#include <cstdint>
#include <utility>

namespace primal {

/// Items are numbered from 0 on in the order in which they are added. For every bucket the last item is
/// known, and for every item the one before it.
class hash_chains {
 public:
  constexpr int size() const { return before_.size(); }
  /// The last item whose hash falls into the bucket of this one; -1 if there is none.
  constexpr int last(std::uint64_t hash) const { return last_.empty() ? -1 : last_[bucket(hash)]; }
  /// The item of the same bucket before item i; -1 if there is none.
  constexpr int before(int i) const { return before_[i]; }
  constexpr void add(std::uint64_t hash) {
    hashes_.push_back(hash);
    before_.push_back(-1);
    if (size() > last_.size()) spread();
    else enter(size() - 1);
  }

 private:
  sequence<std::uint64_t> hashes_;
  sequence<int> last_, before_;

  constexpr int bucket(std::uint64_t hash) const {
    return static_cast<int>(hash >> 32) & (last_.size() - 1);
  }
  constexpr void enter(int i) { before_[i] = std::exchange(last_[bucket(hashes_[i])], i); }
  /// More buckets, so that chains stay short.
  constexpr void spread() {
    last_.assign(last_.empty() ? 64 : 4 * last_.size(), -1);
    for (int i = 0; i < size(); ++i) enter(i);
  }
};

/// A hash that also depends on x.
constexpr std::uint64_t hashed_with(std::uint64_t hash, std::uint64_t x) {
  return (hash ^ x) * 0x9e3779b97f4a7c15ull;
}

}  // namespace primal
