// The text of one event of a Chrome JSON trace, as recorded.
#pragma once

#include <cstdint>
#include <string>

#include "base/byte_source.h"
#include "base/status.h"

namespace warpsight::torch_json {

// The JSON object that begins at byte `offset` of the inflated file. `source` stands at its beginning. Of one whose end
// can't be found (the import mended it) {"not whole": its first bytes}. kUsage when no object begins there.
Result<std::string> ReadEventAt(ByteSource& source, uint64_t offset);

}  // namespace warpsight::torch_json
