// StepFrame: the window of a question seen as steps of one device: what every rule and the verdict divide by.
//
// When the trace has steps in the window, sums are over those steps and per-step numbers are means over them; else the
// window counts as one step: the selected range, or without one the time from the first to the last GPU work of the judged
// device. What comes before and after that (the start of the process, loading of a model) is no cost of the work, and no
// graph or fusion would take it away; the idle tables have it. Only the device that does most of the work is judged; the
// others are in the tables. Units: ns. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/idle_classes.h"
#include "analysis/pass.h"
#include "analysis/steps_pass.h"
#include "document/document.h"

namespace warpsight {

struct StepFrame {
  int32_t device = 0;
  bool has_steps = false;
  bool is_gpu_span = false;  // without steps: from the first to the last GPU work, else the selected range
  int64_t steps = 1;
  Ns wall_ns = 0;  // sums over the steps
  Ns busy_ns = 0;
  Ns work_ns = 0;
  IdleParts idle = {};
  int64_t kernels = 0;
  int64_t launches = 0;
  Ns exposed_collective_ns = 0;                // busy time in which nothing but collectives ran; 0 when there are no steps
  StepBound bound = StepBound::kNotEvaluated;  // of all steps together
  StepBound busy_bound = StepBound::kNotEvaluated;  // the same, idle time left aside
  std::vector<Interval> windows;

  Ns PerStep(Ns sum) const { return sum / steps; }
  double PerStepCount(int64_t sum) const { return static_cast<double>(sum) / static_cast<double>(steps); }
  Ns idle_ns() const { return wall_ns - busy_ns; }
  // "a step" or "the window".
  std::string Unit() const { return has_steps ? "a step" : "the window"; }
};

// The judged device and what is looked at of it, which need neither idle times nor bounds: passes over rows ask for this
// alone, so that they can run beside those.
struct FrameWindows {
  int32_t device = 0;
  bool has_steps = false;
  bool is_gpu_span = false;
  std::vector<Interval> windows;  // the steps with work of the device, sorted and disjoint; one window without steps
};

// Lacks an answer when no device in the selection has work.
struct FrameWindowsPass {
  using Output = FrameWindows;
  static constexpr std::string_view kName = "frame_windows";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis);
};

// Made once an Analysis, however many rules ask. Absent when no device in the selection has work.
std::optional<StepFrame> MakeStepFrame(Analysis& analysis);

// How much a gain matters: by its share of the step (thresholds finding_high, finding_medium).
Severity SeverityOfGain(Ns gain_per_step_ns, Ns step_ns);

// The least gain, over all steps, that is worth a finding: a share of the wall for idle time, of the busy time for GPU work.
Ns LeastIdleGain(const StepFrame& frame);
Ns LeastBusyGain(const StepFrame& frame);

}  // namespace warpsight
