// MemoryPass: what a recording says of memory: how much was in use and when most, what was copied and how fast, and the
// calls that allocate.
//
// Place in the flow: counters, copies and sets, API calls, steps -> MemoryResult -> memory_document.
//   usage   the counters in bytes that are of memory: what PyTorch's allocator had handed out and held (its instants), what
//           the device had in use (NVML), and what others recorded under such names. A sample holds until the next, so the
//           last before the window holds where it begins. Counters are no sum over processes
//   copies  GPU work that moves or sets memory, by device, direction and kind of memory. Time is cut at the window; a copy
//           counts, with its bytes and its whole time for the rate, where it starts
//   calls   API calls that allocate or free, by name; in steps are those that start in a step that lies wholly in the window
// A device leaves out counters and copies of the others. Units: bytes, ns. Errors: kLacks when the recording has none of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/pass.h"

namespace warpsight {

struct MemoryUsage {
  std::string_view name;
  std::string_view process;  // empty = of no process
  int32_t device = -1;       // -1 = of none
  bool of_allocator = false;
  int64_t samples = 0;      // in the window
  int64_t first_bytes = 0;  // where the window begins, or the first in it
  int64_t last_bytes = 0;
  int64_t least_bytes = 0;
  int64_t peak_bytes = 0;
  Ns peak_ns = 0;                       // from when on it was first that high
  std::optional<int64_t> device_bytes;  // what the device has
};

struct MemoryCopies {
  GpuKind kind = GpuKind::kMemcpy;
  CopyKind direction = CopyKind::kNone;
  MemoryKind source = MemoryKind::kUnknown;
  MemoryKind destination = MemoryKind::kUnknown;
  int32_t device = 0;
  int64_t count = 0;
  Ns time_ns = 0;
  std::optional<int64_t> bytes;       // of those that say it; absent when none does
  std::optional<double> bytes_per_s;  // of those: bytes by their whole time
  uint32_t longest = kNoRow;          // GPU row of the longest that starts in the window
};

struct AllocationCalls {
  std::string_view name;
  int64_t calls = 0;
  Ns time_ns = 0;
  int64_t calls_in_steps = 0;
  Ns in_steps_ns = 0;
};

struct MemoryResult {
  std::vector<MemoryUsage> usage;      // by device, allocators first, then name and process
  std::vector<MemoryCopies> copies;    // longest first
  std::vector<AllocationCalls> calls;  // longest first
  int64_t steps = 0;
  bool has_reports_without_totals = false;  // instants of PyTorch before 1.10, which say no totals
};

struct MemoryPass {
  using Output = MemoryResult;
  static constexpr std::string_view kName = "memory";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
