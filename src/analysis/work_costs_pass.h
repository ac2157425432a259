// WorkCosts: which op's cost each piece of GPU work is charged to. The ground that the roofline and a step's bound stand on.
//
// GPU work is charged to the innermost op around its launch that has a known cost; the op's cost counts once, whatever
// the number of its kernels. Where such an op has another below it that is the same work (aten::linear around aten::mm) only
// the lower one has a cost, so nothing counts twice. Copies and sets have their bytes; multi-tensor kernels their grid.
// Place in the flow: GPU work, host events, op costs -> this -> roofline, steps. The whole trace, whatever the selection.
// Units: FLOP, bytes. Needs GPU work only; without shapes most has no cost. Thread-compatible.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/op_cost.h"
#include "analysis/pass.h"

namespace warpsight {

// One call of an op on one device, with all GPU work that was charged to it.
struct ChargedCall {
  uint32_t op = kNoRow;  // host row; kNoRow for work known by itself
  int32_t device = 0;
  uint32_t first_work = 0;  // GPU row that starts first
  uint32_t cost = 0;        // index into WorkCosts::costs
  Ns work_ns = 0;           // whole duration of its GPU work, summed
  bool backward = false;    // below an autograd node
};

// The reason of work that a graph replay launched.
inline constexpr std::string_view kGraphReplay = "launched by a graph replay: no op, so no shapes";

struct WorkCosts {
  std::vector<OpCost> costs;              // distinct
  std::vector<ChargedCall> calls;         // in the order of their first work
  std::vector<uint32_t> call_of;          // by GPU row: index into calls; kNoRow = no cost, see reason_of
  std::vector<uint8_t> reason_of;         // by GPU row: index into reasons
  std::vector<std::string_view> reasons;  // [0] is empty: has a cost
};

struct WorkCostsPass {
  using Output = WorkCosts;
  static constexpr std::string_view kName = "work_costs";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
