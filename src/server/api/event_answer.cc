#include "server/api/event_answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/kernel_name/decoded_name_data.h"
#include "server/api/event_facts.h"
#include "server/api/event_ref.h"

namespace warpsight::server {
namespace {

Json HostRef(const TrackList& tracks, uint32_t row) {
  return row == kNoRow ? Json(nullptr) : EventRef(tracks, {EventKind::kHost, row});
}

// From the innermost one out.
Json Parents(const Trace& trace, const TrackList& tracks, uint32_t row) {
  Json parents = Json::array();
  while (row != kNoRow && parents.size() < kMostParentsShown) {
    parents.push_back(HostRef(tracks, row));
    row = trace.host().parent[row];
  }
  return parents;
}

// Duration without the direct children, as key averages have it; overhead that was written on no thread counts where it
// hangs.
Ns SelfNs(const Trace& trace, uint32_t row) {
  const HostEvents& host = trace.host();
  Ns self_ns = host.duration_ns(row);
  const auto take = [&](uint32_t begin, uint32_t end) {
    for (uint32_t other = begin; other < end; ++other) {
      if (host.parent[other] == row) self_ns = SaturatingSubtract(self_ns, host.duration_ns(other));
    }
  };
  const Thread& own = trace.threads()[host.thread[row]];
  const uint32_t layer_end = row < own.first_frame ? own.first_frame : own.end;
  const Ns* const starts = host.start_ns.data();
  const auto children_end =
      static_cast<uint32_t>(std::upper_bound(starts + row, starts + layer_end, host.end_ns[row]) - starts);
  take(row + 1, children_end);
  for (const Thread& thread : trace.threads()) {
    if (thread.pid == -1 && &thread != &own) take(thread.first_call, thread.first_frame);
  }
  return self_ns;
}

// All GPU work whose launch lies within a host event, and its first pieces.
Json Launches(TraceView& view, uint32_t row) {
  const HostEvents& host = view.trace().host();
  const Thread& thread = view.trace().threads()[host.thread[row]];
  const Ns* const starts = host.start_ns.data();
  const auto call_at = [&](auto bound, Ns time) {
    return static_cast<uint32_t>(bound(starts + thread.first_call, starts + thread.first_frame, time) - starts);
  };
  const auto lower = [](const Ns* begin, const Ns* end, Ns time) { return std::lower_bound(begin, end, time); };
  const auto upper = [](const Ns* begin, const Ns* end, Ns time) { return std::upper_bound(begin, end, time); };
  const uint32_t first_call = call_at(lower, host.start_ns[row]);
  const uint32_t end_call = call_at(upper, host.end_ns[row]);
  const std::vector<uint32_t>& work = view.work_by_launch();
  const LargeVector<uint32_t>& launch_of = view.trace().gpu().launch;
  int64_t count = 0;
  Json first = Json::array();
  for (auto one = std::ranges::lower_bound(work, first_call, {}, [&](uint32_t gpu) { return launch_of[gpu]; });
       one != work.end() && launch_of[*one] < end_call; ++one) {
    if (host.end_ns[launch_of[*one]] > host.end_ns[row]) continue;
    if (++count <= static_cast<int64_t>(kMostLaunchesShown))
      first.push_back(EventRef(view.tracks(), {EventKind::kGpu, *one}));
  }
  return {{"count", count}, {"first", std::move(first)}};
}

void AddWork(TraceView& view, uint32_t row, Json& json) {
  const GpuWork& gpu = view.trace().gpu();
  if (gpu.kind[row] == GpuKind::kKernel) {
    if (const auto decoded = DecodeKernelName(view.trace().Text(gpu.name[row]))) json["decoded"] = DecodedNameData(*decoded);
  }
  json["facts"] = WorkFactsOf(view.trace(), row);
  const WorkFacts& facts = view.work_facts();
  if (!facts.part(row).empty()) json["part"] = facts.part(row);
  if (const std::optional<WorkBound> bound = facts.bound(row)) {
    json["bound"] = bound->bound;
    json["efficiency"] = bound->efficiency;
  }
  json["counters"] = view.work_counters().Of(row);
  json["launched_by"] = HostRef(view.tracks(), gpu.launch[row]);
  json["op"] = HostRef(view.tracks(), gpu.op[row]);
  json["parents"] = Parents(view.trace(), view.tracks(), gpu.op[row]);
}

void AddHost(TraceView& view, uint32_t row, Json& json) {
  json["self_ns"] = SelfNs(view.trace(), row);
  json["facts"] = HostFacts(view.trace(), row);
  json["launches"] = Launches(view, row);
  json["parents"] = Parents(view.trace(), view.tracks(), view.trace().host().parent[row]);
}

void AddStep(const TrackList& tracks, uint32_t row, Json& json) {
  const StepWindow& step = tracks.steps()[row];
  json["facts"] = Json::array(
      {Json::array({"index", step.index}), Json::array({"found by", StepSourceName(tracks.step_windows().source)})});
  if (step.marker != kNoRow) json["parents"].push_back(HostRef(tracks, step.marker));
}

}  // namespace

Result<EventId> ParseEvent(const TrackList& tracks, const Query& query) {
  const Result<std::string_view> word = query.Text("kind");
  if (!word.ok()) return word.status();
  const std::optional<EventKind> kind = ParseEventKind(*word);
  if (!kind) return UsageError(fmt::format("kind={}: give host, gpu, step or span", *word));
  if (tracks.size(*kind) == 0) return LacksError(fmt::format("kind={}: the trace has no such events", *word));
  const Result<int64_t> row = query.Number("row", 0, int64_t{tracks.size(*kind)} - 1);
  if (!row.ok()) return row.status();
  return EventId{*kind, static_cast<uint32_t>(*row)};
}

Result<Json> EventAnswer(TraceView& view, const Query& query) {
  const TrackList& tracks = view.tracks();
  const Result<EventId> event = ParseEvent(tracks, query);
  if (!event.ok()) return event.status();
  const auto [kind, row] = *event;
  const Json ref = EventRef(tracks, *event);
  Json json = {{"kind", ref["kind"]},
               {"row", row},
               {"track", ref["track"]},
               {"depth", ref["depth"]},
               {"name", tracks.NameText(tracks.NameOf(kind, row))},
               {"decoded", nullptr},
               {"start_ns", ref["start_ns"]},
               {"duration_ns", ref["duration_ns"]}};
  for (const char* const key : {"self_ns", "facts", "part", "bound", "efficiency", "counters", "launched_by", "op"})
    json[key] = nullptr;
  json["facts"] = Json::array();
  json["launches"] = {{"count", 0}, {"first", Json::array()}};
  json["parents"] = Json::array();
  switch (kind) {
    case EventKind::kHost:
      AddHost(view, row, json);
      break;
    case EventKind::kGpu:
      AddWork(view, row, json);
      break;
    case EventKind::kSpan:
      json["facts"] = SpanFacts(view.trace(), row);
      break;
    case EventKind::kStep:
      AddStep(tracks, row, json);
      break;
  }
  return json;
}

}  // namespace warpsight::server
