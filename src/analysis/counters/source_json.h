// One kernel of the `source` document as JSON: lines and instructions with everything that the report says of them.
//
// Counts of instructions that a counter has no value for are 0, as on ncu's source page; stall reasons without a sample are
// left out. Errors: none. Threads: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "analysis/counters/source_view.h"

namespace warpsight {

nlohmann::ordered_json SourceKernelData(const SourceView& view);

// "report", "disk", "changed on disk"; empty when the text is missing.
std::string_view OriginWord(SourceText::Origin origin);

}  // namespace warpsight
