// LargeVector: a vector of plain values for tables with millions of rows.
//
// Two things differ from std::vector<T>. resize() leaves new values unset: a column is resized once and then written whole,
// and clearing it first would touch all its memory twice. And where there are very many, they may lie in huge pages. Errors:
// std::bad_alloc. Threads: as std::vector.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/huge_pages.h"

namespace warpsight {

template <typename T>
class LargeAllocator : public std::allocator<T> {
 public:
  static_assert(std::is_trivially_copyable_v<T>, "columns hold plain values");
  template <typename U>
  struct rebind {
    using other = LargeAllocator<U>;
  };

  // Asked for by the vector itself, since malloc takes much of this size from elsewhere than its heap, and where columns are
  // made there is no progress that would ask for the heap. Below it nothing was gained (docs/performance.md).
  static constexpr size_t kManyBytes = size_t{8} << 20;

  LargeAllocator() = default;
  template <typename U>
  LargeAllocator(const LargeAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor): as the standard asks

  T* allocate(size_t count) {
    T* const place = std::allocator<T>::allocate(count);
    if (count >= kManyBytes / sizeof(T)) {
      const auto begin = reinterpret_cast<uintptr_t>(place);
      WantHugePages(begin, begin + count * sizeof(T));
    }
    return place;
  }

  template <typename U, typename... Args>
  void construct(U* place, Args&&... args) {
    if constexpr (sizeof...(Args) == 0) {
      ::new (static_cast<void*>(place)) U;  // no braces: the value stays unset
    } else {
      ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
    }
  }
};

template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace warpsight
