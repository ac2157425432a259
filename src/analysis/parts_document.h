// The `parts` document: GPU time by model part, the model, the accounting, and what could not be told.
//
// Place in the flow: PartsResult, ModelResult -> Document -> text | JSON | CSV (the rows). Errors: none. Pure function.
#pragma once

#include <cstdint>

#include "analysis/model_pass.h"
#include "analysis/parts_pass.h"
#include "document/document.h"

namespace warpsight {

struct PartsDocumentOptions {
  int64_t other_limit = 10;  // kernels of the row other in text; JSON has all
  bool full_names = false;
  bool table_only = false;  // for CSV: the rows and nothing else
};

Document MakePartsDocument(const PartsResult& parts, const ModelResult& model, const PartsDocumentOptions& options);

}  // namespace warpsight
