// The code of one kernel of a counter report: the kernel's function, and functions that it calls where counters point into
// them.
//
// Place in the flow: CounterReport -> KernelCode -> the source view. Reads the program of one kernel, on demand; nothing of
// it happens when a report is opened. Errors: KernelCode::problems; without a program there are no functions. Threads:
// thread-safe.
#pragma once

#include "counters/counter_report.h"
#include "counters/function_code.h"

namespace warpsight {

struct KernelCodeOptions {
  bool disassemble = true;  // with a program on PATH
};

KernelCode ReadKernelCode(const CounterReport& report, const ProfiledKernel& kernel, const KernelCodeOptions& options);

}  // namespace warpsight
