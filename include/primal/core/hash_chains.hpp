// hash_chains: which of some numbered items have the same hash, so that one is found without a look at all of them.
#pragma once

#include <primal/core/sequence.hpp>

#include <cstdint>

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
    if (last_.empty()) last_.resize(buckets, -1);
    auto& last = last_[bucket(hash)];
    before_.push_back(last);
    last = size() - 1;
  }

 private:
  static constexpr int buckets = 64;
  static constexpr int bucket(std::uint64_t hash) {
    return static_cast<int>(hash >> 32 & (buckets - 1));
  }
  sequence<int> last_, before_;
};

/// A hash that also depends on x.
constexpr std::uint64_t hashed_with(std::uint64_t hash, std::uint64_t x) {
  return (hash ^ x) * 0x9e3779b97f4a7c15ull;
}

}  // namespace primal
