#include "analysis/round_trip.h"

#include <algorithm>
#include <bit>

namespace warpsight {

RoundTrips::RoundTrips(const Trace& trace, const ApiCallKinds& kinds, const Device& device) : trace_(trace), kinds_(kinds) {
  const GpuWork& gpu = trace.gpu();
  for (uint32_t row = device.first_work; row < device.end_work; ++row) {
    const uint32_t launch = gpu.launch[row];
    if (launch == kNoRow) continue;
    by_end_.push_back(row);
    if (kinds.kind(launch) == ApiCallKind::kBlockingCopy) own_work_.emplace_back(launch, row);
  }
  const auto ends_earlier = [&gpu](uint32_t a, uint32_t b) {
    return gpu.end_ns[a] != gpu.end_ns[b] ? gpu.end_ns[a] < gpu.end_ns[b] : a < b;
  };
  if (!std::is_sorted(by_end_.begin(), by_end_.end(), ends_earlier)) std::sort(by_end_.begin(), by_end_.end(), ends_earlier);
  std::sort(own_work_.begin(), own_work_.end());

  leaves_ = std::bit_ceil(std::max<size_t>(by_end_.size(), 1));
  tree_.assign(2 * leaves_, kMaxNs);
  for (size_t i = 0; i < by_end_.size(); ++i) tree_[leaves_ + i] = trace.host().start_ns[gpu.launch[by_end_[i]]];
  for (size_t node = leaves_ - 1; node > 0; --node) tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
}

size_t RoundTrips::LastLaunchedBefore(Ns launch_limit, size_t end) const {
  // Climb from the border to the right to the first subtree on its left that holds an answer, then descend to its last leaf.
  size_t node = leaves_ + end;
  if (end == leaves_) {
    if (tree_[1] >= launch_limit) return by_end_.size();
    node = 1;
  } else {
    while (node > 1 && ((node & 1) == 0 || tree_[node - 1] >= launch_limit)) node /= 2;
    if (node <= 1) return by_end_.size();
    --node;
  }
  while (node < leaves_) node = tree_[2 * node + 1] < launch_limit ? 2 * node + 1 : 2 * node;
  return node - leaves_;
}

bool RoundTrips::WaitedForCopyToHost(uint32_t call) const {
  const GpuWork& gpu = trace_.gpu();
  if (kinds_.kind(call) == ApiCallKind::kBlockingCopy) {
    auto own = std::lower_bound(own_work_.begin(), own_work_.end(), std::pair(call, uint32_t{0}));
    if (own != own_work_.end() && own->first == call) {
      for (; own != own_work_.end() && own->first == call; ++own) {
        if (gpu.copy_kind[own->second] == CopyKind::kDeviceToHost) return true;
      }
      return false;
    }
  }
  const Ns call_end = trace_.host().end_ns[call];
  const auto border = std::upper_bound(by_end_.begin(), by_end_.end(), call_end,
                                       [&gpu](Ns time, uint32_t row) { return time < gpu.end_ns[row]; });
  const size_t last = LastLaunchedBefore(trace_.host().start_ns[call], static_cast<size_t>(border - by_end_.begin()));
  return last < by_end_.size() && gpu.copy_kind[by_end_[last]] == CopyKind::kDeviceToHost;
}

}  // namespace warpsight
