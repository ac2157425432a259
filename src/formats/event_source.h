// All arguments of one event, on demand: rows keep only where an event lies in the file, not what no analysis needs.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace warpsight {

// The text of the JSON object that begins at byte `offset` of the (inflated) file, as recorded. Compressed files are
// inflated up to there. kUsage when no object begins there.
Result<std::string> ReadEventText(const std::string& path, uint64_t offset);

}  // namespace warpsight
