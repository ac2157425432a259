// SmLanes: how many lanes of each kind an SM of a compute capability has: the rows of data/sm_lanes.toml.
//
// Place in the flow: compute capability of a counter report -> this -> triage, which says what special functions and FP64
// cost on the device at hand. Units: results a cycle and SM. Errors: nothing for a capability that the table does not know.
// Threads: the data is read once; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpsight {

struct SmLanes {
  int from_capability = 0;  // 9.0 as 90; the row with the largest one not above the device's counts
  int64_t fp32 = 0;
  std::optional<int64_t> fp64;  // absent: not published
  int64_t special = 0;
};

const std::vector<SmLanes>& AllSmLanes();
const SmLanes* SmLanesFor(int capability);

}  // namespace warpsight
