// The metrics of one kernel as formulas see them.
#pragma once

#include "analysis/counters/formula.h"
#include "counters/counter_report.h"

namespace warpsight {

// Both must outlive the lookup. NaN and infinite values are absent.
FormulaLookup KernelLookup(const CounterReport& report, const ProfiledKernel& kernel);

}  // namespace warpsight
