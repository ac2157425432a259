// SourceAnswer: one event as its file has it, with what no analysis asks for.
//
// Place in the flow: kind and row -> source of the row -> ReadEventText. The trace's own file alone is read, one at a time:
// a compressed one may take as much memory as it inflates to. Errors: kLacks for an event that the file does not hold (a
// step, what came through a pipe, a file that was replaced), kUsage for a row that is not there. Thread-safe.
#pragma once

#include <string>

#include "server/api/json_text.h"
#include "server/api/query.h"
#include "server/api/trace_store.h"
#include "server/api/trace_view.h"

namespace warpsight::server {

inline constexpr size_t kMostSourceBytes = size_t{1} << 20;

// {"source": "26027", "text": "{...}", "cut": false}: the JSON object as text, since its numbers may be larger than a
// browser's. `view` is trace `number` of the store.
Result<Json> SourceAnswer(const TraceStore& traces, size_t number, const TraceView& view, const Query& query);

}  // namespace warpsight::server
