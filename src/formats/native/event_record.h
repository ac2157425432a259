// One record of a capture, whole: what the rows of a trace leave out of it (the payload and colour of an NVTX event, the
// result of a call, the cluster of a kernel, the name as the linker knows it).
#pragma once

#include <cstdint>
#include <string>

#include "base/byte_source.h"
#include "base/status.h"

namespace warpsight::native {

// The record that a row's source names (chunk_rows.h), as the text of a JSON object; times are ns on CLOCK_MONOTONIC. `file`
// has random access: of a large capture two chunks are read. kUsage when no event stands there, kUnreadable when the file is
// no capture.
Result<std::string> ReadEventRecord(const ByteSource& file, uint64_t source);

}  // namespace warpsight::native
