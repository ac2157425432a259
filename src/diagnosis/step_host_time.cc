#include "diagnosis/step_host_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/idle_pass.h"
#include "analysis/recorder_advice.h"
#include "analysis/thresholds.h"
#include "document/units.h"
#include "trace/profiler_step.h"

namespace warpsight {
namespace {

std::string_view WhereHostWas(std::string_view name, bool is_torch) {
  if (name.empty()) return "outside of any event";
  if (!IsProfilerStep(name)) return name;
  return is_torch ? "Python code outside of any op" : "the program's code outside of any range or call";
}

void Fill(const Trace& trace, const IdleDevice& device, bool is_torch, StepHostTime& result) {
  result.device_wait_ns = device.device_wait_ns;
  for (size_t kind = 0; kind < kIdleClassCount; ++kind) {
    std::map<std::string_view, Ns> by_name;
    for (const HostTime& host : device.host_by_class[kind])
      by_name[WhereHostWas(trace.Text(host.name), is_torch)] += host.time_ns;
    result.by_class[kind].assign(by_name.begin(), by_name.end());
    std::stable_sort(result.by_class[kind].begin(), result.by_class[kind].end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
  }
}

}  // namespace

Ns StepHostTime::In(IdleClass kind, ApiCallKind call) const {
  Ns sum = 0;
  for (const auto& [name, time] : by_class[static_cast<size_t>(kind)]) {
    if (ClassifyApiCall(name) == call) sum = SaturatingAdd(sum, time);
  }
  return sum;
}

Result<StepHostTime> StepHostTimePass::Run(Analysis& analysis) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!frame) return LacksError("no GPU work on the selected device");
  const Interval steps{frame->windows.front().start, frame->windows.back().end};
  StepHostTime result;
  result.over_window = static_cast<double>(steps.duration()) >=
                       ThresholdShare("steps_are_the_window") * static_cast<double>(analysis.window().duration());
  Analysis narrower(analysis.trace(), {steps, frame->device});
  const Result<IdleResult>& idle = (result.over_window ? analysis : narrower).Get<IdlePass>();
  if (!idle.ok()) return idle.status();
  for (const IdleDevice& device : idle->devices) {
    if (device.device == frame->device) Fill(analysis.trace(), device, *analysis.Get<TorchProgramPass>(), result);
  }
  return result;
}

std::string HostNames(Analysis& analysis, const StepFrame& frame, IdleClass kind, size_t limit) {
  const Result<StepHostTime>& times = analysis.Get<StepHostTimePass>();
  if (!times.ok()) return "";
  const auto& sorted = times->by_class[static_cast<size_t>(kind)];
  if (sorted.empty()) return "";
  std::string names = "over the step: ";
  if (times->over_window || !frame.has_steps) {
    names = "over the window: ";
  } else if (frame.steps != 1) {
    names = fmt::format("over the {} steps: ", FormatCount(frame.steps));
  }
  for (size_t i = 0; i < std::min(limit, sorted.size()); ++i) {
    names += fmt::format("{}{} {}", i == 0 ? "" : ", ", sorted[i].first, FormatDuration(sorted[i].second));
  }
  return names;
}

}  // namespace warpsight
