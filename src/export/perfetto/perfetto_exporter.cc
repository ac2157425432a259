#include "export/perfetto/perfetto_exporter.h"

#include <algorithm>

#include "export/output_buffer.h"
#include "export/perfetto/packet_writer.h"
#include "export/perfetto/perfetto_rows.h"

namespace warpsight {
namespace {

using namespace perfetto;

// The time that all rows lie in.
Interval Extent(const Trace& trace) {
  Interval extent{kMaxNs, kMinNs};
  const auto add = [&](Ns start, Ns end) {
    extent.start = std::min(extent.start, start);
    extent.end = std::max(extent.end, end);
  };
  const auto add_rows = [&](const auto& table) {
    for (uint32_t row = 0; row < table.size(); ++row) add(table.start_ns[row], table.end_ns[row]);
  };
  add_rows(trace.host());
  add_rows(trace.gpu());
  add_rows(trace.gpu_spans());
  for (const std::vector<InstantRow>& segment : trace.instants()) {
    for (const InstantRow& instant : segment) add(instant.time_ns, instant.time_ns);
  }
  for (const Ns time : trace.counter_samples().time_ns) add(time, time);
  return extent;
}

// The moment from which readers know the wall clock, when it can be said.
void WriteClock(const Trace& trace, Interval extent, PacketWriter& packets) {
  const RecordingInfo& info = trace.recording();
  const Ns wall = SaturatingAdd(info.clock_base_ns, extent.start);
  const bool is_sound = extent.start >= 0 && extent.start <= extent.end && wall > 0 && wall < kMaxNs;
  if (info.has_clock_base && is_sound) packets.ClockSnapshot(extent.start, wall);
}

class PerfettoExporter final : public Exporter {
 public:
  std::string_view name() const override { return "perfetto"; }
  std::string_view description() const override { return "Perfetto's protobuf format, for ui.perfetto.dev"; }

  Result<ExportOutcome> Export(const Trace& trace, const ExportRequest& request, ByteSink& sink) const override {
    ExportOutcome outcome;
    OutputBuffer out(sink);
    const Interval extent = Extent(trace);
    const Ns shift = extent.start < 0 ? SaturatingSubtract(0, extent.start) : 0;
    PacketWriter packets(out, shift);
    packets.BeginSequence();
    WriteClock(trace, extent, packets);
    PerfettoRows rows(trace, request, packets, outcome);
    rows.WriteHostEvents();
    rows.WriteGpuWork();
    rows.WriteGpuSpans();
    rows.WriteInstants();
    rows.WriteCounters();
    rows.CountLosses();
    outcome.Lose(shift, "ns that all times are moved by, since the format has none before 0");
    const bool is_too_long = extent.end > 0 && shift > kMaxNs - extent.end;
    outcome.Lose(trace.cpu_samples().size(), "CPU samples (--to csv has them)");
    outcome.Lose(trace.thread_switches().size(), "switches of threads (--to csv has them)");
    outcome.Lose(trace.graph_nodes().size(), "nodes of CUDA graphs as they came up (--to csv has them)");
    outcome.Lose(is_too_long ? 1 : 0, "recording longer than 63 bits of ns: what is later is drawn at its end");
    WARPSIGHT_RETURN_IF_ERROR(out.Finish());
    return outcome;
  }
};

}  // namespace

std::unique_ptr<Exporter> MakePerfettoExporter() { return std::make_unique<PerfettoExporter>(); }

}  // namespace warpsight
