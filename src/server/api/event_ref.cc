#include "server/api/event_ref.h"

namespace warpsight::server {

Json EventRef(const TrackList& tracks, EventId event) {
  const Place place = tracks.PlaceOf(event.kind, event.row);
  const Ns start = tracks.starts(event.kind)[event.row];
  return {{"kind", EventKindName(event.kind)},
          {"row", event.row},
          {"track", place.track},
          {"depth", place.depth},
          {"name", ShortName(tracks.NameText(tracks.NameOf(event.kind, event.row)))},
          {"start_ns", start},
          {"duration_ns", SaturatingSubtract(tracks.ends(event.kind)[event.row], start)}};
}

std::string ShortName(std::string_view name) {
  if (name.size() <= kMostNameBytes) return std::string(name);
  size_t end = kMostNameBytes;
  constexpr size_t kLongestTail = 3;
  const auto continues = [&](size_t at) { return (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80; };
  while (end > kMostNameBytes - kLongestTail && continues(end)) --end;
  return std::string(name.substr(0, end)) + "...";
}

}  // namespace warpsight::server
