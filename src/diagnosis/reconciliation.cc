#include "diagnosis/reconciliation.h"

#include <fmt/format.h>

#include <cmath>

#include "base/rounded_ns.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {

Ns Reconciliation::ScaleIdle(Ns profiled_idle_ns) const {
  const Ns profiled_idle = profiled_ns - busy_ns;
  if (contradiction || profiled_idle <= 0) return profiled_idle_ns;
  return RoundedNs(std::floor(static_cast<double>(profiled_idle_ns) * static_cast<double>(idle_ns()) /
                              static_cast<double>(profiled_idle)));
}

std::string Reconciliation::Text() const {
  if (contradiction) {
    return fmt::format(
        "The measured step of {} is shorter than the {} that the GPU worked in a recorded one: the two are not of the same "
        "run (model, batch, clocks), or the figure is not of one step. Nothing is scaled to it",
        FormatDuration(measured_ns), FormatDuration(busy_ns));
  }
  const std::string idle = fmt::format("GPU times stand as recorded ({} a step), so at most {} of the measured step is idle",
                                       FormatDuration(busy_ns), FormatDuration(idle_ns()));
  if (measured_ns > profiled_ns) {
    return fmt::format(
        "The recorded step of {} is shorter than the measured {}: the profiler cannot have made it so; the runs differ "
        "(load "
        "of the host, clocks), or the measured figure holds more than the step. {}",
        FormatDuration(profiled_ns), FormatDuration(measured_ns), idle);
  }
  return fmt::format("The profiler makes the step {} times as long: {} recorded, {} measured. {}",
                     FormatNumber(inflation, 2), FormatDuration(profiled_ns), FormatDuration(measured_ns), idle);
}

Result<Reconciliation> ReconciliationPass::Run(Analysis& analysis) {
  if (!analysis.given().measured_step_ns) return LacksError("no measured step was given (--measured-step)");
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!frame || !frame->has_steps) {
    return LacksError("--measured-step: the recording has no steps in the window to lay the measured one beside");
  }
  Reconciliation result;
  result.measured_ns = *analysis.given().measured_step_ns;
  result.profiled_ns = frame->PerStep(frame->wall_ns);
  result.busy_ns = frame->PerStep(frame->busy_ns);
  result.contradiction = result.busy_ns > result.measured_ns;
  result.inflation = static_cast<double>(result.profiled_ns) / static_cast<double>(result.measured_ns);
  return result;
}

}  // namespace warpsight
