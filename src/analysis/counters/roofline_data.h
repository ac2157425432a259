// data/counter_rooflines.toml, parsed.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counters/formula.h"

namespace warpsight {

// One roof: a kind of arithmetic, or a level of the memory.
struct RoofData {
  std::string id;          // "fp32", "dram"
  std::string name;        // "FP32", "DRAM"
  std::string operations;  // pattern of metrics by data type; empty = none
  Formula per_second;
  Formula amount;
  Formula peak;
  std::optional<Formula> utilisation;
  std::string needs;      // the metric to name when there is nothing
  std::string datasheet;  // "fp64", "memory"; empty = none
};

struct CounterRooflineData {
  std::vector<std::pair<std::string, Formula>> values;
  std::vector<RoofData> work;
  std::vector<RoofData> memory;
};

// Parsed once; thread-safe.
const CounterRooflineData& CounterRooflines();

}  // namespace warpsight
