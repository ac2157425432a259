// LargeVector: a vector of plain values for tables with millions of rows.
//
// One thing differs from std::vector<T>: resize() leaves new values unset. A column is resized once and then written whole,
// and clearing it first would touch all its memory twice. Errors: std::bad_alloc. Threads: as std::vector.
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpsight {

template <typename T>
class LargeAllocator : public std::allocator<T> {
 public:
  static_assert(std::is_trivially_copyable_v<T>, "columns hold plain values");
  template <typename U>
  struct rebind {
    using other = LargeAllocator<U>;
  };

  LargeAllocator() = default;
  template <typename U>
  LargeAllocator(const LargeAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor): as the standard asks

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
