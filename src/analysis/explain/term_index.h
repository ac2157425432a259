// Looking terms up by what people type. Internal to explain.h.
//
// Threads: the index is built once; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/explain/term_text.h"

namespace warpsight {

// Terms whose id is `text`, then those of which it is another spelling, then those of the other form of a plural.
std::vector<const TermText*> FindTerms(std::string_view text);

// Metrics that are shown under that label in a section of counters: "Issue Slots Busy".
std::vector<std::string> MetricsOfLabel(std::string_view text);

// The known metric that is spelled so with other separators; empty = none. The first call takes some milliseconds.
std::string KnownMetricOf(std::string_view text);

}  // namespace warpsight
