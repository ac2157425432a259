// The `info` document of a counter report: who recorded what, with what, and what is stored beside the metrics.
//
// Place in the flow: CounterReport -> Document -> text | JSON. Errors: none. Threads: pure functions.
#pragma once

#include "counters/counter_report.h"
#include "document/document.h"

namespace warpsight {

Document MakeCounterInfoDocument(const CounterReport& report);

}  // namespace warpsight
