#include <algorithm>
#include <cmath>
#include <vector>

#include "server/api/event_answer.h"
#include "server/api/event_ref.h"
#include "server/api/name_answers.h"

namespace warpsight::server {
namespace {

// Borders of at most kMostBins bins, each a fixed part longer than the one before, over [least, most].
std::vector<Ns> BinBorders(Ns least, Ns most) {
  std::vector<Ns> borders = {least};
  const double first = static_cast<double>(std::max<Ns>(least, 1));
  const double ratio = std::pow((static_cast<double>(most) + 1) / first, 1.0 / static_cast<double>(kMostBins));
  double border = first;
  for (size_t bin = 1; bin < kMostBins; ++bin) {
    border *= ratio;
    const Ns whole = border < static_cast<double>(most) ? static_cast<Ns>(std::ceil(border)) : most;
    if (whole > borders.back() && whole <= most) borders.push_back(whole);
  }
  borders.push_back(SaturatingAdd(most, 1));
  return borders;
}

Json Histogram(const std::vector<Ns>& durations, Ns least, Ns most) {
  const std::vector<Ns> borders = BinBorders(least, most);
  std::vector<int64_t> counts(borders.size() - 1, 0);
  for (const Ns duration : durations) {
    const auto behind = std::ranges::upper_bound(borders, duration);
    ++counts[std::min<size_t>(static_cast<size_t>(behind - borders.begin()) - 1, counts.size() - 1)];
  }
  Json bins = Json::array();
  for (size_t i = 0; i < counts.size(); ++i)
    bins.push_back({{"from_ns", borders[i]}, {"to_ns", borders[i + 1]}, {"count", counts[i]}});
  return bins;
}

}  // namespace

Result<Json> SameAnswer(const TrackList& tracks, const Query& query) {
  const Result<EventId> event = ParseEvent(tracks, query);
  if (!event.ok()) return event.status();
  const EventKind kind = event->kind;
  const uint32_t name = tracks.NameOf(kind, event->row);
  std::vector<Ns> durations;
  Ns total = 0;
  for (uint32_t row = 0; row < tracks.size(kind); ++row) {
    if (tracks.NameOf(kind, row) != name) continue;
    durations.push_back(std::max<Ns>(0, SaturatingSubtract(tracks.ends(kind)[row], tracks.starts(kind)[row])));
    total = SaturatingAdd(total, durations.back());
  }
  const auto [least, most] = std::ranges::minmax(durations);
  return Json{{"name", tracks.NameText(name)},
              {"count", durations.size()},
              {"total_ns", total},
              {"min_ns", least},
              {"max_ns", most},
              {"mean_ns", std::llround(static_cast<double>(total) / static_cast<double>(durations.size()))},
              {"histogram", Histogram(durations, least, most)}};
}

}  // namespace warpsight::server
