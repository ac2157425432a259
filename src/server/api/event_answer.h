// EventAnswer: one event, whole: what was recorded, what the analyses know of it, what launched it and what it launched.
//
// Place in the flow: kind and row -> Trace, WorkFacts -> JSON. A call launches the GPU work whose launch lies within its
// time on its thread. Errors: kUsage for a row that is not there. Thread-safe.
#pragma once

#include "server/api/json_text.h"
#include "server/api/query.h"
#include "server/api/trace_view.h"

namespace warpsight::server {

inline constexpr size_t kMostLaunchesShown = 100;
inline constexpr size_t kMostParentsShown = 64;

// The event that kind= and row= name.
Result<EventId> ParseEvent(const TrackList& tracks, const Query& query);
Result<Json> EventAnswer(TraceView& view, const Query& query);

}  // namespace warpsight::server
