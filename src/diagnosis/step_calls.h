// StepCalls: the API calls that the host made inside of the steps, by name: how many, and how long they took.
//
// Place in the flow: step frame + host events -> this -> rules on synchronisation and allocation. Calls of all threads
// count, where they start. Units: ns, sums over the steps. Texts are borrowed from the trace. Thread-compatible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/api_calls.h"
#include "analysis/pass.h"
#include "diagnosis/step_frame.h"

namespace warpsight {

struct CallSum {
  std::string_view name;
  ApiCallKind kind = ApiCallKind::kOther;
  int64_t calls = 0;
  Ns time_ns = 0;
};

struct StepCalls {
  std::vector<CallSum> calls;  // longest first

  int64_t Count(ApiCallKind kind) const;
  // "cudaMalloc 12 times 3.4 ms, ..." per step, for the kinds that `wanted` accepts; empty when there are none.
  std::string Text(const StepFrame& frame, bool (*wanted)(ApiCallKind)) const;
};

struct StepCallsPass {
  using Output = StepCalls;
  static constexpr std::string_view kName = "step_calls";
  static constexpr Needs kNeeds = Needs::kGpuWork | Needs::kApiCalls;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
