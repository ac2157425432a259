// EnclosingEvents: a host event and those around it, innermost first.
//
//   for (const uint32_t event : EnclosingEvents(host, op)) ...
//
// At most kMost of them: no program nests deeper (Python stops at 1000 frames), and in a damaged file, where all events may
// lie in one another, walks from every kernel to the outermost one would take quadratic time. Threads: immutable.
#pragma once

#include <cstdint>
#include <iterator>

#include "trace/trace.h"

namespace warpsight {

class EnclosingEvents {
 public:
  static constexpr int kMost = 1000;

  class Iterator {
   public:
    using value_type = uint32_t;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const HostEvents& host, uint32_t row) : host_(&host), row_(row) {}
    uint32_t operator*() const { return row_; }
    Iterator& operator++() {
      row_ = --left_ > 0 ? host_->parent[row_] : kNoRow;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t /*end*/) const { return row_ == kNoRow; }

   private:
    const HostEvents* host_ = nullptr;
    uint32_t row_ = kNoRow;
    int left_ = kMost;
  };

  // From `row` on; none when it is kNoRow.
  EnclosingEvents(const HostEvents& host, uint32_t row) : begin_(host, row) {}
  Iterator begin() const { return begin_; }
  std::default_sentinel_t end() const { return {}; }

 private:
  Iterator begin_;
};

}  // namespace warpsight
