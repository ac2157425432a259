// Patterns of metric names, as rows of data/ write them: "*_hit_rate.pct", where * stands for any text.
//
// Errors: none. Threads: pure function.
#pragma once

#include <string_view>

namespace warpsight {

// Whether `text` is `pattern`.
bool MatchesMetricPattern(std::string_view pattern, std::string_view text);

}  // namespace warpsight
