#include "diagnosis/step_frame.h"

#include <algorithm>
#include <cmath>

#include "analysis/call_bound.h"
#include "analysis/gpu_busy.h"
#include "analysis/idle_pass.h"
#include "analysis/thresholds.h"
#include "base/rounded_ns.h"

namespace warpsight {
namespace {

std::optional<int32_t> BusiestDevice(Analysis& analysis) {
  const Result<GpuBusy>& busy = analysis.Get<GpuBusyPass>();
  if (!busy.ok()) return std::nullopt;
  std::optional<int32_t> best;
  Ns most = -1;
  for (const DeviceBusy& device : busy->devices) {
    if (analysis.selection().device && *analysis.selection().device != device.device()) continue;
    const Ns time = device.Busy(analysis.window());
    if (time > most) {
      most = time;
      best = device.device();
    }
  }
  return best;
}

// From the first to the last GPU work of the device.
Interval GpuSpan(const Trace& trace, int32_t device) {
  const Device& entry = *trace.FindDevice(device);
  if (entry.first_work == entry.end_work) return {};
  Interval span{trace.gpu().start_ns[entry.first_work], trace.gpu().start_ns[entry.first_work]};
  for (uint32_t row = entry.first_work; row < entry.end_work; ++row) span.end = std::max(span.end, trace.gpu().end_ns[row]);
  return span;
}

void AddStep(const StepWindow& window, const StepGpu& gpu, StepFrame& frame, StepGpu& sum) {
  frame.wall_ns = SaturatingAdd(frame.wall_ns, window.time.duration());
  frame.busy_ns = SaturatingAdd(frame.busy_ns, gpu.busy_ns);
  frame.work_ns = SaturatingAdd(frame.work_ns, gpu.work_ns);
  frame.kernels += gpu.kernels;
  frame.launches += gpu.launches;
  sum.busy_ns = frame.busy_ns;
  sum.idle_ns = SaturatingAdd(sum.idle_ns, gpu.idle_ns);
  sum.kernels = frame.kernels;
  sum.kernel_ns = SaturatingAdd(sum.kernel_ns, gpu.kernel_ns);
  sum.exposed_collective_ns = SaturatingAdd(sum.exposed_collective_ns, gpu.exposed_collective_ns);
}

int64_t LaunchesIn(const Trace& trace, int32_t device, Interval window) {
  const Device* entry = trace.FindDevice(device);
  std::vector<uint32_t> calls;
  for (uint32_t row = entry->first_work; row < entry->end_work; ++row) {
    const uint32_t call = trace.gpu().launch[row];
    if (call != kNoRow && window.Contains(trace.host().start_ns[call])) calls.push_back(call);
  }
  std::sort(calls.begin(), calls.end());
  return std::unique(calls.begin(), calls.end()) - calls.begin();
}

void SetBounds(StepGpu sum, StepFrame& frame) {
  frame.bound = BoundOf(sum, frame.wall_ns);
  sum.idle_ns = 0;
  frame.busy_bound = BoundOf(sum, frame.wall_ns);
}

void FillFromWindow(Analysis& analysis, StepFrame& frame) {
  const Interval window = frame.windows.front();
  const DeviceBusy* busy = analysis.Get<GpuBusyPass>()->Find(frame.device);
  frame.wall_ns = window.duration();
  frame.busy_ns = busy->Busy(window);
  frame.work_ns = busy->Work(window);
  frame.kernels = busy->Counts(window).kernels;
  // The first call lies before the first GPU work, so calls are looked for in all that was selected.
  frame.launches = LaunchesIn(analysis.trace(), frame.device, analysis.window());
  StepGpu sum;
  sum.busy_ns = frame.busy_ns;
  sum.idle_ns = frame.idle_ns();
  sum.kernels = frame.kernels;
  sum.kernel_ns = frame.work_ns;
  SetBounds(sum, frame);
}

StepBound BoundByRoofline(Analysis& analysis, const StepFrame& frame, StepBound by_times) {
  BoundSums all;
  for (const BoundSums& sums : SumBounds(analysis, *analysis.trace().FindDevice(frame.device), frame.windows)) {
    all.work_ns = SaturatingAdd(all.work_ns, sums.work_ns);
    all.bounded_ns = SaturatingAdd(all.bounded_ns, sums.bounded_ns);
    all.memory_ns = SaturatingAdd(all.memory_ns, sums.memory_ns);
    all.compute_ns = SaturatingAdd(all.compute_ns, sums.compute_ns);
  }
  return BoundOf(by_times, all);
}

const IdleTimeline* TimelineOf(Analysis& analysis, int32_t device) {
  const Result<std::vector<IdleTimeline>>& timelines = analysis.Get<IdleTimelinesPass>();
  if (!timelines.ok()) return nullptr;
  const auto found =
      std::find_if(timelines->begin(), timelines->end(), [&](const IdleTimeline& t) { return t.device() == device; });
  return found == timelines->end() ? nullptr : &*found;
}

std::optional<StepFrame> ComputeStepFrame(Analysis& analysis) {
  const Result<FrameWindows>& windows = analysis.Get<FrameWindowsPass>();
  if (!windows.ok()) return std::nullopt;
  StepFrame frame;
  frame.device = windows->device;
  frame.has_steps = windows->has_steps;
  frame.is_gpu_span = windows->is_gpu_span;
  frame.windows = windows->windows;
  StepGpu sum;
  if (frame.has_steps) {
    const StepsResult& steps = *analysis.Get<StepsPass>();
    for (const StepRow& row : steps.rows) {
      if (row.gpu && row.gpu->device == frame.device) AddStep(steps.steps[row.step], *row.gpu, frame, sum);
    }
  }
  frame.steps = std::max<int64_t>(1, static_cast<int64_t>(frame.windows.size()));
  SetBounds(sum, frame);
  frame.exposed_collective_ns = sum.exposed_collective_ns;
  if (!frame.has_steps) FillFromWindow(analysis, frame);
  const bool open = AsksRoofline(frame.bound) || analysis.given().measured_step_ns.has_value();
  if (open && AsksRoofline(frame.busy_bound)) frame.busy_bound = BoundByRoofline(analysis, frame, frame.busy_bound);
  if (AsksRoofline(frame.bound)) frame.bound = frame.busy_bound;
  if (const IdleTimeline* timeline = TimelineOf(analysis, frame.device); timeline != nullptr) {
    for (const Interval window : frame.windows) {
      const IdleParts parts = timeline->Cut(window);
      for (size_t i = 0; i < kIdleClassCount; ++i) frame.idle[i] = SaturatingAdd(frame.idle[i], parts[i]);
    }
  }
  return frame;
}

struct StepFramePass {
  using Output = std::optional<StepFrame>;
  static constexpr std::string_view kName = "step_frame";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis) { return ComputeStepFrame(analysis); }
};

}  // namespace

