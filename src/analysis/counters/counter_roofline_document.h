// The `roofline` document of a counter report: per kernel what it did, against what the device can, as JSON and one table.
//
// Place in the flow: CounterReport -> rooflines -> Document -> text | JSON | CSV. Errors: none. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/counters/counter_rooflines.h"
#include "document/document.h"

namespace warpsight {

// {"work", "memory", "points", "main_arithmetic", "nearest", "efficiency_share"}
nlohmann::ordered_json CounterRooflineJson(const CounterRoofline& roofline);

// Order of kernels: as in the file, or largest first.
enum class CounterRooflineSort : uint8_t { kFile, kDuration, kRoof };

struct CounterRooflineOptions {
  std::vector<const ProfiledKernel*> kernels;
  bool full_names = false;
  bool all_arithmetic = false;  // a row for each kind that was done, instead of the one that was mostly done
  CounterRooflineSort sort = CounterRooflineSort::kFile;
  size_t limit = 0;  // kernels after sorting; 0 = all
};

Document MakeCounterRooflineDocument(const CounterReport& report, const CounterRooflineOptions& options, const Given& given);

// The roofs and points of one kernel, for a page; nothing when no arithmetic is known.
std::optional<Scatter> CounterRooflineChart(const CounterRoofline& roofline);
// The roofs of one kernel as a table.
Table CounterRoofsTable(const CounterRoofline& roofline);

}  // namespace warpsight
