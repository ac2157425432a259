// The `roofline` document: what each op needs at least, against the time it took, as JSON and as one table.
//
// Place in the flow: RooflineResult -> Document -> text | JSON | CSV.
// Errors: none. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/roofline_pass.h"
#include "document/document.h"

namespace warpsight {

enum class RooflineSort : uint8_t { kLost, kGpu, kFlops, kBytes, kEfficiency, kCalls };
// From "lost", "gpu", "flops", "bytes", "efficiency" (worst first) or "calls".
std::optional<RooflineSort> ParseRooflineSort(std::string_view text);

struct RooflineDocumentOptions {
  RooflineSort sort = RooflineSort::kLost;
  int64_t limit = 0;        // rows kept, in JSON too; 0 = all
  bool full_names = false;  // op, shapes and types as recorded, in columns of their own: what CSV should ask for
  int64_t page_rows = 0;    // more than `limit`: the table holds so many, of which text shows `limit`
};

// The JSON body alone; of the options it heeds the order and the limit.
nlohmann::ordered_json RooflineData(const RooflineResult& roofline, const RooflineDocumentOptions& options);

Document MakeRooflineDocument(const RooflineResult& roofline, const RooflineDocumentOptions& options);

}  // namespace warpsight
