// The queue is empty because of the host. Two patterns of one kind of idle time (host work and launch): one thread launches
// many kernels more slowly than the GPU works them off (serial dispatch), or something else keeps the host from launching at
// all (host work).
#include <fmt/format.h>

#include "analysis/thresholds.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

struct Dispatch {
  Ns host = 0;    // idle time of class host work
  Ns launch = 0;  // of class launch
  Ns per_launch = 0;
  Ns per_kernel = 0;
  Ns waiting() const { return host + launch; }
};

// Many launches, each taking the host longer than a kernel takes the GPU.
bool IsSerial(const StepFrame& frame, const Dispatch& dispatch) {
  return frame.launches >= ThresholdCount("serial_dispatch_launches") * frame.steps &&
         dispatch.per_kernel < dispatch.per_launch;
}

Finding Describe(Analysis& analysis, const StepFrame& frame, const Dispatch& dispatch) {
  const std::string whole = frame.has_steps ? "every step" : "the window";
  const std::string one = frame.Unit();
  Finding finding;
  finding.gain_ns = frame.PerStep(dispatch.waiting());
  finding.severity = SeverityOfGain(frame, *finding.gain_ns);
  finding.evidence.push_back(
      fmt::format("{} of {} ({}) the queue was empty: {} of host work before the launch, {} in the launch itself",
                  FormatDuration(*finding.gain_ns), whole, FormatShare(dispatch.waiting(), frame.wall_ns),
                  FormatDuration(frame.PerStep(dispatch.host)), FormatDuration(frame.PerStep(dispatch.launch))));
  finding.evidence.push_back(fmt::format("one launch every {}, one kernel lasts {} on average; launches in {}: {}",
                                         FormatDuration(dispatch.per_launch), FormatDuration(dispatch.per_kernel), one,
                                         FormatNumber(frame.PerStepCount(frame.launches))));
  if (const std::string names = HostNames(analysis, frame, IdleClass::kHostWork, 5); !names.empty()) {
    finding.evidence.push_back("host work in those gaps, " + names);
  }
  finding.evidence.push_back(fmt::format(
      "without these gaps {} would take {} instead of {} (host time under a profiler is inflated)", one,
      FormatDuration(frame.PerStep(frame.wall_ns - dispatch.waiting())), FormatDuration(frame.PerStep(frame.wall_ns))));
  return finding;
}

}  // namespace

void RunSerialDispatch(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!frame || frame->launches == 0) return;
  Dispatch dispatch;
  dispatch.host = PartOf(frame->idle, IdleClass::kHostWork);
  dispatch.launch = PartOf(frame->idle, IdleClass::kLaunch);
  dispatch.per_launch = frame->wall_ns / frame->launches;
  dispatch.per_kernel = frame->kernels == 0 ? 0 : frame->work_ns / frame->kernels;
  if (static_cast<double>(dispatch.waiting()) < ThresholdShare("finding_least_share") * static_cast<double>(frame->wall_ns))
    return;
  Finding finding = Describe(analysis, *frame, dispatch);
  if (IsSerial(*frame, dispatch)) {
    finding.id = "serial_dispatch";
    finding.title = "The GPU waits for the host to launch its work";
    finding.advice =
        "Launch less from the host: capture the step in a CUDA Graph (torch.cuda.graph, torch.compile "
        "mode=\"reduce-overhead\") or fuse "
        "(torch.compile); check with the step time by CUDA events, without the profiler";
  } else {
    finding.id = "host_work";
    finding.title = "The GPU waits while the host does something else than launching";
    finding.advice =
        "Move what is named above out of the step, or let it run while the GPU works on the step before (data loading, "
        "Python code)";
  }
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
