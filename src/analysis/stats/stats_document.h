// The `stats` document: one table a report, and the same rows as JSON.
//
// Place in the flow: StatsReport -> Document -> text | JSON | CSV. Errors: none. Threads: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/stats/stats_reports.h"
#include "document/document.h"

namespace warpsight {

struct MadeStatsReport {
  const StatsReport* report = nullptr;
  Table table;
};

// {"reports":[{"report","title","rows":[{<column key>: value}]}]}. Times are rounded to whole ns in JSON, as everywhere; the
// table and CSV have the decimals that nsys prints. CSV is that of nsys (`nsys stats --format csv`), header and all.
// `limit`: the most rows of a report, 0 = all.
Document MakeStatsDocument(std::vector<MadeStatsReport> reports, int64_t limit = 0);

}  // namespace warpsight
