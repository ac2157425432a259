// The `source` document: the hot lines of kernels, then the instructions of the hottest ones.
//
// Place in the flow: SourceView -> Document -> text | JSON | page. Errors: none. Threads: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/counters/source_view.h"
#include "document/document.h"

namespace warpsight {

struct SourceDocumentOptions {
  bool instructions = false;  // of the hottest lines, in the text form
  bool all = false;           // all lines and all instructions
  bool data = false;          // the JSON body, which is large
};

// Views have columns.
Document MakeSourceDocument(const std::vector<SourceView>& views, const SourceDocumentOptions& options);

}  // namespace warpsight
