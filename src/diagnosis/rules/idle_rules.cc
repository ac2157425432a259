// Rules that judge one class of idle time each: synchronisation, round trips, waits of queued work.
#include <fmt/format.h>

#include "diagnosis/rule.h"
#include "diagnosis/step_calls.h"
#include "diagnosis/step_frame.h"
#include "diagnosis/step_host_time.h"
#include "document/units.h"

namespace warpsight {
namespace {

// A finding that claims all idle time of `kind`.
std::optional<Finding> JudgeClass(Analysis& analysis, IdleClass kind, std::string_view id, std::string_view title,
                                  std::string advice) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!frame) return std::nullopt;
  const Ns time = PartOf(frame->idle, kind);
  if (time == 0) return std::nullopt;
  Finding finding;
  finding.id = id;
  finding.title = title;
  finding.least_ns = LeastIdleGain(*frame);
  PartOf(finding.claims.idle, kind) = time;
  finding.evidence.push_back(fmt::format("{} of {} ({}) is idle time of class {}: {}", FormatDuration(frame->PerStep(time)),
                                         frame->has_steps ? "every step" : "the window", FormatShare(time, frame->wall_ns),
                                         InfoOf(kind).label, InfoOf(kind).meaning));
  if (const std::string names = HostNames(analysis, *frame, kind, 5); !names.empty()) {
    finding.evidence.push_back("the host was in, " + names);
  }
  finding.advice = std::move(advice);
  return finding;
}

void AddSyncCalls(Analysis& analysis, Finding& finding) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<StepCalls>& calls = analysis.Get<StepCallsPass>();
  if (!frame || !calls.ok()) return;
  if (const std::string text = calls->Text(*frame, IsSynchronising); !text.empty()) {
    finding.evidence.push_back(fmt::format("calls that synchronise, in {}: {}", frame->Unit(), text));
  }
}

}  // namespace

void RunSynchronisation(Analysis& analysis, std::vector<Finding>& findings) {
  std::optional<Finding> finding =
      JudgeClass(analysis, IdleClass::kSync, "synchronisation",
                 "Needless synchronisation: the host sleeps in a call and then starts again from nothing",
                 FindingAdvice(analysis, "synchronise_less"));
  if (!finding) return;
  AddSyncCalls(analysis, *finding);
  findings.push_back(std::move(*finding));
}

void RunRoundTrip(Analysis& analysis, std::vector<Finding>& findings) {
  std::optional<Finding> finding =
      JudgeClass(analysis, IdleClass::kRoundTrip, "round_trip", "A value travels to the host before the next launch",
                 FindingAdvice(analysis, "keep_on_device"));
  if (!finding) return;
  AddSyncCalls(analysis, *finding);
  findings.push_back(std::move(*finding));
}

void RunDeviceWait(Analysis& analysis, std::vector<Finding>& findings) {
  std::optional<Finding> finding =
      JudgeClass(analysis, IdleClass::kDeviceWait, "device_wait",
                 "Work that was queued in time waits for a copy, an event or another stream",
                 "Put copies on a stream of their own with pinned memory, and check which event the work waits for");
  if (!finding) return;
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<StepHostTime>& times = analysis.Get<StepHostTimePass>();
  for (size_t reason = 1; times.ok() && reason < kDeviceWaitCount; ++reason) {
    if (times->device_wait_ns[reason] == 0) continue;
    finding->evidence.push_back(fmt::format("what it waited for, {}: {} {}", DeviceWaitText(static_cast<DeviceWait>(reason)),
                                            FormatDuration(times->device_wait_ns[reason]),
                                            times->over_window || !frame->has_steps ? "in the window" : "over the steps"));
  }
  findings.push_back(std::move(*finding));
}

}  // namespace warpsight
