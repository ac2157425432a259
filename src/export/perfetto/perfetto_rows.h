// PerfettoRows: the rows of a trace as track events.
//
// Place in the flow: Trace -> PerfettoRows -> PacketWriter, table by table. Events of one track are in order of time; tracks
// follow one another, which readers sort. Units: ns. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "export/exporter.h"
#include "export/perfetto/host_arrows.h"
#include "export/perfetto/interned_texts.h"
#include "export/perfetto/launch_flows.h"
#include "export/perfetto/packet_writer.h"
#include "export/perfetto/timeline_tracks.h"
#include "export/row_window.h"
#include "trace/trace.h"

namespace warpsight::perfetto {

class PerfettoRows {
 public:
  PerfettoRows(const Trace& trace, const ExportRequest& request, PacketWriter& packets, ExportOutcome& outcome);

  // Each counts its rows in the outcome.
  void WriteHostEvents();
  void WriteGpuWork();
  void WriteGpuSpans();
  void WriteInstants();
  void WriteCounters();
  // What no event could say.
  void CountLosses();

 private:
  struct ThreadRows;

  void WriteThread(ThreadIndex index);
  void WriteHostEvent(uint32_t row, uint64_t track, Ns start);
  void WriteGpuEvent(uint32_t row, uint64_t track, Ns start);
  void AnnotateLaunch(EventWriter& event, const LaunchConfig& config, uint64_t grid, uint64_t block);
  TrackSpec StreamSpec(StreamIndex stream, std::string_view suffix, int32_t rank);

  const Trace& trace_;
  PacketWriter& packets_;
  ExportOutcome& outcome_;
  RowWindow window_;
  InternedTexts texts_;
  TimelineTracks tracks_;
  LaunchFlows flows_;
  HostArrows arrows_;
  int64_t host_events_ = 0;
};

}  // namespace warpsight::perfetto
