// StepHostTime: what the launching threads were in during the idle time of the judged device's steps, by class and name.
//
// Set-up outside of the steps must not be named as if it were theirs, so the idle time from the first step to the last is
// named for itself; where the steps are all but the whole window, the window's names (which a report needs anyway) will do.
// Made once an Analysis. Place in the flow: step frame + idle pass -> this -> rules. Units: ns, sums over the steps.
// Texts are borrowed from the trace. Thread-compatible.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/api_calls.h"
#include "analysis/idle_classes.h"
#include "analysis/pass.h"
#include "diagnosis/step_frame.h"

namespace warpsight {

struct StepHostTime {
  bool over_window = false;  // the steps are all but the whole window
  // By class, most time first. All step ranges are one place, and so is time in no event.
  std::array<std::vector<std::pair<std::string_view, Ns>>, kIdleClassCount> by_class;
  // Class device_wait by reason, over the same time.
  std::array<Ns, kDeviceWaitCount> device_wait_ns = {};

  // Time of `kind` in which the host was inside of an API call of kind `call`.
  Ns In(IdleClass kind, ApiCallKind call) const;
};

struct StepHostTimePass {
  using Output = StepHostTime;
  static constexpr std::string_view kName = "step_host_time";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

// The names of `kind`, largest first, and over what: "over the 3 steps: aten::mm 1.2 ms, ...". Empty when there are none.
std::string HostNames(Analysis& analysis, const StepFrame& frame, IdleClass kind, size_t limit);

}  // namespace warpsight
