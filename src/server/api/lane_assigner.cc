#include "server/api/lane_assigner.h"

#include <algorithm>

namespace warpsight::server {

uint32_t LaneAssigner::Place(Ns start, Ns end, uint32_t least_lane) {
  uint32_t lane = FirstFree(least_lane, start);
  while (lane == kNone) {
    Grow();
    lane = FirstFree(least_lane, start);
  }
  lanes_ = std::max(lanes_, lane + 1);
  uint32_t node = capacity_ + lane;
  ends_[node] = std::max(ends_[node], std::max(start, end));
  while (node > 1) {
    node /= 2;
    const Ns least = std::min(ends_[2 * node], ends_[2 * node + 1]);
    if (ends_[node] == least) break;
    ends_[node] = least;
  }
  return lane;
}

uint32_t LaneAssigner::FirstFree(uint32_t lane, Ns start) const {
  if (lane >= capacity_) return kNone;
  uint32_t node = capacity_ + lane;
  // Up to a node, right of the way that we came, that holds a free lane.
  while (ends_[node] > start) {
    while (node % 2 == 1) node /= 2;
    if (node == 0) return kNone;
    ++node;
  }
  while (node < capacity_) {
    node *= 2;
    if (ends_[node] > start) ++node;
  }
  return node - capacity_;
}

void LaneAssigner::Grow() {
  std::vector<Ns> ends(size_t{capacity_} * 4, kMinNs);
  std::copy_n(ends_.begin() + capacity_, capacity_, ends.begin() + 2 * static_cast<int64_t>(capacity_));
  capacity_ *= 2;
  for (uint32_t node = capacity_ - 1; node > 0; --node) ends[node] = std::min(ends[2 * node], ends[2 * node + 1]);
  ends_ = std::move(ends);
}

}  // namespace warpsight::server
