// Serial host dispatch: the queue is empty because one thread launches more slowly than the GPU works.
#include <fmt/format.h>

#include "analysis/thresholds.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {

void RunSerialDispatch(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!frame || frame->launches == 0) return;
  const Ns host = PartOf(frame->idle, IdleClass::kHostWork);
  const Ns launch = PartOf(frame->idle, IdleClass::kLaunch);
  const Ns waiting = host + launch;
  if (static_cast<double>(waiting) < ThresholdShare("finding_least_share") * static_cast<double>(frame->wall_ns)) return;
  const Ns per_launch = frame->wall_ns / frame->launches;
  const Ns per_kernel = frame->kernels == 0 ? 0 : frame->work_ns / frame->kernels;
  const Ns gain = frame->PerStep(waiting);
  Finding finding;
  finding.id = "serial_dispatch";
  finding.title = "The GPU waits for the host to launch its work";
  finding.severity = SeverityOfGain(*frame, gain);
  finding.gain_ns = gain;
  finding.evidence.push_back(fmt::format("{} {} ({}) the queue was empty: {} of host work before the launch, {} in the launch itself",
                                         FormatDuration(gain), frame->has_steps ? "of every step" : "of the window",
                                         FormatShare(waiting, frame->wall_ns), FormatDuration(frame->PerStep(host)),
                                         FormatDuration(frame->PerStep(launch))));
  finding.evidence.push_back(fmt::format("one launch every {}, one kernel lasts {} on average; {} launches {}", FormatDuration(per_launch),
                                         FormatDuration(per_kernel), FormatNumber(frame->PerStepCount(frame->launches)),
                                         frame->has_steps ? "a step" : "in the window"));
  if (const std::string names = HostNames(analysis, *frame, IdleClass::kHostWork, 5); !names.empty()) {
    finding.evidence.push_back("host work in those gaps, per step: " + names);
  }
  finding.evidence.push_back(fmt::format("without these gaps {} would take {} instead of {} (host time under a profiler is inflated)",
                                         frame->has_steps ? "a step" : "the window", FormatDuration(frame->PerStep(frame->wall_ns - waiting)),
                                         FormatDuration(frame->PerStep(frame->wall_ns))));
  finding.advice =
      "Launch less from the host: capture the step in a CUDA Graph (torch.cuda.graph, torch.compile mode=\"reduce-overhead\") or fuse "
      "(torch.compile); check with the step time by CUDA events, without the profiler";
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
