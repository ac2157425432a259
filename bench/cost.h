// What a piece of work costs, for benchmarks that take ratios of two costs in the same run.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

#include "base/process_memory.h"

namespace warpsight::bench {

// What is measured is the program, which does this first thing in main().
[[maybe_unused]] inline const bool memory_prepared = (PrepareProcessMemory(), true);

// Wall time, and the processor time of all threads: the second hardly changes when other programs run beside.
struct Cost {
  double wall_seconds = 0;
  double cpu_seconds = 0;
};

template <typename Work>
Cost CostOf(const Work& work) {
  const std::clock_t cpu_start = std::clock();
  const auto start = std::chrono::steady_clock::now();
  work();
  const double wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {wall_seconds, static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC};
}

inline double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace warpsight::bench
