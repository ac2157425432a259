// LaneAssigner: gives events lanes such that no two that overlap share one.
//
// Place in the flow: rows of a track, by start -> lane of each -> LaneIndex. An event gets the lowest lane, from a given one
// on, that is free when it starts; so nested events that ask for the lane below their parent's get their nesting depth, and
// overlapping work of a stream spreads over as few lanes as it can. Cost: O(log lanes) an event. Units: ns. Errors: none.
// Thread-compatible.
#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"

namespace warpsight::server {

class LaneAssigner {
 public:
  // Events come by start; `least_lane` is at most lanes().
  uint32_t Place(Ns start, Ns end, uint32_t least_lane = 0);
  uint32_t lanes() const { return lanes_; }

 private:
  void Grow();
  // Lowest lane from `lane` on whose last event ends by `start`; kNone when all are taken.
  uint32_t FirstFree(uint32_t lane, Ns start) const;

  static constexpr uint32_t kNone = ~uint32_t{0};
  // A heap of minima: leaf capacity_ + lane is the end of the lane's last event, a node the least end below it.
  std::vector<Ns> ends_ = {kMinNs, kMinNs};
  uint32_t capacity_ = 1;
  uint32_t lanes_ = 0;
};

}  // namespace warpsight::server
