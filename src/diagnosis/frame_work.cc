#include "diagnosis/frame_work.h"

#include <algorithm>

#include "analysis/kernel_family.h"
#include "diagnosis/step_frame.h"

namespace warpsight {
namespace {

// Time of `time` inside of the windows, which are sorted and disjoint. Successive calls must not go back before
// `windows[at]`; `at` moves forward over windows that end before.
Ns InsideOf(const std::vector<Interval>& windows, Interval time, size_t& at) {
  while (at < windows.size() && windows[at].end <= time.start) ++at;
  Ns inside = 0;
  for (size_t i = at; i < windows.size() && windows[i].start < time.end; ++i)
    inside += Intersect(windows[i], time).duration();
  return inside;
}

}  // namespace

Result<FrameWork> FrameWorkPass::Run(Analysis& analysis) {
  const Result<FrameWindows>& frame = analysis.Get<FrameWindowsPass>();
  if (!frame.ok()) return frame.status();
  const Trace& trace = analysis.trace();
  const GpuWork& gpu = trace.gpu();
  const Device& device = *trace.FindDevice(frame->device);
  FrameWork work;
  work.first_row = device.first_work;
  const size_t count = device.end_work - device.first_work;
  work.own_ns.resize(count);
  work.op.resize(count);
  work.step.assign(count, kNoRow);
  work.family.resize(count);
  std::vector<std::vector<uint32_t>> by_stream(trace.streams().size());
  FamiliesOf families(trace);
  WorkOpsOf ops(trace);
  Ns covered_end = kMinNs;
  size_t at = 0;
  for (uint32_t row = device.first_work; row < device.end_work; ++row) {
    const size_t i = row - device.first_work;
    const Interval own{std::max(gpu.start_ns[row], covered_end), gpu.end_ns[row]};
    if (!own.empty()) work.own_ns[i] = InsideOf(frame->windows, own, at);
    covered_end = std::max(covered_end, gpu.end_ns[row]);
    work.op[i] = ops.op(row);
    work.family[i] = families.family(row);
    const auto window =
        std::ranges::partition_point(frame->windows, [&](const Interval& one) { return one.end <= gpu.start_ns[row]; });
    if (window == frame->windows.end() || !window->Contains(gpu.start_ns[row])) continue;
    work.step[i] = static_cast<uint32_t>(window - frame->windows.begin());
    by_stream[gpu.stream[row]].push_back(row);
  }
  for (std::vector<uint32_t>& rows : by_stream) {
    if (!rows.empty()) work.by_stream.push_back(std::move(rows));
  }
  return work;
}

}  // namespace warpsight
