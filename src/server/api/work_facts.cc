#include "server/api/work_facts.h"

#include <map>

#include "analysis/call_bound.h"
#include "analysis/part.h"
#include "analysis/pass.h"
#include "analysis/work_parts_pass.h"

namespace warpsight::server {

WorkFacts::WorkFacts(const Trace& trace) {
  Analysis analysis(trace, {});
  if (const Result<WorkParts>& parts = analysis.Get<WorkPartsPass>(); parts.ok()) {
    parts_.reserve(trace.gpu().size());
    for (uint32_t row = 0; row < trace.gpu().size(); ++row) parts_.push_back(PartName(parts->part(row)));
  }
  const Result<WorkCosts>& work = analysis.Get<WorkCostsPass>();
  if (!work.ok()) return;
  std::map<int32_t, CallBounds> by_device;
  for (const Device& device : trace.devices())
    by_device.emplace(device.id, CallBounds(*work, PeaksOf(trace, device, analysis.given())));
  call_of_ = work->call_of;
  bounds_.resize(work->calls.size());
  for (size_t i = 0; i < bounds_.size(); ++i) {
    const ChargedCall& call = work->calls[i];
    const auto bounds = by_device.find(call.device);
    if (bounds == by_device.end() || call.work_ns <= 0) continue;
    const std::optional<BoundTime> time = bounds->second.Of(call);
    if (time) bounds_[i] = WorkBound{CostBoundName(time->bound()), time->ns() / static_cast<double>(call.work_ns)};
  }
}

std::optional<WorkBound> WorkFacts::bound(uint32_t gpu_row) const {
  if (call_of_.empty() || call_of_[gpu_row] == kNoRow) return std::nullopt;
  return bounds_[call_of_[gpu_row]];
}

}  // namespace warpsight::server
