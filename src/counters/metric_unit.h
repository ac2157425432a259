// Units of metrics, from their names: reports hold none.
//
// The rules are rows of data/metric_units.toml (a pattern of names, the unit of the counter), and the arithmetic of name
// endings is here (".per_second" of bytes is byte/s, ".pct" is %). Units are base units: byte, ns, hz, cycle, sector, ...
// Errors: none; a name that no row knows has no unit. Threads: the data is read once; all functions are thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "counters/counter_report.h"

namespace warpsight {

// What else than the name decides about a unit, since recorders changed their minds and know some devices less well.
struct UnitContext {
  int capability = 0;              // compute capability, 9.0 as 90; 0 = unknown
  int version = 0;                 // of the recorder, 2025.3 as 202503; 0 = unknown, which is old
  bool has_thread_counts = false;  // the report has thread_inst_executed
  // Whose own units come first, where it has any; must outlive the context. May be null.
  const CounterReport* report = nullptr;
};

UnitContext MakeUnitContext(const CounterReport& report);

struct UnitRule {
  std::vector<std::string> names;  // patterns of whole names up to the first dot; * stands for any text
  std::string unit;
  bool is_whole = false;     // the ending of the name changes nothing
  int capability = 0;        // only on this one; 0 = any
  int below_capability = 0;  // only on older ones
  int before_version = 0;    // only from recorders older than this
  bool without_thread_counts = false;
};

const std::vector<UnitRule>& AllUnitRules();

// "" = a plain number, or not known.
std::string MetricUnit(std::string_view name, const UnitContext& context);

}  // namespace warpsight
