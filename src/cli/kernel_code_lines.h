// The code of a profiled kernel with its source lines, without the text of its instructions: what triage needs.
#pragma once

#include "counters/counter_report.h"
#include "formats/cubin/kernel_code.h"

namespace warpsight {

inline KernelCode ReadLinesOf(const CounterReport& report, const ProfiledKernel& kernel) {
  return ReadKernelCode(report, kernel, {.disassemble = false});
}

}  // namespace warpsight
