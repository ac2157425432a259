#include "diagnosis/exposed_time.h"

#include <algorithm>

#include "analysis/interval_union.h"

namespace warpsight {

ExposedTime MeasureExposed(const Trace& trace, const StepFrame& frame, const FrameWork& work,
                           const std::function<bool(uint32_t gpu_row)>& chosen) {
  const GpuWork& gpu = trace.gpu();
  std::vector<uint32_t> all_chosen;
  for (uint32_t row = work.first_row; row < work.end_row(); ++row) {
    if (chosen(row)) all_chosen.push_back(row);
  }
  ExposedTime result;
  // Most traces have nothing to choose for most rules: then nobody asks for the rest.
  if (all_chosen.empty()) return result;
  IntervalUnion others;
  std::vector<uint32_t> rows;
  auto next = all_chosen.begin();
  for (uint32_t row = work.first_row; row < work.end_row(); ++row) {
    if (next != all_chosen.end() && *next == row) {
      ++next;
      if (work.Step(row) != kNoRow) rows.push_back(row);
    } else {
      others.Append({gpu.start_ns[row], gpu.end_ns[row]});
    }
  }
  for (const Interval window : frame.windows) result.others_ns = SaturatingAdd(result.others_ns, others.Measure(window));
  for (const uint32_t row : rows) {
    const Interval inside = Intersect({gpu.start_ns[row], gpu.end_ns[row]}, frame.windows[work.Step(row)]);
    // What other chosen rows cover as well belongs to one of them only.
    const Ns alone = inside.empty() ? 0 : inside.duration() - others.Measure(inside);
    const Ns exposed = std::min(alone, work.OwnNs(row));
    result.rows.push_back({row, exposed});
    result.exposed_ns = SaturatingAdd(result.exposed_ns, exposed);
    result.work_ns = SaturatingAdd(result.work_ns, gpu.duration_ns(row));
  }
  return result;
}

Claims HideBehindOthers(const ExposedTime& exposed) {
  Claims claims;
  Ns left = exposed.others_ns;
  for (const Claims::Row& row : exposed.rows) {
    const Ns time = std::min(row.time_ns, left);
    if (time > 0) claims.Add(row.gpu_row, time);
    left -= time;
  }
  return claims;
}

}  // namespace warpsight
