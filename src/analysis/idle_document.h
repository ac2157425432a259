// The `idle` document: idle classes per device, then the largest gaps.
//
// Place in the flow: IdleResult -> Document -> text | JSON. Text has one table of classes, one of host names and one of gaps
// per device; JSON has everything under "devices". Errors: none. Threads: pure functions.
#pragma once

#include <cstdint>

#include "analysis/idle_pass.h"
#include "document/document.h"

namespace warpsight {

struct IdleDocumentOptions {
  int64_t text_gaps = 20;    // longest gaps in the text form
  int64_t json_gaps = 1000;  // longest gaps in JSON; "gaps_total" tells how many there are
  int64_t host_names = 10;   // names per class in the text form's table of host time
};

Document MakeIdleDocument(const Trace& trace, const IdleResult& idle, const IdleDocumentOptions& options);

}  // namespace warpsight
