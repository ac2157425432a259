// How the profiler ran the kernels of a report, as far as the report says: whether clocks were fixed, caches flushed.
//
// Place in the flow: CounterReport -> words of documents that say why its times are not production times. Errors: none.
// Threads: pure functions.
#pragma once

#include <span>
#include <string>

#include "counters/counter_report.h"

namespace warpsight {

// "usually with fixed clocks and cold caches", as the profiler does by default; what its command line (--clock-control,
// --cache-control) or its own messages say instead of that, where all reports say the same.
std::string RunConditions(std::span<const CounterReport* const> reports);

}  // namespace warpsight
