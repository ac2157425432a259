// FindHotLine: the source line of a kernel with most of its samples, for triage.
//
// Place in the flow: CounterReport, and the kernel's code when it has samples of single instructions -> TriageGiven. Errors:
// none; without a line TriageGiven::no_hot_line says why. Thread-compatible.
#pragma once

#include <functional>

#include "analysis/counters/triage.h"
#include "counters/counter_report.h"
#include "counters/function_code.h"

namespace warpsight {

// Reads the code of a kernel. Empty: the code is not at hand.
using CodeReader = std::function<KernelCode(const CounterReport&, const ProfiledKernel&)>;

// Sets hot_line or no_hot_line of `given`.
void FindHotLine(const CounterReport& report, const ProfiledKernel& kernel, const CodeReader& read_code, TriageGiven& given);

// What triage is given for a kernel of a report without a timeline.
TriageGiven GivenOfReport(const CounterReport& report, const ProfiledKernel& kernel, const CodeReader& read_code);

}  // namespace warpsight
