#include "diagnosis/verdict.h"

#include <fmt/format.h>

#include "analysis/thresholds.h"
#include "diagnosis/reconciliation.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

std::string_view BoundWords(StepBound bound) {
  switch (bound) {
    case StepBound::kOverhead:
      return "overhead-bound";
    case StepBound::kCommunication:
      return "communication-bound";
    case StepBound::kLatency:
      return "latency-bound by small kernels";
    case StepBound::kMemory:
      return "memory-bound";
    case StepBound::kCompute:
      return "compute-bound";
    case StepBound::kNotEvaluated:
      break;
  }
  return "busy most of the time (memory- or compute-bound is not evaluated)";
}

// The measured step may be less idle than the recorded one.
StepBound MeasuredBound(const StepFrame& frame, const Reconciliation& measured) {
  const bool idle = static_cast<double>(measured.idle_ns()) >
                    ThresholdShare("step_overhead_bound_idle") * static_cast<double>(measured.measured_ns);
  return idle ? StepBound::kOverhead : frame.busy_bound;
}

std::string WithoutGpuWork(const Trace& trace) {
  if (trace.capture().empty()) return "the recording is empty: lint says why";
  return fmt::format("no GPU work in this recording of {}: only the host's time can be judged (lint says why)",
                     FormatDuration(trace.capture().duration()));
}

}  // namespace

std::string Verdict(Analysis& analysis) {
  if (analysis.trace().gpu().size() == 0) return WithoutGpuWork(analysis.trace());
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!frame) return "no GPU work on the selected device";
  const std::string device =
      analysis.trace().devices().size() > 1 ? fmt::format("GPU {}", frame->device) : std::string("the GPU");
  const double per_step = frame->PerStepCount(frame->launches);
  const std::string launches = FormatNumber(per_step) + (per_step == 1 ? " launch" : " launches");
  const std::string busy = FormatDuration(frame->PerStep(frame->busy_ns));
  const std::string worked = fmt::format("{} worked {} ({})", device, busy, FormatShare(frame->busy_ns, frame->wall_ns));
  const std::string_view bound = BoundWords(frame->bound);
  if (!frame->has_steps) {
    return fmt::format("no steps found; in {}{} {}: {}, {}", FormatDuration(frame->wall_ns),
                       frame->is_gpu_span ? " from the first to the last GPU work" : "", worked, bound, launches);
  }
  const std::string steps = fmt::format("{} {} of {}", FormatCount(frame->steps), frame->steps == 1 ? "step" : "steps",
                                        FormatDuration(frame->PerStep(frame->wall_ns)));
  const Result<Reconciliation>& measured = analysis.Get<ReconciliationPass>();
  if (!measured.ok() || measured->contradiction) {
    return fmt::format("{}; {}: {}, {} per step", steps, worked, bound, launches);
  }
  return fmt::format("{}, {} measured without the profiler; {} worked {} ({} of the measured step): {}, {} per step", steps,
                     FormatDuration(measured->measured_ns), device, busy,
                     FormatShare(measured->busy_ns, measured->measured_ns), BoundWords(MeasuredBound(*frame, *measured)),
                     launches);
}

}  // namespace warpsight
