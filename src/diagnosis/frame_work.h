// FrameWork: the GPU work of the judged device inside of the steps, as the rules look at it.
//
// `own_ns` splits busy time between rows: a row owns what of its time no row that started earlier covers, cut to the steps.
// The sum over rows is the frame's busy time exactly. On one stream a row's own time is its duration; work that runs wholly
// beside earlier work owns nothing, since taking it away would not shorten the step.
// Place in the flow: step frame + GPU work -> this -> rules, gain ledger. Made once an Analysis. Units: ns.
// Thread-compatible.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/pass.h"
#include "analysis/work_op.h"

namespace warpsight {

struct FrameWork {
  uint32_t first_row = 0;      // GPU row that index 0 of the columns stands for
  std::vector<Ns> own_ns;      // by row - first_row; 0 outside of the steps
  std::vector<WorkOp> op;      // likewise
  std::vector<uint32_t> step;  // likewise: index of the frame's window that the row starts in; kNoRow outside of all
  std::vector<std::string_view> family;
  // Rows that start inside of a step, in order of their start, for each stream that has any.
  std::vector<std::vector<uint32_t>> by_stream;

  Ns OwnNs(uint32_t gpu_row) const { return own_ns[gpu_row - first_row]; }
  WorkOp Op(uint32_t gpu_row) const { return op[gpu_row - first_row]; }
  std::string_view Family(uint32_t gpu_row) const { return family[gpu_row - first_row]; }
  uint32_t Step(uint32_t gpu_row) const { return step[gpu_row - first_row]; }
  uint32_t end_row() const { return first_row + static_cast<uint32_t>(own_ns.size()); }
};

// Lacks a frame when no selected device has work.
struct FrameWorkPass {
  using Output = FrameWork;
  static constexpr std::string_view kName = "frame_work";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
