// IdIndex: id -> row, for the correlation ids and External ids of one recording.
//
// Recorders number events densely, so the index is an array over [smallest, largest] when that is not much larger than
// the number of ids, and a sorted list of (id, row) otherwise. The first row added for an id wins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/large_vector.h"
#include "trace/trace.h"

namespace warpsight {

class IdIndex {
 public:
  void Add(uint32_t id, uint32_t row) { entries_.emplace_back(id, row); }

  // Call once, after the last Add. Returns the number of ids that were added more than once.
  int64_t Build() {
    if (entries_.empty()) return 0;
    const auto [least, most] = std::minmax_element(entries_.begin(), entries_.end());
    lowest_ = least->first;
    const uint64_t width = uint64_t{most->first} - lowest_ + 1;
    return width <= entries_.size() * kMaxSparseness + kMinArray ? BuildArray(width) : BuildList();
  }

  uint32_t Find(uint32_t id) const {
    if (!array_.empty()) {
      const uint64_t at = uint64_t{id} - lowest_;  // wraps to a huge number below `lowest_`
      return at < array_.size() ? array_[at] : kNoRow;
    }
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), std::pair{id, uint32_t{0}});
    return found != entries_.end() && found->first == id ? found->second : kNoRow;
  }

 private:
  static constexpr uint64_t kMaxSparseness = 8;
  static constexpr uint64_t kMinArray = 4096;

  int64_t BuildArray(uint64_t width) {
    int64_t repeats = 0;
    array_.assign(width, kNoRow);
    for (const auto& [id, row] : entries_) {
      uint32_t& slot = array_[id - lowest_];
      if (slot == kNoRow) {
        slot = row;
      } else {
        ++repeats;
      }
    }
    entries_ = {};
    return repeats;
  }

  int64_t BuildList() {
    std::stable_sort(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto last =
        std::unique(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    const int64_t repeats = entries_.end() - last;
    entries_.erase(last, entries_.end());
    return repeats;
  }

  std::vector<std::pair<uint32_t, uint32_t>> entries_;
  LargeVector<uint32_t> array_;
  uint32_t lowest_ = 0;
};

}  // namespace warpsight
