// Answers about names: their texts, the events that bear one, and what all events of a name have in common.
//
// Place in the flow: query -> names (matched once each) -> a pass over the rows -> JSON. Patterns are NamePattern, whose
// time is bounded, and the names of a trace together have a bound too. Errors: kUsage. Thread-safe.
#pragma once

#include "server/api/json_text.h"
#include "server/api/query.h"
#include "server/api/track_list.h"

namespace warpsight::server {

inline constexpr size_t kMostNames = 1000;
inline constexpr int64_t kMostHits = 1000;
inline constexpr size_t kMostBins = 40;

Result<Json> NamesAnswer(const TrackList& tracks, const Query& query);
Result<Json> SearchAnswer(const TrackList& tracks, const Query& query);
Result<Json> SameAnswer(const TrackList& tracks, const Query& query);

}  // namespace warpsight::server
