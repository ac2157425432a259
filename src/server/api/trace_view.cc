#include "server/api/trace_view.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "server/api/json_text.h"

namespace warpsight::server {
namespace {

Json TrackJson(const Trace& trace, const TrackList& tracks, uint32_t number) {
  const Track& track = tracks.tracks()[number];
  Json json = {
      {"track", number}, {"name", track.name}, {"kind", track.kind}, {"depths", track.lanes}, {"events", track.events}};
  json["unit"] = nullptr;
  json["min"] = nullptr;
  json["max"] = nullptr;
  if (track.computed != nullptr) {
    if (!track.computed->unit().empty()) json["unit"] = track.computed->unit();
    std::tie(json["min"], json["max"]) = track.computed->Limits();
  } else if (track.counter != nullptr) {
    if (track.counter->unit != StringId::kEmpty) json["unit"] = trace.Text(track.counter->unit);
    std::tie(json["min"], json["max"]) = tracks.counters().Limits(*track.counter);
  }
  return json;
}

std::string TracksJson(const Trace& trace, const TrackList& tracks) {
  Json json = {{"schema", "warpsight.tracks/1"}, {"start_ns", trace.capture().start}, {"end_ns", trace.capture().end}};
  json["groups"] = Json::array();
  for (const TrackGroup& group : tracks.groups()) {
    Json list = Json::array();
    for (const uint32_t computed : group.computed) list.push_back(TrackJson(trace, tracks, computed));
    for (uint32_t i = group.first_track; i < group.end_track; ++i) list.push_back(TrackJson(trace, tracks, i));
    json["groups"].push_back({{"name", group.name}, {"kind", group.kind}, {"id", group.id}, {"tracks", std::move(list)}});
  }
  return JsonText(json);
}

}  // namespace

TraceView::TraceView(Trace trace, Given given)
    : trace_(std::move(trace)),
      given_(std::move(given)),
      tracks_(trace_),
      tracks_json_(TracksJson(trace_, tracks_)),
      documents_(trace_, given_) {}

const WorkCounters& TraceView::work_counters() {
  std::call_once(counters_once_, [this] { counters_ = std::make_unique<const WorkCounters>(trace_, given_); });
  return *counters_;
}

const WorkFacts& TraceView::work_facts() {
  std::call_once(facts_once_, [this] { facts_ = std::make_unique<const WorkFacts>(trace_); });
  return *facts_;
}

const std::vector<uint32_t>& TraceView::work_by_launch() {
  std::call_once(launches_once_, [this] {
    const GpuWork& gpu = trace_.gpu();
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < gpu.size(); ++row) {
      if (gpu.launch[row] != kNoRow) rows.push_back(row);
    }
    std::ranges::stable_sort(rows, {}, [&gpu](uint32_t row) { return gpu.launch[row]; });
    work_by_launch_ = std::move(rows);
  });
  return work_by_launch_;
}

}  // namespace warpsight::server
