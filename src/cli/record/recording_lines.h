// What record and trigger say of a capture that was written, and the name they give it.
#pragma once

#include <string>
#include <vector>

#include "cli/record/capture_parts.h"

namespace warpsight {

// The first of capture1.wscap, capture2.wscap, ... that does not exist.
std::string FirstFreeCaptureName();

// Problems that the processes met, then what was written and what was lost.
std::vector<std::string> LinesOf(const std::string& output, const JoinedCapture& joined);

}  // namespace warpsight
