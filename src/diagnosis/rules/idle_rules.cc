// Rules that judge one class of idle time each: synchronisation, round trips, waits of queued work.
#include <fmt/format.h>

#include "analysis/idle_pass.h"
#include "analysis/thresholds.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

// A finding on `kind` of idle time when its share of the wall time is worth telling.
std::optional<Finding> JudgeClass(Analysis& analysis, IdleClass kind, std::string_view id, std::string_view title,
                                  std::string_view advice) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!frame) return std::nullopt;
  const Ns time = PartOf(frame->idle, kind);
  if (time == 0 || static_cast<double>(time) < ThresholdShare("finding_least_share") * static_cast<double>(frame->wall_ns))
    return std::nullopt;
  Finding finding;
  finding.id = id;
  finding.title = title;
  finding.gain_ns = frame->PerStep(time);
  finding.severity = SeverityOfGain(*frame, *finding.gain_ns);
  finding.evidence.push_back(fmt::format("{} of {} ({}) is idle time of class {}: {}", FormatDuration(*finding.gain_ns),
                                         frame->has_steps ? "every step" : "the window", FormatShare(time, frame->wall_ns),
                                         InfoOf(kind).label, InfoOf(kind).meaning));
  if (const std::string names = HostNames(analysis, *frame, kind, 5); !names.empty()) {
    finding.evidence.push_back("the host was in, " + names);
  }
  finding.advice = advice;
  return finding;
}

}  // namespace

void RunSynchronisation(Analysis& analysis, std::vector<Finding>& findings) {
  std::optional<Finding> finding =
      JudgeClass(analysis, IdleClass::kSync, "synchronisation",
                 "The host sleeps in a synchronising call and then starts again from nothing",
                 "Synchronise after the loop, not inside of it; time with CUDA events instead of torch.cuda.synchronize()");
  if (finding) findings.push_back(std::move(*finding));
}

void RunRoundTrip(Analysis& analysis, std::vector<Finding>& findings) {
  std::optional<Finding> finding =
      JudgeClass(analysis, IdleClass::kRoundTrip, "round_trip", "A value travels to the host before the next launch",
                 "Keep the value on the device: no .item(), .cpu(), bool(tensor) or nonzero() inside the step");
  if (finding) findings.push_back(std::move(*finding));
}

void RunDeviceWait(Analysis& analysis, std::vector<Finding>& findings) {
  std::optional<Finding> finding =
      JudgeClass(analysis, IdleClass::kDeviceWait, "device_wait",
                 "Work that was queued in time waits for a copy, an event or another stream",
                 "Put copies on a stream of their own with pinned memory, and check which event the work waits for");
  if (!finding) return;
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  for (const IdleDevice& device : idle->devices) {
    if (!frame || device.device != frame->device) continue;
    for (size_t reason = 1; reason < kDeviceWaitCount; ++reason) {
      if (device.device_wait_ns[reason] == 0) continue;
      finding->evidence.push_back(fmt::format("{}: {} in the window", DeviceWaitText(static_cast<DeviceWait>(reason)),
                                              FormatDuration(device.device_wait_ns[reason])));
    }
  }
  findings.push_back(std::move(*finding));
}

}  // namespace warpsight
