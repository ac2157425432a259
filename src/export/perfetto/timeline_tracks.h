// TimelineTracks: which tracks there are, described before the first event that lies on them.
//
//   process                      tracks of the format's own kind where ids are numbers, named ones otherwise
//     thread                     ops, API calls, overhead
//       ranges, Python, marks    tracks of their own below the thread
//   device
//     stream N                   kernels, copies, sets
//     stream N ranges, ...       projections of ranges, recorded synchronisation
//   counters                     below their device or process
// A TrackRow is one of them: further lanes "name (2)" come when slices overlap (track_lanes.h).
// Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/perfetto/packet_writer.h"
#include "export/perfetto/track_lanes.h"
#include "trace/trace.h"

namespace warpsight::perfetto {

// Of a track that is no process and no thread.
struct TrackSpec {
  std::string name;
  uint64_t parent = 0;  // 0 = none
  int32_t rank = 0;     // among its siblings
  bool orders_children = false;
};

class TimelineTracks {
 public:
  TimelineTracks(const Trace& trace, PacketWriter& packets)
      : trace_(trace), packets_(packets), thread_uuids_(trace.threads().size()) {}

  // Each describes the track when it is asked for the first time.
  uint64_t Thread(ThreadIndex index);
  uint64_t Process(std::string_view label);
  uint64_t Device(int32_t id);
  uint64_t Add(const TrackSpec& spec);
  uint64_t AddCounter(const TrackSpec& spec, std::string_view unit);

 private:
  uint64_t AddProcess(std::string_view label);
  uint64_t AddThread(const warpsight::Thread& thread);

  const Trace& trace_;
  PacketWriter& packets_;
  uint64_t last_uuid_ = 0;
  std::vector<uint64_t> thread_uuids_;  // 0 = not yet
  std::map<std::string, uint64_t, std::less<>> process_uuids_;
  std::map<int32_t, uint64_t> device_uuids_;
  std::set<int64_t> pids_;                         // of process tracks
  std::set<std::pair<int64_t, int64_t>> threads_;  // pid and tid of thread tracks
};

// A row of the timeline and its lanes.
class TrackRow {
 public:
  // `first` is the track of the first lane where that exists already; 0 = it is made as `spec` says.
  TrackRow(TimelineTracks& tracks, PacketWriter& packets, TrackLanes::Nesting nesting, TrackSpec spec, uint64_t first = 0)
      : tracks_(tracks), packets_(packets), lanes_(nesting), spec_(std::move(spec)) {
    if (first != 0) uuids_.push_back(first);
  }
  ~TrackRow() { Finish(); }
  TrackRow(const TrackRow&) = delete;
  TrackRow& operator=(const TrackRow&) = delete;

  // The track for a slice, after the ends of those before it.
  uint64_t Place(Interval slice) {
    const uint32_t lane = lanes_.Place(slice, [this](uint32_t over, Ns end) { packets_.SliceEnd(uuids_[over], end); });
    if (lane >= uuids_.size()) AddLane();
    return uuids_[lane];
  }
  void Finish() {
    lanes_.Finish([this](uint32_t over, Ns end) { packets_.SliceEnd(uuids_[over], end); });
  }

 private:
  void AddLane();

  TimelineTracks& tracks_;
  PacketWriter& packets_;
  TrackLanes lanes_;
  TrackSpec spec_;
  std::vector<uint64_t> uuids_;  // by lane
};

}  // namespace warpsight::perfetto
