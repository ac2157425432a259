// What record and trigger say of a capture that was written.
#pragma once

#include <string>
#include <vector>

#include "cli/record/capture_parts.h"

namespace warpsight {

// Problems that the processes met, then what was written and what was lost.
std::vector<std::string> LinesOf(const std::string& output, const JoinedCapture& joined);

}  // namespace warpsight
