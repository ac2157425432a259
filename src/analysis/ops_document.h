// The `ops` document: key averages as JSON rows and as one table.
//
// Place in the flow: KeyAverages -> Document -> text | JSON | CSV.
// The table says for every time whether it is CPU or GPU time, and self or total. Annotations (ranges, steps) come after all
// other rows, as a group of their own: their time is that of the rows above once more, so they enter no sum and have no
// share. Errors: none. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/key_averages_pass.h"
#include "document/document.h"

namespace warpsight {

enum class OpsSort { kSelfGpu, kGpu, kSelfCpu, kCpu, kCount };

// "self-gpu", "gpu", "self-cpu", "cpu", "count": the words of --sort. nullopt for others.
std::optional<OpsSort> ParseOpsSort(std::string_view word);

struct OpsDocumentOptions {
  OpsSort sort = OpsSort::kSelfGpu;
  int64_t limit = 0;        // rows kept, in JSON too; 0 = all
  bool full_names = false;  // kernel names in the table as recorded; JSON always has them so. What CSV should ask for
  int64_t page_rows = 0;    // more than `limit`: the table holds so many, of which text shows `limit`
};

// The JSON body alone; of the options it heeds the order and the limit.
nlohmann::ordered_json OpsData(const KeyAverages& averages, const OpsDocumentOptions& options);

Document MakeOpsDocument(const KeyAverages& averages, const OpsDocumentOptions& options);

}  // namespace warpsight