Result<FrameWindows> FrameWindowsPass::Run(Analysis& analysis) {
  const std::optional<int32_t> device = BusiestDevice(analysis);
  if (!device) return LacksError("no GPU work on the selected device");
  FrameWindows frame;
  frame.device = *device;
  if (const Result<StepsResult>& steps = analysis.Get<StepsPass>(); steps.ok()) {
    for (const StepRow& row : steps->rows) {
      if (row.gpu && row.gpu->device == frame.device) frame.windows.push_back(steps->steps[row.step].time);
    }
  }
  frame.has_steps = !frame.windows.empty();
  if (frame.has_steps) return frame;
  frame.windows = {analysis.window()};
  if (analysis.selection().range) return frame;
  if (const Interval span = GpuSpan(analysis.trace(), *device); !span.empty()) {
    frame.is_gpu_span = true;
    frame.windows = {span};
  }
  return frame;
}

std::optional<StepFrame> MakeStepFrame(Analysis& analysis) { return *analysis.Get<StepFramePass>(); }

Severity SeverityOfGain(Ns gain_per_step_ns, Ns step_ns) {
  const double share = step_ns == 0 ? 0 : static_cast<double>(gain_per_step_ns) / static_cast<double>(step_ns);
  if (share >= ThresholdShare("finding_high")) return Severity::kHigh;
  return share >= ThresholdShare("finding_medium") ? Severity::kMedium : Severity::kLow;
}

Ns LeastIdleGain(const StepFrame& frame) {
  return RoundedNs(std::ceil(ThresholdShare("finding_least_share") * static_cast<double>(frame.wall_ns)));
}

Ns LeastBusyGain(const StepFrame& frame) {
  const double of_busy = ThresholdShare("finding_least_busy_share") * static_cast<double>(frame.busy_ns);
  const double of_wall = ThresholdShare("finding_least_busy_gain_of_step") * static_cast<double>(frame.wall_ns);
  return RoundedNs(std::ceil(std::max(of_busy, of_wall)));
}

}  // namespace warpsight
