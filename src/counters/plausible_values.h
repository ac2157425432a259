// SetAsideImplausible: values that no counter can have are taken for texts, so that nothing is computed from them.
//
// Place in the flow: CounterReport calls it once, when it is sealed. A damaged or made-up file may hold any 64 bits as a
// value: 1e308 % of a peak would make a verdict of "inf %". What is set aside is still shown as it was written, and is a
// warning in the ledger. NaN and infinite values stay what they are, since ncu itself writes and prints them: no
// analysis takes them for numbers (CounterReport::Number), and the ledger says that they are there. Units: base units.
// Errors: none. Threads: one.
#pragma once

#include "counters/counter_report.h"

namespace warpsight {

void SetAsideImplausible(CounterReportParts& parts);

}  // namespace warpsight
