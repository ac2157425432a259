// LargeVector: a vector of plain values for tables with millions of rows.
//
// Two things differ from std::vector<T>. resize() leaves new values unset: a column is resized once and then written whole,
// and clearing it first would touch all its memory twice. And a large column lies on huge pages where the system has them:
// giving a process its memory 4 KiB at a time is a tenth of an import (docs/performance.md).
// Errors: std::bad_alloc. Threads: as std::vector.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpsight {

// Memory for large tables: whole huge pages, asked for as such. `bytes` is at least kLargeTable.
inline constexpr size_t kLargeTable = size_t{1} << 20;
void* AllocateLarge(size_t bytes);
void FreeLarge(void* memory, size_t bytes);

template <typename T>
class LargeAllocator {
 public:
  using value_type = T;
  static_assert(std::is_trivially_copyable_v<T>, "columns hold plain values");

  LargeAllocator() = default;
  template <typename U>
  LargeAllocator(const LargeAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor): as the standard asks

  T* allocate(size_t count) {
    if (count >= kLargeTable / sizeof(T)) {
      if (count > static_cast<size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
      return static_cast<T*>(AllocateLarge(count * sizeof(T)));
    }
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* memory, size_t count) {
    if (count >= kLargeTable / sizeof(T)) return FreeLarge(memory, count * sizeof(T));
    std::allocator<T>().deallocate(memory, count);
  }

  template <typename U, typename... Args>
  void construct(U* place, Args&&... args) {
    if constexpr (sizeof...(Args) == 0) {
      ::new (static_cast<void*>(place)) U;  // no braces: the value stays unset
    } else {
      ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
    }
  }

  friend bool operator==(const LargeAllocator& /*a*/, const LargeAllocator& /*b*/) { return true; }
};

template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace warpsight
