#include "analysis/idle_pass.h"

#include <algorithm>
#include <numeric>

#include "analysis/gpu_busy.h"
#include "analysis/host_naming.h"
#include "analysis/idle_classifier.h"
#include "analysis/open_host_events.h"
#include "base/check.h"

namespace warpsight {
namespace {

IdleGap CutGap(const IdleTimeline& timeline, const IdleInterval& interval, Interval window) {
  IdleGap gap;
  gap.time = Intersect(interval.time, window);
  gap.parts = timeline.Cut(interval, window);
  gap.largest = LargestPart(gap.parts);
  gap.wait = interval.wait;
  gap.before = interval.before;
  gap.after = interval.after;
  return gap;
}

IdleDevice CutDevice(const Trace& trace, const IdleTimeline& timeline, const DeviceBusy& busy, Interval window,
                     std::span<const std::vector<uint32_t>> overhead_by_thread) {
  IdleDevice device;
  device.device = timeline.device();
  device.window = window;
  device.busy_ns = busy.Busy(window);
  device.idle_ns = window.duration() - device.busy_ns;
  device.classes = timeline.Cut(window);
  device.launch_after_start = timeline.launch_after_start;
  CHECK(Sum(device.classes) == device.idle_ns);

  const auto [first, end] = timeline.GapsIn(window);
  const std::span<const IdleInterval> gaps = std::span(timeline.gaps()).subspan(first, end - first);
  device.gaps.reserve(gaps.size());
  for (const IdleInterval& interval : gaps) {
    device.gaps.push_back(CutGap(timeline, interval, window));
    const IdleGap& gap = device.gaps.back();
    device.device_wait_ns[static_cast<size_t>(gap.wait)] += PartOf(gap.parts, IdleClass::kDeviceWait);
  }
  NameHostTime(trace, timeline, gaps, overhead_by_thread, device);
  return device;
}

}  // namespace

std::vector<uint32_t> IdleDevice::LongestGaps(size_t limit) const {
  std::vector<uint32_t> order(gaps.size());
  std::iota(order.begin(), order.end(), 0u);
  const size_t count = std::min(limit, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count), order.end(),
                    [this](uint32_t a, uint32_t b) {
                      const Ns length_a = gaps[a].time.duration();
                      const Ns length_b = gaps[b].time.duration();
                      return length_a != length_b ? length_a > length_b : a < b;
                    });
  order.resize(count);
  return order;
}

Result<std::vector<IdleTimeline>> IdleTimelinesPass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  // Sums of classes are held in Ns.
  if (trace.capture().duration() == kMaxNs) {
    return LacksError(
        "the times of the trace span more than 292 years, so idle time cannot be told: its time stamps are damaged");
  }
  const ApiCallKinds kinds(trace);
  const SyncCalls syncs(trace, kinds);
  std::vector<IdleTimeline> timelines;
  for (const Device& device : trace.devices()) {
    if (device.has_work) timelines.push_back(IdleClassifier(trace, kinds, syncs, device).Run());
  }
  return timelines;
}

Result<IdleResult> IdlePass::Run(Analysis& analysis) {
  const Result<GpuBusy>& busy = analysis.Get<GpuBusyPass>();
  if (!busy.ok()) return busy.status();
  const Result<std::vector<IdleTimeline>>& timelines = analysis.Get<IdleTimelinesPass>();
  if (!timelines.ok()) return timelines.status();
  if (analysis.window().duration() == kMaxNs) return LacksError("the selected range is longer than 292 years");
  const std::vector<std::vector<uint32_t>> overhead_by_thread = OverheadByThread(analysis.trace());

  IdleResult result;
  result.window_ns = analysis.window().duration();
  for (const IdleTimeline& timeline : *timelines) {
    if (analysis.selection().device.value_or(timeline.device()) != timeline.device()) continue;
    result.devices.push_back(
        CutDevice(analysis.trace(), timeline, *busy->Find(timeline.device()), analysis.window(), overhead_by_thread));
  }
  if (result.devices.empty()) return LacksError("the selected device has no GPU work in this trace");
  return result;
}

}  // namespace warpsight
