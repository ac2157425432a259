// Reconciliation: a profiled recording beside the step time that a timer gave without the profiler (--measured-step).
//
// A profiler slows the host, not the GPU. So the GPU's busy time of a step is true as it was recorded, and the measured step
// minus busy is the most that the step can be idle: what is said of idle time is scaled by that idle time over the recorded
// one, and GPU times are never scaled. A measured step shorter than the GPU's busy time contradicts the recording: then
// nothing is scaled.
// Place in the flow: step frame + Given -> this -> verdict, gains, what-ifs. Units: ns, per step. Thread-compatible.
#pragma once

#include <string>
#include <string_view>

#include "analysis/pass.h"

namespace warpsight {

struct Reconciliation {
  Ns measured_ns = 0;
  Ns profiled_ns = 0;  // mean wall of the recorded steps
  Ns busy_ns = 0;
  bool contradiction = false;  // busy_ns > measured_ns
  double inflation = 1;        // profiled / measured

  // The most that a step can be idle without the profiler; 0 with a contradiction.
  Ns idle_ns() const { return contradiction ? 0 : measured_ns - busy_ns; }
  Ns step_ns() const { return contradiction ? profiled_ns : measured_ns; }
  // Recorded idle time -> idle time of the measured step.
  Ns ScaleIdle(Ns profiled_idle_ns) const;
  // One sentence for people.
  std::string Text() const;
};

// Lacks when no step was measured, or the recording has no steps to lay it beside.
struct ReconciliationPass {
  using Output = Reconciliation;
  static constexpr std::string_view kName = "reconciliation";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
