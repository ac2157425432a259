// Top-level facts of a torch trace -> RecordingInfo and the device table.
#pragma once

#include "formats/torch_json/top_level.h"
#include "trace/trace_builder.h"

namespace warpsight::torch_json {

// Reads the members that are understood into `header` and keeps the others as text.
void ReadMetadata(const TopLevelMembers& members, TraceHeader& header, ImportLog& log);

}  // namespace warpsight::torch_json
