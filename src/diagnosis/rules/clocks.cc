// Low or throttled GPU clocks make every kernel slow alike; only a recording that samples clocks can tell.
//
// A fault (heat, a board that can't give the power) is one however high the clock still is. A power limit or a chosen clock
// is one when the clock is well below what the device can run at: near it, it costs next to nothing.
#include "analysis/thresholds.h"
#include "diagnosis/device_state.h"
#include "diagnosis/rule.h"

namespace warpsight {
namespace {

// What to do about a fault, else about the reason that holds the clock back most often.
std::string_view AdviceFor(const DeviceState& state, bool fault) {
  if (fault) return "clocks_fault";
  if (state.reasons.empty()) return "clocks_low";
  return state.reasons.front().words == "power limit" ? "clocks_power" : "clocks_chosen";
}

}  // namespace

Status LacksClocks(Analysis& analysis) {
  const Result<DeviceState>& state = analysis.Get<DeviceStatePass>();
  if (!state.ok()) return state.status();
  if (!state->has_reasons && !state->sm_clock_limit_mhz)
    return LacksError("the recording has GPU clocks, but neither how high they can be nor what held them back");
  return OkStatus();
}

void RunClocks(Analysis& analysis, std::vector<Finding>& findings) {
  const DeviceState& state = *analysis.Get<DeviceStatePass>();
  const bool fault = state.fault_share >= ThresholdShare("clocks_fault_share");
  const bool low = state.ClockShare().value_or(1) < ThresholdShare("clocks_low_share");
  if (!fault && !low) return;
  Finding finding;
  finding.id = "clocks";
  finding.title = fault ? "The GPU is throttled" : "The GPU's clock is low";
  finding.severity = fault ? Severity::kMedium : Severity::kLow;
  finding.evidence = DeviceStateLines(state);
  finding.advice = FindingAdvice(analysis, AdviceFor(state, fault));
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
