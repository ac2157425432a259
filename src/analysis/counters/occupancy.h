// Occupancy: how many warps of a kernel can be resident on one SM, from its registers, shared memory and block size.
//
// Place in the flow: launch facts and device limits of a counter report -> limits in blocks per SM. The granularities of
// allocation are rows of data/occupancy.toml by compute capability. It is checked against what the reports themselves say.
// Errors: nothing when a fact is missing. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counters/counter_report.h"

namespace warpsight {

struct OccupancyRules {
  int from_capability = 0;  // 9.0 as 90; the row with the largest one not above the device's counts
  int64_t warps_per_sm = 0;
  int64_t blocks_per_sm = 0;
  int64_t registers_per_sm = 0;
  int64_t registers_unit_per_warp = 0;  // registers of a warp are allocated in multiples of it
  int64_t warps_unit = 0;               // warps that registers allow are a multiple of it: the parts of the SM
  int64_t shared_bytes_per_sm = 0;      // the most that can be configured
  int64_t shared_unit_bytes = 0;
  int64_t shared_reserved_bytes = 0;  // the driver's own, of every block
  int64_t barriers_per_block = 0;     // barriers an SM has = this times its blocks
  std::string devices;                // of that capability, for readers
};

const std::vector<OccupancyRules>& AllOccupancyRules();
const OccupancyRules* OccupancyRulesFor(int capability);

struct OccupancyFacts {
  int64_t threads_per_block = 0;
  int64_t registers_per_thread = 0;
  int64_t shared_bytes_per_block = 0;  // static, dynamic and the driver's
  int64_t shared_bytes_per_sm = 0;     // as configured for the launch
  int64_t barriers_per_block = 0;      // 0: none, or not known
};

// In blocks per SM.
struct Occupancy {
  int64_t limit_registers = 0;
  int64_t limit_shared_memory = 0;
  int64_t limit_warps = 0;
  int64_t limit_blocks = 0;
  int64_t limit_barriers = 0;
  int64_t warps_per_sm = 0;  // resident, by the smallest limit
  double share = 0;          // of the warps that the SM can hold
  std::vector<std::string>
      limiters;  // "registers", "shared memory", "warps", "blocks", "barriers": those with the smallest limit
};

Occupancy ComputeOccupancy(const OccupancyRules& rules, const OccupancyFacts& facts);

// For a kernel of a report; limits that the report gives for its device replace those of the table.
std::optional<Occupancy> ComputeOccupancy(const CounterReport& report, const ProfiledKernel& kernel);

}  // namespace warpsight
