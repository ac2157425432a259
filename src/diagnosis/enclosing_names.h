// Which host events lie inside of one with a certain name (or have it themselves), for all rows in one sweep.
//
// Place in the flow: rules that look for work under an op or a range ("Optimizer.step#AdamW.step"). Each distinct name is
// judged once. Thread-compatible.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

// By host row, 0 or 1 (bytes, as they are read and written once a row of the whole trace); empty when no op or range has a
// name that `wanted` accepts. Frames do not count.
std::vector<uint8_t> RowsInside(const Trace& trace, const std::function<bool(std::string_view name)>& wanted);

}  // namespace warpsight
