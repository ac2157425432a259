// WriteOutput: text to a file or to standard output.
//
// A file appears whole or not at all (base/file_sink.h). Errors: kUsage, with the path and the reason. One thread.
#pragma once

#include <string>

#include "base/status.h"

namespace warpsight {

// "" and "-" are standard output, where a reader that has gone away (`| head`) is no error.
Status WriteOutput(const std::string& text, const std::string& path);

// Usage error when writing `output` would destroy the recording `input`.
Status CheckOutput(const std::string& output, const std::string& input);

}  // namespace warpsight
