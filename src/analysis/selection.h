// Selection: the part of a trace that a question is about. The same cut holds for every pass, so that numbers of different
// tables can be compared.
//
// Rules: *time* is cut at the window's borders (a kernel that straddles one counts with its inside part); *counts* (calls,
// launches) count an event where it starts, so that the counts of consecutive windows add up.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"

namespace warpsight {

struct Selection {
  std::optional<Interval> range;  // ns on the trace's clock; absent = whole capture
  std::optional<int32_t> device;  // absent = all devices
};

}  // namespace warpsight
