// TrackLanes: puts the slices of one row of the timeline into as few tracks ("lanes") as their overlaps need.
//
// Perfetto draws a slice that begins inside of another one of its track as that one's child, and needs the child to end
// first. So a lane holds slices that nest truly, and one that overlaps what it does not belong to gets another lane:
//   nested  a slice is a child of the innermost open one that contains it wholly (the model's own stack walk); it lies in
//   its
//           parent's lane if no sibling is open there, else, as one without a parent does, in the first lane that is free.
//   flat    a slice lies in the first lane that is free: work on a stream has no parents, however it overlaps.
// Slices come by start, of equal starts the longer first. Time: O(log lanes) a slice. Units: ns. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "base/time.h"

namespace warpsight::perfetto {

class TrackLanes {
 public:
  enum class Nesting { kNested, kFlat };
  explicit TrackLanes(Nesting nesting) : nesting_(nesting) {}

  // The lane of a slice. Before it returns, close(lane, end_ns) is called for the slices of that lane that are over,
  // innermost first. A lane number that was not returned before is the next new one.
  template <typename Close>
  uint32_t Place(Interval slice, const Close& close) {
    ++slices_;
    const Open* parent = nullptr;
    if (nesting_ == Nesting::kNested) {
      while (!nest_.empty() && (nest_.back().end <= slice.start || nest_.back().end < slice.end)) nest_.pop_back();
      parent = nest_.empty() ? nullptr : &nest_.back();
    }
    uint32_t lane = parent == nullptr ? FreeLane(slice.start) : parent->lane;
    CloseOver(lane, slice.start, close);
    if (parent != nullptr && lanes_[lane].back().number != parent->number) {
      lane = FreeLane(slice.start);
      CloseOver(lane, slice.start, close);
    }
    const Open open{slice.end, lane, slices_};
    if (lanes_[lane].empty()) busy_.emplace(slice.end, lane);
    lanes_[lane].push_back(open);
    if (nesting_ == Nesting::kNested) nest_.push_back(open);
    return lane;
  }

  // Closes all that is open.
  template <typename Close>
  void Finish(const Close& close) {
    for (uint32_t lane = 0; lane < lanes_.size(); ++lane) CloseOver(lane, kMaxNs, close);
  }

  uint32_t lane_count() const { return static_cast<uint32_t>(lanes_.size()); }

 private:
  struct Open {
    Ns end;
    uint32_t lane;
    uint64_t number;  // of the slice, from 1
  };

  template <typename Close>
  void CloseOver(uint32_t lane, Ns until, const Close& close) {
    std::vector<Open>& open = lanes_[lane];
    while (!open.empty() && open.back().end <= until) {
      close(lane, open.back().end);
      open.pop_back();
    }
  }

  // The first lane whose outermost slice is over by then.
  uint32_t FreeLane(Ns start) {
    while (!busy_.empty() && busy_.top().first <= start) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    if (free_.empty()) {
      lanes_.emplace_back();
      return lane_count() - 1;
    }
    const uint32_t lane = free_.top();
    free_.pop();
    return lane;
  }

  using Busy = std::pair<Ns, uint32_t>;  // end of the outermost slice, lane
  Nesting nesting_;
  uint64_t slices_ = 0;
  std::vector<std::vector<Open>> lanes_;
  std::vector<Open> nest_;
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy_;
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free_;
};

}  // namespace warpsight::perfetto
