// CounterList: the sampled counters of a trace, a line each: how many samples, between which values.
//
// Place in the flow: Trace -> `info`. Bit masks (throttle reasons) have no least, mean or largest value. Units: those of
// the series. Errors: none. Threads: pure.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "document/table.h"
#include "trace/trace.h"

namespace warpsight {

nlohmann::ordered_json CountersJson(const Trace& trace);

// Absent when there are none.
std::optional<Table> MakeCounterTable(const Trace& trace);

}  // namespace warpsight
