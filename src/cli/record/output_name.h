// The files that record, trigger and profile write: their names, and whether they may be written.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace warpsight {

// The first of STEM1ENDING, STEM2ENDING, ... that does not exist in the current folder.
std::string FirstFreeName(std::string_view stem, std::string_view ending);
// What `trigger` and `record` write when they are given no name.
inline std::string FirstFreeCaptureName() { return FirstFreeName("capture", ".wscap"); }

// Whether a file of this name may be made: it is no folder, and there is none, or it may be written over.
Status CheckNewFile(const std::string& path, bool overwrite);

}  // namespace warpsight
