// TimelineKernels: the kernels of a trace by name, grid and block: what counters can be attached to.
//
// Place in the flow: Trace -> this -> joined_counters_pass. Devices are taken together. Time is cut at the window, calls
// count where they start. Units: ns. Errors: none. Texts are borrowed from the trace. Thread-compatible.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/counters/comparable_name.h"
#include "analysis/pass.h"
#include "counters/profiled_kernel.h"

namespace warpsight {

struct TimelineKernel {
  size_t name = 0;  // index into TimelineKernels::names
  Extent grid{};
  Extent block{};
  int64_t calls = 0;
  Ns gpu_ns = 0;
  Ns whole_ns = 0;  // of those calls, not cut

  bool has_launch() const { return block[0] > 0; }
};

struct TimelineKernels {
  std::vector<std::string_view> names;       // of all kernels of the trace
  std::vector<ComparableName> comparable;    // by name
  std::vector<std::vector<size_t>> of_name;  // kernels of a name
  std::vector<TimelineKernel> kernels;       // of the whole trace: those outside of the window have no calls
  Ns gpu_work_ns = 0;                        // all GPU work in the window, copies and sets too

  // One launch of a kernel: when the host launched it, else when it started.
  struct Launch {
    Ns at_ns = 0;
    size_t kernel = 0;
  };
  // Of the selected devices, in and out of the window, in order of time.
  std::vector<Launch> launches;
};

TimelineKernels CollectTimelineKernels(const Analysis& analysis);

}  // namespace warpsight
