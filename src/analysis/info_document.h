// The `info` document: what is in a recording.
//
// Place in the flow: Trace -> Document -> text | JSON. Errors: none. Threads: pure functions.
#pragma once

#include "document/document.h"
#include "trace/trace.h"

namespace warpsight {

Document MakeInfoDocument(const Trace& trace);

}  // namespace warpsight
