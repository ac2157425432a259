#include <fmt/format.h>

#include "server/api/event_ref.h"
#include "server/api/name_answers.h"

namespace warpsight::server {

Result<Json> NamesAnswer(const TrackList& tracks, const Query& query) {
  const Result<std::string_view> ids = query.Text("ids");
  if (!ids.ok()) return ids.status();
  std::string_view left = *ids;
  Json names = Json::object();
  while (!left.empty()) {
    const size_t end = std::min(left.find(','), left.size());
    const std::string_view word = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    const std::optional<int64_t> id = ParseWholeNumber(word);
    if (!id || *id < 0 || *id >= int64_t{tracks.name_count()})
      return UsageError(fmt::format("ids: {}: give numbers of names, from 0 to {}", word, tracks.name_count() - 1));
    names[std::to_string(*id)] = ShortName(tracks.NameText(static_cast<uint32_t>(*id)));
    if (names.size() > kMostNames) return UsageError(fmt::format("ids: more than {}: ask for fewer at a time", kMostNames));
  }
  return Json{{"names", std::move(names)}};
}

}  // namespace warpsight::server
