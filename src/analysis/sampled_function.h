// SampledFunction: the function that the CPU samples of a thread found most often in an interval.
//
// Place in the flow: Trace -> this -> host_naming, where no event says what a thread did. A sample counts for the innermost
// Python function of its stack, where it has one; else for the innermost function of all but the kernel's. Units: ns.
// Errors: none. Threads: pure.
#pragma once

#include "trace/trace.h"

namespace warpsight {

// kEmpty without samples. Of several found as often, the one met first.
StringId SampledFunction(const Trace& trace, ThreadIndex thread, Interval time);

}  // namespace warpsight
