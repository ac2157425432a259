// EventFacts: what the recorder wrote of an event, as pairs of a word and a value, in the order in which a reader wants
// them.
//
// Place in the flow: row of a Trace -> facts of the answer about an event. What was not recorded is left out. Threads: pure
// functions.
#pragma once

#include "server/api/json_text.h"
#include "trace/trace.h"

namespace warpsight::server {

Json HostFacts(const Trace& trace, uint32_t row);
Json WorkFactsOf(const Trace& trace, uint32_t row);
Json SpanFacts(const Trace& trace, uint32_t row);

}  // namespace warpsight::server
