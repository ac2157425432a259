// Exposed time: how much of some GPU work's time nothing else ran beside it.
//
// Place in the flow: frame work -> this -> rules on copies and collectives. Units: ns. Thread-compatible.
#pragma once

#include <functional>
#include <vector>

#include "diagnosis/frame_work.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"

namespace warpsight {

struct ExposedTime {
  std::vector<Claims::Row> rows;  // those chosen that start inside of a step, with their exposed time, cut to the step
  Ns exposed_ns = 0;
  Ns work_ns = 0;    // duration of the chosen rows, whole
  Ns others_ns = 0;  // busy time of everything else in the steps: what could hide the chosen
};

// `chosen` says which GPU rows are looked at.
ExposedTime MeasureExposed(const Trace& trace, const StepFrame& frame, const FrameWork& work,
                           const std::function<bool(uint32_t gpu_row)>& chosen);

// The exposed time as claims, cut to what the others could hide.
Claims HideBehindOthers(const ExposedTime& exposed);

}  // namespace warpsight
