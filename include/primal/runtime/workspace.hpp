// workspace: the memory of a call that is neither input nor output.
#pragma once

#include <primal/kernel/arguments.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace primal {

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
      block_.reset(new std::byte[page - 1 + bytes]);
      ask_for_huge_pages(block_.get(), page - 1 + bytes);
      size_ = bytes;
    }
    return block_ ? block_.get() + (begin - reinterpret_cast<std::uintptr_t>(block_.get())) % page
                  : nullptr;
  }

 private:
  /// The memory begins within a page where large arrays, which begin one or nearly so, do not: a processor takes loads
  /// for what it has just stored elsewhere at the same place of a page. (A sum over 8,192 rows of 768: 0.68 ms instead
  /// of 0.84. Placed by hand: glibc maps every large block anew that is to begin a page, and each page of it is then
  /// touched for the first time, 3 microseconds for 16 KiB.)
  static constexpr std::size_t page = 4096, begin = 512;
  std::unique_ptr<std::byte[]> block_;
  std::size_t size_ = 0;

  /// Pages of 2 MiB where the system gives them to those who ask: memory is touched for the first time, and found
  /// again, in fewer steps.
  static void ask_for_huge_pages([[maybe_unused]] std::byte* block,
                                 [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
    constexpr std::size_t worthwhile = std::size_t{4} << 20;
    if (bytes < worthwhile) return;
    const auto before = -reinterpret_cast<std::uintptr_t>(block) % page;
    madvise(block + before, (bytes - before) / page * page, MADV_HUGEPAGE);
#endif
  }
};

}  // namespace primal
