#include "cli/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/step_windows.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "formats/open_trace.h"

namespace warpsight {
namespace {

// The numbers of the steps, for the message: "3, 4, 5".
std::string KnownSteps(const StepWindows& windows) {
  constexpr size_t kMost = 8;
  std::string known;
  for (size_t i = 0; i < std::min(kMost, windows.steps.size()); ++i) {
    known += (i == 0 ? "" : ", ") + std::to_string(windows.steps[i].index);
  }
  return known + (windows.steps.size() > kMost ? ", ..." : "");
}

Result<Interval> FindStep(const Trace& trace, int64_t index) {
  const StepWindows windows = FindSteps(trace);
  if (windows.steps.empty()) return LacksError("--step: no steps were found in the recording: use --range");
  const auto found =
      std::find_if(windows.steps.begin(), windows.steps.end(), [&](const StepWindow& s) { return s.index == index; });
  if (found == windows.steps.end()) {
    return UsageError(fmt::format("--step {}: there is no such step: the recording has {}", index, KnownSteps(windows)));
  }
  return found->time;
}

Status CheckDevice(const Trace& trace, int32_t id) {
  const Device* device = trace.FindDevice(id);
  if (device != nullptr && device->has_work) return OkStatus();
  std::string known;
  for (const Device& other : trace.devices()) {
    if (other.has_work) known += (known.empty() ? "" : ", ") + std::to_string(other.id);
  }
  if (known.empty()) return LacksError(fmt::format("--device {}: the recording has no GPU work", id));
  return UsageError(fmt::format("--device {}: no GPU work on it: the recording has device {}", id, known));
}

}  // namespace

Result<Trace> Input::OpenAnother(const std::string& file) const {
  Progress progress(file, options_.quiet);
  ImportOptions import;
  import.threads = options_.threads;
  import.progress = [&](int64_t done, int64_t total) { progress.Update(done, total);
};
return OpenTrace(file, import);
}  // namespace warpsight

Result<Input> Input::Open(const CommonOptions& options) {
  Input input;
  input.options_ = options;
  Result<Trace> trace = input.OpenAnother(options.files.front());
  if (!trace.ok()) return trace.status();
  input.trace_ = std::make_unique<Trace>(std::move(trace).value());
  if (Status status = input.Select(); !status.ok()) {
    return Status(status.kind(), options.files.front() + ": " + status.message());
  }
  return input;
}

Status Input::Select() {
  Selection selection;
  if (!options_.range.empty() && options_.step)
    return UsageError("--range and --step both cut the window: give one of them");
  if (!options_.range.empty()) {
    const Result<Interval> range = ParseRange(options_.range, trace_->capture());
    if (!range.ok()) return range.status();
    selection.range = *range;
  }
  if (options_.step) {
    const Result<Interval> step = FindStep(*trace_, *options_.step);
    if (!step.ok()) return step.status();
    selection.range = *step;
  }
  if (options_.device) {
    WARPSIGHT_RETURN_IF_ERROR(CheckDevice(*trace_, *options_.device));
    selection.device = options_.device;
  }
  Given given;
  if (options_.peak_gb_per_s) given.peak_bytes_per_s = *options_.peak_gb_per_s * 1e9;
  if (options_.peak_tflop_per_s) given.peak_flops_per_s = *options_.peak_tflop_per_s * 1e12;
  analysis_ = std::make_unique<Analysis>(*trace_, selection, given);
  return OkStatus();
}

}  // namespace warpsight
