// GainLedger: grants each nanosecond of a device's step time to one finding only, so that gains can be added.
//
// The step time of the judged device is idle time by class plus busy time by row: each row owns what of the busy time no
// earlier started row covers (FrameWork::own_ns). Both together are the wall exactly. A finding is granted what of its
// claims is still there; what was granted before is gone. So every gain, and the sum of all, is at most the wall. Place in
// the flow: rules -> claims -> ledger -> gains. Units: ns, sums over the steps. One thread.
#pragma once

#include <optional>
#include <vector>

#include "diagnosis/frame_work.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"

namespace warpsight {

struct Granted {
  Ns idle_ns = 0;  // host-side time: inflated in a profiled run
  Ns busy_ns = 0;  // GPU time: true in a profiled run
  Ns total_ns() const { return idle_ns + busy_ns; }
};

class GainLedger {
 public:
  GainLedger(const StepFrame& frame, const FrameWork& work);

  // What of the claims is left; nothing at all, and nothing taken, when that is less than `least_ns`.
  std::optional<Granted> Grant(const Claims& claims, Ns least_ns);
  // For a finding that says how much of the GPU's time it would save, but not of which rows: out of what is left.
  Granted GrantBusy(Ns time_ns);

  // All grants so far.
  const Granted& granted() const { return granted_; }

 private:
  IdleParts idle_left_ = {};
  uint32_t first_row_ = 0;
  std::vector<Ns> row_left_;  // by GPU row, from first_row_
  Ns busy_left_ = 0;
  Granted granted_;
};

}  // namespace warpsight
