#include "analysis/forward_join.h"

#include <algorithm>
#include <map>
#include <utility>

namespace warpsight {
namespace {

uint64_t KeyOf(ThreadIndex thread, uint32_t number) { return uint64_t{thread} << 32 | number; }

}  // namespace

ForwardJoin::ForwardJoin(const Trace& trace) : host_(trace.host()) {
  std::vector<uint32_t> backward;
  for (uint32_t row = 0; row < host_.size(); ++row) {
    if (host_.forward_thread[row] != 0 && host_.sequence_plus_one[row] != 0) backward.push_back(row);
  }
  if (backward.empty()) return;  // inference: no op is joined, and most ops carry one and the same number
  std::unordered_map<uint32_t, uint8_t> wanted;
  for (const uint32_t row : backward) wanted.emplace(host_.sequence_plus_one[row], uint8_t{1});
  for (uint32_t row = 0; row < host_.size(); ++row) {
    const uint32_t number = host_.sequence_plus_one[row];
    if (number == 0 || host_.forward_thread[row] != 0 || !wanted.contains(number)) continue;
    rows_[KeyOf(host_.thread[row], number)].push_back(row);
  }
  std::map<std::pair<uint16_t, ThreadIndex>, int64_t> fits;
  for (const uint32_t row : backward) {
    for (ThreadIndex thread = 0; thread < trace.threads().size(); ++thread) {
      if (rows_.contains(KeyOf(thread, host_.sequence_plus_one[row]))) ++fits[{host_.forward_thread[row], thread}];
    }
  }
  std::map<uint16_t, int64_t> best;
  for (const auto& [key, count] : fits) {
    if (count <= best[key.first]) continue;
    best[key.first] = count;
    thread_of_id_[key.first] = key.second;
  }
}

uint32_t ForwardJoin::ForwardOf(uint32_t backward_row) const {
  const auto thread = thread_of_id_.find(host_.forward_thread[backward_row]);
  if (host_.forward_thread[backward_row] == 0 || thread == thread_of_id_.end()) return kNoRow;
  const auto rows = rows_.find(KeyOf(thread->second, host_.sequence_plus_one[backward_row]));
  if (rows == rows_.end()) return kNoRow;
  const Ns start = host_.start_ns[backward_row];
  const auto after = std::upper_bound(rows->second.begin(), rows->second.end(), start,
                                      [this](Ns time, uint32_t row) { return time < host_.start_ns[row]; });
  return after == rows->second.begin() ? kNoRow : *std::prev(after);
}

}  // namespace warpsight
