#include "diagnosis/finding_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/idle_classes.h"
#include "analysis/idle_pass.h"
#include "diagnosis/step_frame.h"

namespace warpsight {
namespace {

constexpr size_t kMostOfAKind = 3;
constexpr size_t kMost = 5;

// Of equal times the earlier first.
void AddWork(const Trace& trace, const Claims& claims, std::vector<FindingPlace>& places) {
  std::vector<Claims::Row> rows = claims.rows;
  const size_t most = std::min(kMostOfAKind, rows.size());
  std::partial_sort(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(most), rows.end(),
                    [](const Claims::Row& a, const Claims::Row& b) {
                      return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : a.gpu_row < b.gpu_row;
                    });
  rows.resize(most);
  for (const Claims::Row& row : rows) {
    if (row.gpu_row == kNoRow) continue;
    const GpuWork& gpu = trace.gpu();
    places.push_back({{gpu.start_ns[row.gpu_row], gpu.end_ns[row.gpu_row]}, std::string(trace.Text(gpu.name[row.gpu_row]))});
  }
}

// Of the device that is judged, in its steps.
void AddGaps(Analysis& analysis, const Claims& claims, std::vector<FindingPlace>& places) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  if (!frame || !idle.ok()) return;
  size_t added = 0;
  for (const IdleDevice& device : idle->devices) {
    if (device.device != frame->device) continue;
    for (const IdleGap& gap : device.longest) {
      if (claims.idle[static_cast<size_t>(gap.largest)] <= 0 || added == kMostOfAKind) continue;
      places.push_back({gap.time, fmt::format("gap: {}", InfoOf(gap.largest).label)});
      ++added;
    }
  }
}

}  // namespace

std::vector<FindingPlace> PlacesOf(Analysis& analysis, const Finding& finding) {
  std::vector<FindingPlace> places;
  AddWork(analysis.trace(), finding.claims, places);
  AddGaps(analysis, finding.claims, places);
  if (places.size() > kMost) places.resize(kMost);
  return places;
}

}  // namespace warpsight
