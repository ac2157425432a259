// One row of a table of an nsys export, whole: its columns by name, the numbers of names with their texts.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "formats/nsys_sqlite/source_vfs.h"

namespace warpsight::nsys_sqlite {

// The row that a row of the trace names as its source (row_sink.h), as the text of a JSON object {"table", "row", "args"}.
// kUsage when there is none, kUnreadable when the database can't be read. `name` is of the file, for messages.
Result<std::string> ReadEventRow(const SourceVfs& vfs, const std::string& name, uint64_t source);

}  // namespace warpsight::nsys_sqlite
