// Overlaps of GPU work on one stream, and what they most likely are.
//
// A stream runs its work in order, so records of one stream should not overlap. They do when the next kernel was launched
// with programmatic dependent launch (it starts early, but does not end before the kernel it depends on), when branches of a
// graph are written under one stream, when the clock ticks coarsely, and when a record is damaged.
// Nothing is repaired here: which record is wrong is not certain. Units: ns. Thread-compatible.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

enum class OverlapKind : uint8_t {
  kClock,      // no longer than what the GPU's clock can be off by
  kGraph,      // both belong to one graph launch: branches may run side by side
  kDependent,  // the later record starts early and ends last: programmatic dependent launch, or several hardware queues
  kSwallowed,  // the later record lies wholly inside the earlier one, which in-order streams cannot do
  kDuplicate,  // same name, start and end
};
inline constexpr size_t kOverlapKindCount = 5;

struct OverlapSummary {
  int64_t count = 0;
  Ns overlap_ns = 0;
  std::vector<uint32_t> first_rows;  // the later record of the first few
  // The earlier records, each once: how many, how long, and what would go if each ended where the next record starts.
  int64_t earlier_count = 0;
  Ns earlier_ns = 0;
  Ns earlier_beyond_next_ns = 0;
};

// What the pair is; `earlier` and `later` are GPU rows of one stream that share time.
OverlapKind ClassifyOverlap(const Trace& trace, uint32_t earlier, uint32_t later);

std::array<OverlapSummary, kOverlapKindCount> FindStreamOverlaps(const Trace& trace, size_t max_rows);

}  // namespace warpsight
