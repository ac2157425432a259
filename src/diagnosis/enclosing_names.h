// Which host events lie inside of one with a certain name (or have it themselves), for all rows in one sweep.
//
// Place in the flow: rules that look for work under an op or a range ("Optimizer.step#AdamW.step"). Each distinct name is
// judged once. Thread-compatible.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

// By host row; empty when no op or range has a name that `wanted` accepts. Frames do not count.
std::vector<bool> RowsInside(const Trace& trace, const std::function<bool(std::string_view name)>& wanted);

}  // namespace warpsight
