// The record of a run: the dozen facts that an engineer writes down about a measurement, filled in from the trace.
//
// Place in the flow: passes -> RecordBlock, first on the page. What no pass has answered says "not evaluated", so that a
// record never has a hole that looks like a zero. Times are per step, means over the steps of the device that does most of
// the work (step_frame.h). Errors: none. Thread-compatible.
#pragma once

#include <string>

#include "analysis/pass.h"
#include "document/document.h"

namespace warpsight {

// Facts that need a model or a roof; whoever knows them formats them. Empty = not evaluated.
struct RecordFacts {
  std::string linear_calls_per_step;  // "155, 155 expected"
  std::string gemm_time_per_step;     // "1.094 ms, 39 % of the weight bound 0.430 ms"
  std::string attention_backend;      // "cuDNN flash"
};

RecordBlock MakeRecord(Analysis& analysis, const RecordFacts& facts);

}  // namespace warpsight
