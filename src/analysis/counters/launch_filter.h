// LaunchFilter: the options with which Nsight Compute profiles one kernel of a timeline, and which other kernels they let
// through, so that launches can be counted as the profiler will count them.
//
// --kernel-name compares the function's name alone, unless --kernel-name-base demangled is given: that is used when kernels
// of the timeline share the function's name. The demangled names of the profiler are written otherwise than those of other
// recorders (comparable_name.h), so the pattern has only their words, and of those only the ones that keep other kernels of
// the timeline out: "k<8, Add<float> >" may be "\bk\b.*\bAdd\b".
// Place in the flow: names of a Trace -> this -> joined_counters_pass. Errors: none. Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analysis/counters/comparable_name.h"

namespace warpsight {

struct LaunchFilter {
  std::string options;         // "--kernel-name k", quoted for a shell
  std::string pattern;         // what follows --kernel-name, unquoted
  std::vector<size_t> passed;  // the names that it lets through, by index, ascending
};

// For names[wanted] among all names of kernels of the timeline.
LaunchFilter MakeLaunchFilter(std::span<const ComparableName> names, size_t wanted);

}  // namespace warpsight
