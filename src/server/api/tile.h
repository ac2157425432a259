// TileAnswer: what a track shows of a range of time, as the bytes that docs/design/http-api.md fixes.
//
// Place in the flow: track, Viewport -> slices or points -> little-endian columns. Cost: by pixels and lanes, whatever the
// trace holds. Errors: kUsage for bad parameters and for more slices than an answer may hold. Thread-safe.
#pragma once

#include <string>

#include "base/status.h"
#include "server/api/query.h"
#include "server/api/track_list.h"

namespace warpsight::server {

// At most so many slices in one answer: 41 bytes each.
inline constexpr size_t kMostSlices = size_t{1} << 21;

Result<std::string> TileAnswer(const Trace& trace, const TrackList& tracks, const Query& query);

}  // namespace warpsight::server
