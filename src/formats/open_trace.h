// Opening a recording: compression, recognition by content, import. What the command line and the server call.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "formats/importer.h"
#include "trace/trace.h"

namespace warpsight {

// Opens `path` ("-" is standard input). kUnreadable with one line: what, where, what to do.
Result<Trace> OpenTrace(const std::string& path, const ImportOptions& options);

// The same for bytes in memory, which `name` stands for in messages. The bytes must outlive the call only.
Result<Trace> OpenTraceBytes(std::string_view bytes, const std::string& name, const ImportOptions& options);

}  // namespace warpsight
