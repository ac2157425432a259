#include "analysis/collective_busy.h"

#include <algorithm>

#include "analysis/kernel_family.h"

namespace warpsight {
namespace {

bool IsCollective(const Trace& trace, uint32_t row, FamiliesOf& families) {
  const GpuWork& gpu = trace.gpu();
  return gpu.kind[row] == GpuKind::kKernel && (gpu.collective[row] != 0 || families.family(row) == "collective");
}

std::vector<uint32_t> CollectivesOf(const Trace& trace, const Device& device, FamiliesOf& families) {
  std::vector<uint32_t> rows;
  for (uint32_t row = device.first_work; row < device.end_work; ++row) {
    if (IsCollective(trace, row, families)) rows.push_back(row);
  }
  return rows;
}

}  // namespace

Ns CollectiveBusy::Exposed(Interval window) const {
  // The union of both is the busy time; what `others` covers of it is not exposed.
  Ns exposed = 0;
  const auto merged = collectives.merged();
  auto at = std::lower_bound(merged.begin(), merged.end(), window.start,
                             [](const Interval& one, Ns start) { return one.end <= start; });
  for (; at != merged.end() && at->start < window.end; ++at) exposed = SaturatingAdd(exposed, ExposedOf(*at, window));
  return exposed;
}

Ns CollectiveBusy::ExposedOf(Interval call, Interval window) const {
  const Interval inside = Intersect(call, window);
  return inside.duration() - others.Measure(inside);
}

Result<std::vector<CollectiveBusy>> CollectiveBusyPass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  const GpuWork& gpu = trace.gpu();
  FamiliesOf families(trace);
  std::vector<CollectiveBusy> devices;
  for (const Device& device : trace.devices()) {
    if (!device.has_work) continue;
    std::vector<uint32_t> rows = CollectivesOf(trace, device, families);
    if (rows.empty()) continue;  // most recordings: nothing more to build
    CollectiveBusy& busy = devices.emplace_back();
    busy.device = device.id;
    busy.others.Reserve(device.end_work - device.first_work - rows.size());
    size_t next = 0;
    for (uint32_t row = device.first_work; row < device.end_work; ++row) {
      const bool collective = next < rows.size() && rows[next] == row;
      if (collective) ++next;
      (collective ? busy.collectives : busy.others).Append({gpu.start_ns[row], gpu.end_ns[row]});
    }
    busy.rows = std::move(rows);
  }
  return devices;
}

const CollectiveBusy* FindCollectiveBusy(const std::vector<CollectiveBusy>& devices, int32_t device) {
  const auto found =
      std::find_if(devices.begin(), devices.end(), [device](const CollectiveBusy& one) { return one.device == device; });
  return found == devices.end() ? nullptr : &*found;
}

}  // namespace warpsight
