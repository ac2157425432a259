#include "diagnosis/step_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/call_bound.h"
#include "analysis/gpu_busy.h"
#include "analysis/idle_pass.h"
#include "analysis/thresholds.h"
#include "document/units.h"

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

void AddStep(const StepWindow& window, const StepGpu& gpu, StepFrame& frame, StepGpu& sum) {
  frame.wall_ns = SaturatingAdd(frame.wall_ns, window.time.duration());
  frame.busy_ns = SaturatingAdd(frame.busy_ns, gpu.busy_ns);
  frame.work_ns = SaturatingAdd(frame.work_ns, gpu.work_ns);
  frame.kernels += gpu.kernels;
  frame.launches += gpu.launches;
  frame.windows.push_back(window.time);
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

void FillFromWindow(Analysis& analysis, StepFrame& frame) {
  const Interval window = analysis.window();
  const DeviceBusy* busy = analysis.Get<GpuBusyPass>()->Find(frame.device);
  frame.wall_ns = window.duration();
  frame.busy_ns = busy->Busy(window);
  frame.work_ns = busy->Work(window);
  frame.kernels = busy->Counts(window).kernels;
  frame.launches = LaunchesIn(analysis.trace(), frame.device, window);
  frame.windows = {window};
  StepGpu sum;
  sum.busy_ns = frame.busy_ns;
  sum.idle_ns = frame.idle_ns();
  sum.kernels = frame.kernels;
  sum.kernel_ns = frame.work_ns;
  frame.bound = BoundOf(sum, frame.wall_ns);
}

StepBound BoundByRoofline(Analysis& analysis, const StepFrame& frame) {
  BoundSums all;
  for (const BoundSums& sums : SumBounds(analysis, *analysis.trace().FindDevice(frame.device), frame.windows)) {
    all.work_ns = SaturatingAdd(all.work_ns, sums.work_ns);
    all.bounded_ns = SaturatingAdd(all.bounded_ns, sums.bounded_ns);
    all.memory_ns = SaturatingAdd(all.memory_ns, sums.memory_ns);
    all.compute_ns = SaturatingAdd(all.compute_ns, sums.compute_ns);
  }
  return BoundOf(all);
}

const IdleTimeline* TimelineOf(Analysis& analysis, int32_t device) {
  const Result<std::vector<IdleTimeline>>& timelines = analysis.Get<IdleTimelinesPass>();
  if (!timelines.ok()) return nullptr;
  const auto found =
      std::find_if(timelines->begin(), timelines->end(), [&](const IdleTimeline& t) { return t.device() == device; });
  return found == timelines->end() ? nullptr : &*found;
}

// Steps are one place, whatever their number; time in no event at all is a place too.
std::string_view WhereHostWas(std::string_view name) {
  if (name.empty()) return "outside of any event";
  return name.substr(0, 13) == "ProfilerStep#" ? "Python code outside of any op" : name;
}

std::optional<StepFrame> ComputeStepFrame(Analysis& analysis) {
  const std::optional<int32_t> device = BusiestDevice(analysis);
  if (!device) return std::nullopt;
  StepFrame frame;
  frame.device = *device;
  StepGpu sum;
  if (const Result<StepsResult>& steps = analysis.Get<StepsPass>(); steps.ok()) {
    for (const StepRow& row : steps->rows) {
      if (!row.gpu || row.gpu->device != *device) continue;
      AddStep(steps->steps[row.step], *row.gpu, frame, sum);
    }
  }
  frame.has_steps = !frame.windows.empty();
  frame.steps = std::max<int64_t>(1, static_cast<int64_t>(frame.windows.size()));
  frame.bound = BoundOf(sum, frame.wall_ns);
  if (!frame.has_steps) FillFromWindow(analysis, frame);
  if (frame.bound == StepBound::kNotEvaluated) frame.bound = BoundByRoofline(analysis, frame);
  if (const IdleTimeline* timeline = TimelineOf(analysis, *device); timeline != nullptr) {
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

std::optional<StepFrame> MakeStepFrame(Analysis& analysis) { return *analysis.Get<StepFramePass>(); }

Severity SeverityOfGain(const StepFrame& frame, Ns gain_per_step_ns) {
  const double share = frame.wall_ns == 0 ? 0
                                          : static_cast<double>(gain_per_step_ns) * static_cast<double>(frame.steps) /
                                                static_cast<double>(frame.wall_ns);
  if (share >= ThresholdShare("finding_high")) return Severity::kHigh;
  return share >= ThresholdShare("finding_medium") ? Severity::kMedium : Severity::kLow;
}

std::string HostNames(Analysis& analysis, const StepFrame& frame, IdleClass kind, size_t limit) {
  // Set-up outside of the steps must not be named as if it were theirs; where the steps are all but the whole window, the
  // window's names (which the report needs anyway) will do.
  const Interval steps{frame.windows.front().start, frame.windows.back().end};
  const bool all = static_cast<double>(steps.duration()) >=
                   ThresholdShare("steps_are_the_window") * static_cast<double>(analysis.window().duration());
  Analysis narrower(analysis.trace(), {steps, frame.device});
  const Result<IdleResult>& idle = (all ? analysis : narrower).Get<IdlePass>();
  if (!idle.ok()) return "";
  std::map<std::string_view, Ns> by_name;
  for (const IdleDevice& device : idle->devices) {
    if (device.device != frame.device) continue;
    for (const HostTime& host : device.host_by_class[static_cast<size_t>(kind)]) {
      by_name[WhereHostWas(analysis.trace().Text(host.name))] += host.time_ns;
    }
  }
  std::vector<std::pair<std::string_view, Ns>> sorted(by_name.begin(), by_name.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string names = all ? "over the window: " : fmt::format("over the {} steps: ", FormatCount(frame.steps));
  for (size_t i = 0; i < std::min(limit, sorted.size()); ++i) {
    names += fmt::format("{}{} {}", i == 0 ? "" : ", ", sorted[i].first, FormatDuration(sorted[i].second));
  }
  return sorted.empty() ? "" : names;
}

}  // namespace warpsight
