// All arguments of one event, on demand: rows keep how to find an event in the file again, not what no analysis needs.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace warpsight {

// The text of a JSON object with what the file says of the event whose row has this source: the event as recorded where the
// file is JSON, else the record with its columns or fields by name. Compressed files are inflated up to there. kUsage when
// the file has no such event.
Result<std::string> ReadEventText(const std::string& path, uint64_t source);

}  // namespace warpsight
