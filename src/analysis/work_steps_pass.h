// WorkSteps: which step each piece of GPU work belongs to.
//
// That of its launch: where steps do not wait for the GPU, work may run in a later one. Work without a known launch belongs
// to the step that it starts in. Place in the flow: steps + GPU work -> this -> kernels per step, roofline of a step,
// collectives. Made
// once an Analysis, since the start of each launch is far from the last one's in memory. Thread-compatible.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/pass.h"
#include "trace/trace.h"

namespace warpsight {

struct WorkSteps {
  int64_t steps = 0;
  std::vector<uint32_t> of_row;  // by GPU row: index into StepsResult::steps, kNoRow outside of all; empty without steps

  bool any() const { return steps > 0; }
  // kNoRow without steps as well.
  uint32_t Of(uint32_t gpu_row) const { return any() ? of_row[gpu_row] : kNoRow; }
  bool Holds(uint32_t gpu_row) const { return Of(gpu_row) != kNoRow; }
};

struct WorkStepsPass {
  using Output = WorkSteps;
  static constexpr std::string_view kName = "work_steps";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
