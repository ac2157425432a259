// The metrics of one kernel as formulas see them.
#pragma once

#include "counters/counter_report.h"
#include "counters/formula.h"

namespace warpsight {

// Both must outlive the lookup. NaN and infinite values are absent.
FormulaLookup KernelLookup(const CounterReport& report, const ProfiledKernel& kernel);

}  // namespace warpsight
