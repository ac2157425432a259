#include "server/api/track_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "server/api/lane_assigner.h"

namespace warpsight::server {
namespace {

std::string ThreadName(const Thread& thread) { return thread.name.empty() ? "thread " + thread.label : thread.name; }

std::string ProcessName(const Thread& thread) {
  return thread.process_name.empty() ? "process " + thread.process_label
                                     : fmt::format("{} ({})", thread.process_name, thread.process_label);
}

}  // namespace

TrackList::TrackList(const Trace& trace) : trace_(trace), steps_(FindSteps(trace)), counters_(trace) {
  for (const StepWindow& step : steps_.steps) {
    step_starts_.push_back(step.time.start);
    step_ends_.push_back(step.time.end);
  }
  const auto set = [this](EventKind kind, std::span<const Ns> starts, std::span<const Ns> ends) {
    starts_[static_cast<size_t>(kind)] = starts;
    ends_[static_cast<size_t>(kind)] = ends;
    index(kind) = LaneIndex(starts, ends);
  };
  set(EventKind::kHost, trace.host().start_ns, trace.host().end_ns);
  set(EventKind::kGpu, trace.gpu().start_ns, trace.gpu().end_ns);
  set(EventKind::kStep, step_starts_, step_ends_);
  set(EventKind::kSpan, trace.gpu_spans().start_ns, trace.gpu_spans().end_ns);
  RunOnThreads(2, [&](int worker) {
    if (worker == 0) {
      IndexHost();
    } else {
      IndexSteps();
      IndexStreams(EventKind::kGpu, trace.gpu().stream, work_of_stream_);
      IndexStreams(EventKind::kSpan, trace.gpu_spans().stream, spans_of_stream_);
    }
  });
  is_name_of_event_.assign(name_count(), false);
  for (const EventKind kind : {EventKind::kHost, EventKind::kGpu, EventKind::kStep, EventKind::kSpan}) {
    for (uint32_t row = 0; row < size(kind); ++row) is_name_of_event_[NameOf(kind, row)] = true;
  }
  AddStepTracks();
  AddDeviceTracks();
  AddProcessTracks();
  AddCounterTracks();
  AddComputedTracks();
}

void TrackList::IndexSteps() {
  const auto count = static_cast<uint32_t>(steps_.steps.size());
  const std::vector<uint32_t> lanes(count, 0);  // they are disjoint
  step_group_ = {0, count > 0 ? 1u : 0u, count, 0};
  LaneIndex& steps = index(EventKind::kStep);
  steps.AddGroup(
      count, [](uint32_t i) { return i; }, lanes, step_group_.lanes);
  steps.Finish();
}

void TrackList::IndexHost() {
  std::vector<uint32_t> lanes;
  for (const Thread& thread : trace_.threads()) {
    calls_of_thread_.push_back(IndexHostLayer(thread.first_call, thread.first_frame, lanes));
    frames_of_thread_.push_back(IndexHostLayer(thread.first_frame, thread.end, lanes));
  }
  index(EventKind::kHost).Finish();
}

// An event lies below its parent, and where two overlap without one holding the other, the later one lies below too. The
// recorder's own span of the whole recording lies below all that it spans, so that it pushes nothing down.
TrackList::LaneGroup TrackList::IndexHostLayer(uint32_t first, uint32_t end, std::vector<uint32_t>& lanes) {
  const HostEvents& host = trace_.host();
  lanes.resize(end - first);
  LaneAssigner assigner;
  std::vector<uint32_t> recordings;
  for (uint32_t row = first; row < end; ++row) {
    if (host.kind[row] == HostKind::kRecording) {
      recordings.push_back(row);
      continue;
    }
    const uint32_t parent = host.parent[row];
    const bool here = parent != kNoRow && parent >= first && parent < row;
    lanes[row - first] = assigner.Place(host.start_ns[row], host.end_ns[row], here ? lanes[parent - first] + 1 : 0);
  }
  const uint32_t below = assigner.lanes();
  for (const uint32_t row : recordings) lanes[row - first] = assigner.Place(host.start_ns[row], host.end_ns[row], below);
  const uint32_t first_lane = index(EventKind::kHost)
                                  .AddGroup(
                                      end - first, [first](uint32_t i) { return first + i; }, lanes, assigner.lanes());
  return {first_lane, assigner.lanes(), end - first, 0};
}

void TrackList::IndexStreams(EventKind kind, const LargeVector<StreamIndex>& stream_of, std::vector<LaneGroup>& groups) {
  const size_t streams = trace_.streams().size();
  std::vector<uint32_t> begin(streams + 1, 0);
  for (const StreamIndex stream : stream_of) ++begin[stream + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<uint32_t> rows(stream_of.size());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t row = 0; row < stream_of.size(); ++row) rows[next[stream_of[row]]++] = row;
  const std::span<const Ns> starts = this->starts(kind);
  const std::span<const Ns> ends = this->ends(kind);
  std::vector<uint32_t> lanes;
  for (size_t stream = 0; stream < streams; ++stream) {
    const uint32_t first = begin[stream];
    const uint32_t count = begin[stream + 1] - first;
    LaneAssigner assigner;
    lanes.resize(count);
    for (uint32_t i = 0; i < count; ++i) lanes[i] = assigner.Place(starts[rows[first + i]], ends[rows[first + i]]);
    const uint32_t first_lane = index(kind).AddGroup(
        count, [&](uint32_t i) { return rows[first + i]; }, lanes, assigner.lanes());
    groups.push_back({first_lane, assigner.lanes(), count, 0});
  }
  index(kind).Finish();
}

void TrackList::BeginGroup(std::string name, std::string_view kind, std::string id) {
  const auto track = static_cast<uint32_t>(tracks_.size());
  groups_.push_back({std::move(name), kind, std::move(id), track, track, {}});
}

void TrackList::EndGroup() {
  groups_.back().end_track = static_cast<uint32_t>(tracks_.size());
  if (groups_.back().first_track == groups_.back().end_track) groups_.pop_back();
}

void TrackList::AddTrack(const std::string& name, std::string_view kind, EventKind events_kind, LaneGroup& group) {
  group.first_track = static_cast<uint32_t>(tracks_.size());
  for (uint32_t lane = 0; lane < group.lanes; lane += kMostLanes) {
    Track track;
    track.name = lane == 0 ? name : fmt::format("{} (lanes from {})", name, lane);
    track.kind = kind;
    track.events_kind = events_kind;
    track.first_lane = group.first_lane + lane;
    track.lanes = std::min(kMostLanes, group.lanes - lane);
    for (uint32_t i = 0; i < track.lanes; ++i)
      track.events += static_cast<int64_t>(lanes(events_kind).rows(track.first_lane + i).size());
    tracks_.push_back(std::move(track));
  }
}

void TrackList::AddStepTracks() {
  BeginGroup("Steps", "steps", "");
  AddTrack("steps", "steps", EventKind::kStep, step_group_);
  EndGroup();
}

void TrackList::AddDeviceTracks() {
  std::map<int32_t, std::vector<size_t>> streams_of;
  for (size_t i = 0; i < trace_.streams().size(); ++i) streams_of[trace_.streams()[i].device].push_back(i);
  for (const auto& [id, streams] : streams_of) {
    const Device* const device = trace_.FindDevice(id);
    const bool named = device != nullptr && !device->name.empty();
    BeginGroup(named ? fmt::format("GPU {}: {}", id, device->name) : fmt::format("GPU {}", id), "device",
               std::to_string(id));
    for (const size_t i : streams) {
      const Stream& stream = trace_.streams()[i];
      // Synchronisation that waits for all of a context or device stands on stream -1.
      const std::string name = stream.stream < 0 ? "all streams" : "stream " + stream.label;
      AddTrack(name, "stream", EventKind::kGpu, work_of_stream_[i]);
      AddTrack("ranges of " + name, "spans", EventKind::kSpan, spans_of_stream_[i]);
    }
    EndGroup();
  }
}

void TrackList::AddProcessTracks() {
  // In the order of the trace's threads; a process once, with all of its threads.
  std::vector<std::pair<std::string, std::vector<size_t>>> processes;
  std::map<std::string, size_t> index_of;
  for (size_t i = 0; i < trace_.threads().size(); ++i) {
    const std::string& label = trace_.threads()[i].process_label;
    const auto [found, is_new] = index_of.try_emplace(label, processes.size());
    if (is_new) processes.emplace_back(label, std::vector<size_t>());
    processes[found->second].second.push_back(i);
  }
  for (const auto& [label, threads] : processes) {
    BeginGroup(ProcessName(trace_.threads()[threads.front()]), "process", label);
    for (const size_t i : threads) {
      const std::string name = ThreadName(trace_.threads()[i]);
      AddTrack(name, "calls", EventKind::kHost, calls_of_thread_[i]);
      AddTrack("Python of " + name, "frames", EventKind::kHost, frames_of_thread_[i]);
    }
    EndGroup();
  }
}

void TrackList::AddCounterTracks() {
  // Series come by device, then process.
  bool open = false;
  const CounterSeries* before = nullptr;
  for (const CounterSeries& series : trace_.counters()) {
    if (series.size() == 0) continue;
    if (before == nullptr || before->device != series.device || before->process != series.process) {
      if (open) EndGroup();
      open = true;
      const std::string process(trace_.Text(series.process));
      std::string name = series.device >= 0 ? fmt::format("GPU {} counters", series.device) : std::string("Counters");
      if (!process.empty()) name += " of process " + process;
      BeginGroup(name, "counters", fmt::format("{}:{}", series.device, process));
    }
    before = &series;
    Track track;
    track.name = trace_.Text(series.name);
    track.kind = "counter";
    track.events = series.size();
    track.counter = &series;
    tracks_.push_back(std::move(track));
  }
  if (open) EndGroup();
}

void TrackList::AddComputed(TrackGroup& group, std::string name, std::unique_ptr<const ComputedCounter> counter) {
  Track track;
  track.name = std::move(name);
  track.kind = "counter";
  track.events = counter->changes();
  track.computed = std::move(counter);
  group.computed.push_back(static_cast<uint32_t>(tracks_.size()));
  tracks_.push_back(std::move(track));
}

// Queues of single streams where a device has several.
void TrackList::AddComputedTracks() {
  for (TrackGroup& group : groups_) {
    if (group.kind != "device") continue;
    const Device* const device = trace_.FindDevice(static_cast<int32_t>(std::stol(group.id)));
    if (device == nullptr || !device->has_work) continue;
    AddComputed(group, "busy share", std::make_unique<BusyShare>(trace_, *device));
    std::vector<uint32_t> rows(device->end_work - device->first_work);
    std::iota(rows.begin(), rows.end(), device->first_work);
    auto of_device = std::make_unique<QueueDepth>(trace_, rows);
    if (of_device->empty()) continue;
    AddComputed(group, "queue depth", std::move(of_device));
    std::map<StreamIndex, std::vector<uint32_t>> of_stream;
    for (const uint32_t row : rows) of_stream[trace_.gpu().stream[row]].push_back(row);
    if (of_stream.size() < 2) continue;
    for (const auto& [stream, stream_rows] : of_stream) {
      auto depth = std::make_unique<QueueDepth>(trace_, stream_rows);
      if (!depth->empty()) AddComputed(group, "queue depth of stream " + trace_.streams()[stream].label, std::move(depth));
    }
  }
}

const TrackList::LaneGroup& TrackList::GroupOf(EventKind kind, uint32_t row) const {
  switch (kind) {
    case EventKind::kHost: {
      const ThreadIndex thread = trace_.host().thread[row];
      return row < trace_.threads()[thread].first_frame ? calls_of_thread_[thread] : frames_of_thread_[thread];
    }
    case EventKind::kGpu:
      return work_of_stream_[trace_.gpu().stream[row]];
    case EventKind::kSpan:
      return spans_of_stream_[trace_.gpu_spans().stream[row]];
    case EventKind::kStep:
      break;
  }
  return step_group_;
}

Place TrackList::PlaceOf(EventKind kind, uint32_t row) const {
  const LaneGroup& group = GroupOf(kind, row);
  const uint32_t lane = lanes(kind).LaneOf(row, group.first_lane, group.lanes);
  return {group.first_track + lane / kMostLanes, lane % kMostLanes};
}

uint32_t TrackList::NameOf(EventKind kind, uint32_t row) const {
  switch (kind) {
    case EventKind::kHost:
      return static_cast<uint32_t>(trace_.host().name[row]);
    case EventKind::kGpu:
      return static_cast<uint32_t>(trace_.gpu().name[row]);
    case EventKind::kSpan:
      return static_cast<uint32_t>(trace_.gpu_spans().name[row]);
    case EventKind::kStep:
      break;
  }
  return static_cast<uint32_t>(trace_.strings().size()) + row;
}

std::string_view TrackList::NameText(uint32_t name) const {
  if (name < trace_.strings().size()) return trace_.Text(StringId{name});
  return steps_.steps[name - trace_.strings().size()].name;
}

size_t TrackList::index_bytes() const {
  size_t bytes = counters_.bytes();
  for (const LaneIndex& lanes : lanes_) bytes += lanes.bytes();
  for (const Track& track : tracks_) bytes += track.computed != nullptr ? track.computed->bytes() : 0;
  return bytes;
}

}  // namespace warpsight::server
