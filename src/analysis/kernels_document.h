// The `kernels` document: GPU work by name and device, as JSON rows and as one table.
//
// Place in the flow: KernelsResult -> Document -> text | JSON | CSV.
// Errors: none. Threads: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "analysis/kernels_pass.h"
#include "document/document.h"

namespace warpsight {

struct KernelsDocumentOptions {
  int64_t limit = 0;        // rows kept, in JSON too; 0 = all
  bool full_names = false;  // names in the table as recorded; JSON always has them so. What CSV should ask for
  int64_t page_rows = 0;    // more than `limit`: the table holds so many, of which text shows `limit`
  // Why kernels are slow, by name, from their counters: a column of its own. Null = no counters were given.
  const std::map<std::string_view, std::string>* remarks = nullptr;
};

// The JSON body alone, with the first `limit` rows; 0 = all.
nlohmann::ordered_json KernelsData(const KernelsResult& kernels, int64_t limit);

Document MakeKernelsDocument(const KernelsResult& kernels, const KernelsDocumentOptions& options);

}  // namespace warpsight
