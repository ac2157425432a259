#include "analysis/idle_pass.h"

#include <algorithm>
#include <utility>

#include "analysis/gpu_busy.h"
#include "analysis/host_naming.h"
#include "analysis/idle_classifier.h"
#include "analysis/open_host_events.h"
#include "base/check.h"

namespace warpsight {
namespace {

std::span<const IdleInterval> GapsIn(const IdleTimeline& timeline, Interval window) {
  const auto [first, end] = timeline.GapsIn(window);
  return std::span(timeline.gaps()).subspan(first, end - first);
}

// Of the thread that launched what ends the gap.
OffCpu OffCpuInHostWork(const Trace& trace, const IdleTimeline& timeline, const IdleInterval& gap, Interval window) {
  OffCpu off;
  const uint32_t launch = gap.after == kNoRow ? kNoRow : trace.gpu().launch[gap.after];
  if (launch == kNoRow || trace.thread_switches().size() == 0) return off;
  for (const IdlePiece& piece : timeline.pieces(gap)) {
    if (piece.kind == IdleClass::kHostWork)
      off += OffCpuIn(trace, trace.host().thread[launch], Intersect(piece.time, window));
  }
  return off;
}

IdleGap CutGap(const Trace& trace, const IdleTimeline& timeline, const IdleInterval& interval, Interval window,
               const GapHosts& hosts) {
  IdleGap gap;
  gap.time = Intersect(interval.time, window);
  gap.parts = timeline.Cut(interval, window);
  gap.largest = LargestPart(gap.parts);
  gap.wait = interval.wait;
  gap.before = interval.before;
  gap.after = interval.after;
  gap.hosts = hosts.names;
  gap.host_ns = hosts.first_ns;
  gap.unnamed_ns = hosts.unnamed_ns;
  gap.sampled = hosts.sampled;
  gap.off_cpu = OffCpuInHostWork(trace, timeline, interval, window);
  return gap;
}

std::vector<uint32_t> IndicesOfLongest(std::span<const IdleInterval> gaps, Interval window, size_t limit) {
  using Length = std::pair<Ns, uint32_t>;
  const auto longer = [](const Length& a, const Length& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  // A heap of the longest so far, the shortest of them in front: of many gaps few get in.
  std::vector<Length> longest;
  longest.reserve(std::min(limit, gaps.size()));
  for (uint32_t i = 0; i < gaps.size() && limit > 0; ++i) {
    const Length length(Intersect(gaps[i].time, window).duration(), i);
    if (longest.size() == limit) {
      if (!longer(length, longest.front())) continue;
      std::pop_heap(longest.begin(), longest.end(), longer);
      longest.pop_back();
    }
    longest.push_back(length);
    std::push_heap(longest.begin(), longest.end(), longer);
  }
  std::sort_heap(longest.begin(), longest.end(), longer);
  std::vector<uint32_t> order;
  order.reserve(longest.size());
  for (const Length& length : longest) order.push_back(length.second);
  return order;
}

std::vector<IdleGap> Describe(const Trace& trace, const IdleTimeline& timeline, std::span<const IdleInterval> gaps,
                              Interval window, std::span<const uint32_t> indices, std::span<const GapHosts> hosts) {
  std::vector<IdleGap> described;
  described.reserve(indices.size());
  for (size_t i = 0; i < indices.size(); ++i)
    described.push_back(CutGap(trace, timeline, gaps[indices[i]], window, hosts[i]));
  return described;
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
  device.timeline = &timeline;
  CHECK(Sum(device.classes) == device.idle_ns);

  const std::span<const IdleInterval> gaps = GapsIn(timeline, window);
  device.gap_count = gaps.size();
  for (const IdleInterval& gap : gaps) {
    const IdleParts parts = timeline.Cut(gap, window);
    ++device.gaps_by_largest[static_cast<size_t>(LargestPart(parts))];
    device.off_cpu += OffCpuInHostWork(trace, timeline, gap, window);
    device.device_wait_ns[static_cast<size_t>(gap.wait)] += PartOf(parts, IdleClass::kDeviceWait);
  }
  const std::vector<uint32_t> longest = IndicesOfLongest(gaps, window, kDescribedGaps);
  HostNames names = NameHostTime(trace, timeline, gaps, window, overhead_by_thread, longest);
  device.longest = Describe(trace, timeline, gaps, window, longest, names.of_gaps);
  device.host_by_class = std::move(names.by_class);
  return device;
}

}  // namespace

std::vector<IdleGap> LongestGaps(const Trace& trace, const IdleDevice& device, size_t limit) {
  if (limit <= device.longest.size() || device.longest.size() == device.gap_count) {
    const size_t count = std::min(limit, device.longest.size());
    return {device.longest.begin(), device.longest.begin() + static_cast<ptrdiff_t>(count)};
  }
  const std::span<const IdleInterval> gaps = GapsIn(*device.timeline, device.window);
  const std::vector<uint32_t> longest = IndicesOfLongest(gaps, device.window, limit);
  const HostNames names = NameHostTime(trace, *device.timeline, gaps, device.window, OverheadByThread(trace), longest);
  return Describe(trace, *device.timeline, gaps, device.window, longest, names.of_gaps);
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
