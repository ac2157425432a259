// TrackList: what the timeline of a trace is made of, in the order in which it is shown, and the index behind each track.
//
// Place in the flow: Trace -> TrackList -> tracks, tiles, places of events. Steps come first, then the streams of every
// device with the spans on them, then the threads of every process (calls, then frames), then counters. What is computed of
// a device stands before its streams, under numbers behind all others. A track draws lanes; one of more than kMostLanes is
// continued in the next, so that nothing is hidden. Building is linear in the events and uses two threads. Units: ns.
// Errors: none. Threads: immutable once built.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/step_windows.h"
#include "server/api/computed_counter.h"
#include "server/api/counter_blocks.h"
#include "server/api/event_kind.h"
#include "server/api/lane_index.h"
#include "trace/trace.h"

namespace warpsight::server {

// Lane numbers of a tile have 16 bits.
inline constexpr uint32_t kMostLanes = 1u << 16;

struct Track {
  std::string name;
  std::string_view kind;  // "steps", "calls", "frames", "stream", "spans", "counter"
  EventKind events_kind = EventKind::kHost;
  uint32_t first_lane = 0;  // in the LaneIndex of events_kind
  uint32_t lanes = 1;
  int64_t events = 0;
  // Of a counter one of the two.
  const CounterSeries* counter = nullptr;
  std::unique_ptr<const ComputedCounter> computed = nullptr;
};

struct TrackGroup {
  std::string name;
  std::string_view kind;  // "steps", "device", "process", "counters"
  std::string id;
  uint32_t first_track = 0;
  uint32_t end_track = 0;
  std::vector<uint32_t> computed;  // counters that stand before these
};

// Where an event is drawn.
struct Place {
  uint32_t track = 0;
  uint32_t depth = 0;
};

class TrackList {
 public:
  explicit TrackList(const Trace& trace);
  TrackList(const TrackList&) = delete;
  TrackList& operator=(const TrackList&) = delete;

  const std::vector<TrackGroup>& groups() const { return groups_; }
  const std::vector<Track>& tracks() const { return tracks_; }
  const LaneIndex& lanes(EventKind kind) const { return lanes_[static_cast<size_t>(kind)]; }
  const CounterBlocks& counters() const { return counters_; }
  const std::vector<StepWindow>& steps() const { return steps_.steps; }
  const StepWindows& step_windows() const { return steps_; }

  // The events of a table.
  std::span<const Ns> starts(EventKind kind) const { return starts_[static_cast<size_t>(kind)]; }
  std::span<const Ns> ends(EventKind kind) const { return ends_[static_cast<size_t>(kind)]; }
  uint32_t size(EventKind kind) const { return static_cast<uint32_t>(starts(kind).size()); }
  Place PlaceOf(EventKind kind, uint32_t row) const;

  // The event that stands for a row of a table: of a step that a range marks, that range.
  EventId Shown(EventKind kind, uint32_t row) const {
    const uint32_t marker = kind == EventKind::kStep ? steps_.steps[row].marker : kNoRow;
    return marker == kNoRow ? EventId{kind, row} : EventId{EventKind::kHost, marker};
  }

  // The name of an event as a number. Steps have names of their own, behind those of the trace.
  uint32_t NameOf(EventKind kind, uint32_t row) const;
  uint32_t name_count() const { return static_cast<uint32_t>(trace_.strings().size() + steps_.steps.size()); }
  std::string_view NameText(uint32_t name) const;
  // Whether an event of a track has the name; the trace's texts are of other things too.
  bool IsNameOfEvent(uint32_t name) const { return is_name_of_event_[name]; }

  size_t index_bytes() const;

 private:
  // Lanes [first, first + count) of a table and the track that shows the first of them.
  struct LaneGroup {
    uint32_t first_lane = 0;
    uint32_t lanes = 0;
    uint32_t events = 0;
    uint32_t first_track = 0;
  };

  void IndexSteps();
  void IndexHost();
  LaneGroup IndexHostLayer(uint32_t first, uint32_t end, std::vector<uint32_t>& lanes);
  void IndexStreams(EventKind kind, const LargeVector<StreamIndex>& stream_of, std::vector<LaneGroup>& groups);
  LaneIndex& index(EventKind kind) { return lanes_[static_cast<size_t>(kind)]; }
  void AddStepTracks();
  void AddDeviceTracks();
  void AddProcessTracks();
  void AddCounterTracks();
  void AddComputedTracks();
  void AddComputed(TrackGroup& group, std::string name, std::unique_ptr<const ComputedCounter> counter);
  void BeginGroup(std::string name, std::string_view kind, std::string id);
  void EndGroup();
  void AddTrack(const std::string& name, std::string_view kind, EventKind events_kind, LaneGroup& group);
  const LaneGroup& GroupOf(EventKind kind, uint32_t row) const;

  const Trace& trace_;
  StepWindows steps_;
  std::vector<Ns> step_starts_;
  std::vector<Ns> step_ends_;
  std::array<std::span<const Ns>, kEventKinds> starts_;
  std::array<std::span<const Ns>, kEventKinds> ends_;
  std::array<LaneIndex, kEventKinds> lanes_;
  CounterBlocks counters_;
  std::vector<bool> is_name_of_event_;
  LaneGroup step_group_;
  std::vector<LaneGroup> calls_of_thread_;
  std::vector<LaneGroup> frames_of_thread_;
  std::vector<LaneGroup> work_of_stream_;
  std::vector<LaneGroup> spans_of_stream_;
  std::vector<TrackGroup> groups_;
  std::vector<Track> tracks_;
};

}  // namespace warpsight::server
