#include "analysis/kernels_pass.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "analysis/gpu_busy.h"
#include "analysis/kernel_family.h"
#include "analysis/parts_pass.h"
#include "analysis/work_steps_pass.h"

namespace warpsight {
namespace {

struct NameSum {
  uint32_t first_row = 0;  // any row of the group: name, kind, device
  int64_t calls = 0;
  int64_t calls_in_steps = 0;
  Ns total_ns = 0;  // cut at the window
  Ns whole_ns = 0;  // of the calls that start in the window
  Ns min_ns = kMaxNs;
  Ns max_ns = 0;
};

class KernelSums {
 public:
  KernelSums(const Trace& trace, const std::optional<Interval>& range, const WorkSteps& steps)
      : trace_(trace),
        gpu_(trace.gpu()),
        range_(range),
        steps_(steps),
        sum_of_name_(trace.strings().size() * kKinds, kNoRow) {}

  void AddDevice(const Device& device) {
    const size_t first_sum = sums_.size();
    for (uint32_t row = device.first_work; row < device.end_work; ++row) AddRow(row);
    for (size_t at = first_sum; at < sums_.size(); ++at) SlotOf(sums_[at].first_row) = kNoRow;
  }
  const std::vector<NameSum>& sums() const { return sums_; }

 private:
  static constexpr size_t kKinds = 3;

  uint32_t& SlotOf(uint32_t row) {
    return sum_of_name_[static_cast<uint32_t>(gpu_.name[row]) * kKinds + static_cast<size_t>(gpu_.kind[row])];
  }

  void AddRow(uint32_t row) {
    const Interval whole{gpu_.start_ns[row], gpu_.end_ns[row]};
    const bool starts = !range_ || range_->Contains(whole.start);
    const Ns inside = (range_ ? Intersect(whole, *range_) : whole).duration();
    const bool in_step = steps_.Holds(row);
    if (!starts && inside == 0 && !in_step) return;
    uint32_t& slot = SlotOf(row);
    if (slot == kNoRow) {
      slot = static_cast<uint32_t>(sums_.size());
      sums_.push_back({.first_row = row});
    }
    NameSum& sum = sums_[slot];
    sum.total_ns = SaturatingAdd(sum.total_ns, inside);
    sum.calls_in_steps += in_step ? 1 : 0;
    if (!starts) return;
    ++sum.calls;
    sum.whole_ns = SaturatingAdd(sum.whole_ns, whole.duration());
    sum.min_ns = std::min(sum.min_ns, whole.duration());
    sum.max_ns = std::max(sum.max_ns, whole.duration());
  }

  const Trace& trace_;
  const GpuWork& gpu_;
  const std::optional<Interval>& range_;
  const WorkSteps& steps_;
  std::vector<uint32_t> sum_of_name_;  // by StringId and kind, for one device at a time
  std::vector<NameSum> sums_;
};

KernelRow MakeRow(const Trace& trace, const NameSum& sum, int64_t steps, FamiliesOf& families,
                  const std::optional<PartOfKernel>& parts) {
  KernelRow row;
  row.name = trace.Text(trace.gpu().name[sum.first_row]);
  row.kind = trace.gpu().kind[sum.first_row];
  row.device = trace.device_of(sum.first_row);
  row.family = families.family(sum.first_row);
  if (parts) row.part = parts->part(trace.gpu().name[sum.first_row], row.kind);
  row.calls = sum.calls;
  if (steps > 0) row.calls_per_step = static_cast<double>(sum.calls_in_steps) / static_cast<double>(steps);
  row.total_ns = sum.total_ns;
  if (sum.calls > 0) {
    row.mean_ns = sum.whole_ns / sum.calls + (sum.whole_ns % sum.calls * 2 >= sum.calls ? 1 : 0);
    row.min_ns = sum.min_ns;
    row.max_ns = sum.max_ns;
  }
  return row;
}

}  // namespace

Result<KernelsResult> KernelsPass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  const Selection& selection = analysis.selection();
  const Result<GpuBusy>& busy = analysis.Get<GpuBusyPass>();
  if (!busy.ok()) return busy.status();

  const Result<WorkSteps>& steps = analysis.Get<WorkStepsPass>();
  if (!steps.ok()) return steps.status();

  KernelSums sums(trace, selection.range, *steps);
  KernelsResult result;
  for (const Device& device : trace.devices()) {
    if (!device.has_work || (selection.device && device.id != *selection.device)) continue;
    sums.AddDevice(device);
    if (const DeviceBusy* of_device = busy->Find(device.id)) {
      result.gpu_busy_ns = SaturatingAdd(result.gpu_busy_ns, of_device->Busy(analysis.window()));
    }
  }
  const Result<WorkParts>& work_parts = analysis.Get<WorkPartsPass>();
  std::optional<PartOfKernel> parts;
  if (work_parts.ok()) parts.emplace(*work_parts);
  FamiliesOf families(trace);
  double all_ns = 0;  // shares of it add up to 1 also where the sum in ns is held at its end
  for (const NameSum& sum : sums.sums()) {
    if (sum.calls == 0 && sum.total_ns == 0) continue;
    result.gpu_work_ns = SaturatingAdd(result.gpu_work_ns, sum.total_ns);
    all_ns += static_cast<double>(sum.total_ns);
    result.rows.push_back(MakeRow(trace, sum, steps->steps, families, parts));
  }
  for (KernelRow& row : result.rows) {
    if (all_ns > 0) row.gpu_share = static_cast<double>(row.total_ns) / all_ns;
  }
  std::sort(result.rows.begin(), result.rows.end(), [](const KernelRow& a, const KernelRow& b) {
    return std::tie(b.total_ns, a.name, a.device, a.kind) < std::tie(a.total_ns, b.name, b.device, b.kind);
  });
  return result;
}

}  // namespace warpsight
