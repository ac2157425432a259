// Ranges: GPU work by the ranges (NVTX, record_function) in which it was launched, nested, and the ranges projected onto the
// GPU.
//
// Place in the flow: host ranges, launches, GPU work -> RangesResult -> `kernels --by range`.
// A row is a path of range names ("epoch", then "step" in it): equal paths of any thread are one row. GPU work belongs to
// the innermost range open on the launching thread at its launch (self) and to all ranges around it (total); work launched
// outside of every range, or without a known launch, is the row without a name. So the self times add up to all GPU work.
// Ranges between a start and an end mark may cross others: they stand beside the tree, with the work launched inside of them
// on their thread, which is in the tree as well. Time is cut at the window; instances and work count where they start. A
// projection lasts from the first start to the last end of the work launched in one instance, and is not cut. Units: ns.
// Errors: kLacks without GPU work or ranges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/pass.h"

namespace warpsight {

struct RangeRow {
  std::string_view name;     // empty: outside of all ranges
  std::string_view domain;   // NVTX domain, empty = the default one
  uint32_t parent = kNoRow;  // row of the enclosing path
  int depth = 0;
  bool start_end = false;
  int64_t instances = 0;
  Ns host_ns = 0;
  int64_t self_work = 0;  // kernels, copies and sets
  int64_t work = 0;
  Ns self_gpu_ns = 0;
  Ns gpu_ns = 0;
  Ns projected_ns = 0;
};

struct RangesResult {
  std::vector<RangeRow> rows;  // parents before their children, siblings by GPU time
  Ns gpu_work_ns = 0;
};

struct RangesPass {
  using Output = RangesResult;
  static constexpr std::string_view kName = "ranges";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
