// The queue is empty because of the host. Three patterns of one kind of idle time (host work and launch): one thread
// launches many kernels more slowly than the GPU works them off (serial dispatch), or something else keeps the host from
// launching at all (host work), or few launches take long to arrive (launch latency).
#include <fmt/format.h>

#include "analysis/thresholds.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "diagnosis/step_host_time.h"
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

// Many launches of a kernel or two each, each taking the host longer than a kernel takes the GPU. What is replayed as a
// graph already has many kernels a launch.
bool IsSerial(const StepFrame& frame, const Dispatch& dispatch) {
  return frame.launches >= ThresholdCount("serial_dispatch_launches") * frame.steps && frame.kernels <= 2 * frame.launches &&
         dispatch.per_launch <= ThresholdNs("serial_dispatch_interval") && dispatch.per_kernel < dispatch.per_launch;
}

Finding Describe(Analysis& analysis, const StepFrame& frame, const Dispatch& dispatch) {
  const std::string whole = frame.has_steps ? "every step" : "the window";
  const std::string one = frame.Unit();
  Finding finding;
  PartOf(finding.claims.idle, IdleClass::kHostWork) = dispatch.host;
  PartOf(finding.claims.idle, IdleClass::kLaunch) = dispatch.launch;
  finding.least_ns = LeastIdleGain(frame);
  finding.evidence.push_back(
      fmt::format("{} of {} ({}) the queue was empty: {} of host work before the launch, {} in the launch itself",
                  FormatDuration(frame.PerStep(dispatch.waiting())), whole, FormatShare(dispatch.waiting(), frame.wall_ns),
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
  if (dispatch.waiting() < LeastIdleGain(*frame)) return;
  Finding finding = Describe(analysis, *frame, dispatch);
  if (IsSerial(*frame, dispatch)) {
    finding.id = "serial_dispatch";
    finding.title = "CUDA-graph the step: the GPU waits for the host to launch its work";
    finding.advice = FindingAdvice(analysis, "launch_less");
  } else if (dispatch.launch > dispatch.host) {
    finding.id = "launch_latency";
    finding.title = "The GPU waits while a launch is on its way";
    finding.advice =
        "Launch before the GPU runs dry: no synchronisation after every launch, and upload a CUDA graph ahead of its first "
        "replay (cudaGraphUpload); a graph of many nodes takes long to launch, larger kernels make it shorter";
  } else {
    finding.id = "host_work";
    finding.title = "The GPU waits while the host does something else than launching";
    finding.advice = FindingAdvice(analysis, "free_the_host");
  }
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
