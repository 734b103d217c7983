// workspace: the memory of a call that is neither input nor output.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace primal {

/// How the blocks of a workspace are aligned: a cache line, and the widest register.
inline constexpr std::size_t workspace_alignment = 64;

constexpr std::size_t aligned_size(std::size_t bytes) {
  return (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
}

/// A block that calls share, one at a time: `pm::compile(f).with(workspace)`. It grows when a call needs
/// more, so that from the second call on nothing is allocated.
class workspace {
 public:
  workspace() = default;
  explicit workspace(std::size_t bytes) { reserve(bytes); }

  std::size_t size() const { return size_; }
  /// At least `bytes` bytes; what was there before is lost if it grows.
  std::byte* reserve(std::size_t bytes) {
    if (bytes > size_) {
      block_.reset();
      size_ = 0;
      block_.reset(new (std::align_val_t{workspace_alignment}) std::byte[bytes]);
      size_ = bytes;
    }
    return block_.get();
  }

 private:
  struct release {
    void operator()(std::byte* block) const {
      ::operator delete[](block, std::align_val_t{workspace_alignment});
    }
  };
  std::unique_ptr<std::byte[], release> block_;
  std::size_t size_ = 0;
};

}  // namespace primal
