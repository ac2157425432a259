// EventRef: the short form of an event in answers, as docs/design/http-api.md calls it REF.
//
// Threads: pure functions.
#pragma once

#include "server/api/json_text.h"
#include "server/api/track_list.h"

namespace warpsight::server {

// {"kind","row","track","depth","name","start_ns","duration_ns"}; names are cut (ShortName).
Json EventRef(const TrackList& tracks, EventId event);

inline constexpr size_t kMostNameBytes = 300;
// A text of more than kMostNameBytes is cut between two characters, with "..." behind.
std::string ShortName(std::string_view name);

}  // namespace warpsight::server
