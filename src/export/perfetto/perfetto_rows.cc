#include "export/perfetto/perfetto_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace warpsight::perfetto {
namespace {

constexpr auto kNested = TrackLanes::Nesting::kNested;
constexpr auto kFlat = TrackLanes::Nesting::kFlat;

// Places among the children of a device: the rows of a stream stay together, its work first.
constexpr int32_t kRanksOfStream = 100'000;
constexpr int32_t kRankOfSpans = 50'000;
constexpr int32_t kMostRankedStreams = 20'000;

Category CategoryOf(HostKind kind) {
  switch (kind) {
    case HostKind::kOp:
      return Category::kOp;
    case HostKind::kRange:
      return Category::kRange;
    case HostKind::kApi:
      return Category::kApi;
    case HostKind::kOverhead:
      return Category::kOverhead;
    case HostKind::kRecording:
      return Category::kRecording;
    case HostKind::kPythonFrame:
      return Category::kPython;
    case HostKind::kOther:
      break;
  }
  return Category::kOther;
}

Category CategoryOf(GpuKind kind) {
  return kind == GpuKind::kKernel ? Category::kKernel : kind == GpuKind::kMemcpy ? Category::kMemcpy : Category::kMemset;
}

Category CategoryOf(GpuSpanKind kind) {
  return kind == GpuSpanKind::kAnnotation ? Category::kGpuRange
         : kind == GpuSpanKind::kSync     ? Category::kGpuSync
                                          : Category::kGpuOther;
}

std::string_view SpanSuffix(GpuSpanKind kind) {
  return kind == GpuSpanKind::kAnnotation ? " ranges" : kind == GpuSpanKind::kSync ? " synchronisation" : " other";
}

}  // namespace

// The rows of a thread, each made when its first event comes.
struct PerfettoRows::ThreadRows {
  TrackRow& Of(HostKind kind) {
    const size_t index = kind == HostKind::kRange ? 1 : kind == HostKind::kRecording ? 2 : IsFrame(kind) ? 3 : 0;
    static constexpr std::string_view kNames[] = {"calls", "ranges", "recording", "Python"};
    std::unique_ptr<TrackRow>& row = rows[index];
    if (row == nullptr) {
      const TrackSpec spec{std::string(kNames[index]), thread, static_cast<int32_t>(index) * kRanksOfStream, false};
      row = std::make_unique<TrackRow>(tracks, packets, kNested, spec, index == 0 ? thread : 0);
    }
    return *row;
  }
  TimelineTracks& tracks;
  PacketWriter& packets;
  uint64_t thread = 0;
  std::unique_ptr<TrackRow> rows[4] = {};
};

PerfettoRows::PerfettoRows(const Trace& trace, const ExportRequest& request, PacketWriter& packets, ExportOutcome& outcome)
    : trace_(trace),
      packets_(packets),
      outcome_(outcome),
      window_(request),
      texts_(trace, packets),
      tracks_(trace, packets),
      flows_(trace, window_),
      arrows_(trace, window_) {}

void PerfettoRows::WriteHostEvents() {
  for (ThreadIndex index = 0; index < trace_.threads().size() && !packets_.stopped(); ++index) WriteThread(index);
  outcome_.rows.emplace_back("host_events", host_events_);
}

void PerfettoRows::WriteThread(ThreadIndex index) {
  const HostEvents& host = trace_.host();
  const warpsight::Thread& thread = trace_.threads()[index];
  ThreadRows rows{tracks_, packets_};
  for (uint32_t row = thread.first_call; row < thread.end && !packets_.stopped(); ++row) {
    Interval time{host.start_ns[row], host.end_ns[row]};
    if (!window_.Take(time)) continue;
    if (rows.thread == 0) rows.thread = tracks_.Thread(index);
    WriteHostEvent(row, rows.Of(host.kind[row]).Place(time), time.start);
    ++host_events_;
  }
}

void PerfettoRows::WriteHostEvent(uint32_t row, uint64_t track, Ns start) {
  const HostEvents& host = trace_.host();
  const uint64_t name = texts_.Name(host.name[row]);
  const uint64_t shapes = texts_.Text(host.shapes[row]);
  const uint64_t types = texts_.Text(host.types[row]);
  const bool has_arrows = host.kind[row] == HostKind::kOp || host.kind[row] == HostKind::kApi;
  EventWriter& event = packets_.Event(kSliceBegin, track, start);
  event.Category(CategoryOf(host.kind[row]));
  event.Name(name);
  if (host.correlation[row] != 0) event.Unsigned(Annotation::kCorrelation, host.correlation[row]);
  if (host.external_id[row] != 0) event.Unsigned(Annotation::kExternalId, host.external_id[row]);
  if (shapes != 0) event.Text(Annotation::kShapes, shapes);
  if (types != 0) event.Text(Annotation::kTypes, types);
  if (host.sequence_plus_one[row] != 0) event.Unsigned(Annotation::kSequence, host.sequence_plus_one[row] - 1);
  if (host.forward_thread[row] != 0) event.Unsigned(Annotation::kForwardThread, host.forward_thread[row]);
  const std::span<const uint32_t> work = flows_.WorkOf(row);
  for (const uint32_t launched : work.first(std::min(work.size(), LaunchFlows::kMostOfCall))) {
    event.Flow(uint64_t{launched} + 1);
  }
  if (has_arrows) {
    for (const uint64_t arrow : arrows_.Take(host.thread[row], host.start_ns[row])) event.Flow(arrow);
  }
  event.End();
}

TrackSpec PerfettoRows::StreamSpec(StreamIndex stream, std::string_view suffix, int32_t rank) {
  const warpsight::Stream& one = trace_.streams()[stream];
  const auto place = static_cast<int32_t>(std::min<StreamIndex>(stream, kMostRankedStreams));
  return {fmt::format("stream {}{}", one.label, suffix), tracks_.Device(one.device), place * kRanksOfStream + rank, false};
}

void PerfettoRows::WriteGpuWork() {
  const GpuWork& gpu = trace_.gpu();
  std::vector<std::unique_ptr<TrackRow>> streams(trace_.streams().size());
  int64_t written = 0;
  for (uint32_t row = 0; row < gpu.size() && !packets_.stopped(); ++row) {
    Interval time{gpu.start_ns[row], gpu.end_ns[row]};
    const StreamIndex stream = gpu.stream[row];
    if (!window_.TakesDevice(trace_.streams()[stream].device) || !window_.Take(time)) continue;
    std::unique_ptr<TrackRow>& track_row = streams[stream];
    if (track_row == nullptr) track_row = std::make_unique<TrackRow>(tracks_, packets_, kFlat, StreamSpec(stream, "", 0));
    WriteGpuEvent(row, track_row->Place(time), time.start);
    ++written;
  }
  outcome_.rows.emplace_back("gpu_work", written);
}

void PerfettoRows::WriteGpuEvent(uint32_t row, uint64_t track, Ns start) {
  const GpuWork& gpu = trace_.gpu();
  const LaunchIndex launch = gpu.launch_config[row];
  const Collective& collective = trace_.collective(gpu.collective[row]);
  const uint64_t name = texts_.Name(gpu.name[row]);
  const uint64_t grid = launch == 0 ? 0 : texts_.Grid(launch);
  const uint64_t block = launch == 0 ? 0 : texts_.Block(launch);
  const std::pair<Annotation, uint64_t> texts[] = {
      {Annotation::kCopyKind, texts_.Text(gpu.copy_kind[row])},
      {Annotation::kSourceMemory, texts_.Text(gpu.source_memory[row])},
      {Annotation::kDestinationMemory, texts_.Text(gpu.destination_memory[row])},
      {Annotation::kCollective, texts_.Text(collective.name)},
      {Annotation::kDtype, texts_.Text(collective.dtype)},
      {Annotation::kGroup, texts_.Text(collective.group_name)},
      {Annotation::kRanks, texts_.Text(collective.group_ranks)},
  };
  const warpsight::Stream& stream = trace_.streams()[gpu.stream[row]];
  EventWriter& event = packets_.Event(kSliceBegin, track, start);
  event.Category(CategoryOf(gpu.kind[row]));
  event.Name(name);
  event.Integer(Annotation::kStream, stream.stream);
  if (stream.context != kAbsent) event.Integer(Annotation::kContext, stream.context);
  if (gpu.correlation[row] != 0) event.Unsigned(Annotation::kCorrelation, gpu.correlation[row]);
  if (gpu.external_id[row] != 0) event.Unsigned(Annotation::kExternalId, gpu.external_id[row]);
  if (gpu.bytes[row] != kAbsent) event.Integer(Annotation::kBytes, gpu.bytes[row]);
  if (gpu.graph_id[row] != 0) event.Unsigned(Annotation::kGraph, gpu.graph_id[row]);
  if (gpu.graph_node_id[row] != 0) event.Unsigned(Annotation::kGraphNode, gpu.graph_node_id[row]);
  if (launch != 0) AnnotateLaunch(event, trace_.launch_config(launch), grid, block);
  for (const auto& [annotation, text] : texts) {
    if (text != 0) event.Text(annotation, text);
  }
  if (gpu.collective[row] != 0) {
    if (collective.in_elements != kAbsent) event.Integer(Annotation::kInElements, collective.in_elements);
    if (collective.out_elements != kAbsent) event.Integer(Annotation::kOutElements, collective.out_elements);
    if (collective.group_size != -1) event.Integer(Annotation::kGroupSize, collective.group_size);
    if (collective.rank != -1) event.Integer(Annotation::kRank, collective.rank);
  }
  if (const uint64_t flow = flows_.FlowTo(row); flow != 0) {
    if (flow == uint64_t{row} + 1) {
      event.FlowEnd(flow);
    } else {
      event.Flow(flow);
    }
  }
  event.End();
}

void PerfettoRows::AnnotateLaunch(EventWriter& event, const LaunchConfig& config, uint64_t grid, uint64_t block) {
  event.Text(Annotation::kGrid, grid);
  event.Text(Annotation::kBlock, block);
  const std::pair<Annotation, int32_t> numbers[] = {
      {Annotation::kRegisters, config.registers_per_thread},        {Annotation::kStaticShared, config.static_shared_bytes},
      {Annotation::kDynamicShared, config.dynamic_shared_bytes},    {Annotation::kShared, config.shared_bytes},
      {Annotation::kOccupancy, config.estimated_occupancy_percent},
  };
  for (const auto& [annotation, number] : numbers) {
    if (number >= 0) event.Integer(annotation, number);
  }
}

void PerfettoRows::WriteGpuSpans() {
  const GpuSpans& spans = trace_.gpu_spans();
  // Of equal starts the longer first, as a stack walk needs it; the table is sorted by start alone.
  std::vector<uint32_t> order(spans.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(spans.start_ns[a], spans.end_ns[b]) < std::tie(spans.start_ns[b], spans.end_ns[a]);
  });
  constexpr size_t kKinds = 3;
  std::vector<std::unique_ptr<TrackRow>> rows(trace_.streams().size() * kKinds);
  int64_t written = 0;
  for (const uint32_t row : order) {
    if (packets_.stopped()) break;
    Interval time{spans.start_ns[row], spans.end_ns[row]};
    const StreamIndex stream = spans.stream[row];
    if (!window_.TakesDevice(trace_.streams()[stream].device) || !window_.Take(time)) continue;
    const auto kind = static_cast<size_t>(spans.kind[row]);
    std::unique_ptr<TrackRow>& track_row = rows[stream * kKinds + kind];
    if (track_row == nullptr) {
      const int32_t rank = kRankOfSpans + static_cast<int32_t>(kind) * 10'000;
      track_row =
          std::make_unique<TrackRow>(tracks_, packets_, kNested, StreamSpec(stream, SpanSuffix(spans.kind[row]), rank));
    }
    const uint64_t name = texts_.Name(spans.name[row]);
    const uint64_t track = track_row->Place(time);
    EventWriter& event = packets_.Event(kSliceBegin, track, time.start);
    event.Category(CategoryOf(spans.kind[row]));
    event.Name(name);
    if (spans.external_id[row] != 0) event.Unsigned(Annotation::kExternalId, spans.external_id[row]);
    event.End();
    ++written;
  }
  outcome_.rows.emplace_back("gpu_spans", written);
}

void PerfettoRows::WriteInstants() {
  std::vector<uint64_t> marks(trace_.threads().size(), 0);
  int64_t written = 0;
  for (const std::vector<InstantRow>& segment : trace_.instants()) {
    for (const InstantRow& instant : segment) {
      if (packets_.stopped()) break;
      if (!window_.TakesPoint(instant.time_ns)) continue;
      uint64_t& track = marks[instant.thread];
      // Of their own, so that a mark never lies between a slice and its children.
      if (track == 0) track = tracks_.Add({"marks", tracks_.Thread(instant.thread), 4 * kRanksOfStream, false});
      const uint64_t name = texts_.Name(instant.name);
      EventWriter& event = packets_.Event(kInstantEvent, track, instant.time_ns);
      event.Category(Category::kInstant);
      event.Name(name);
      // Begins and ends of asynchronous events are points here; the letter tells them apart.
      if (instant.phase != 'i') event.Unsigned(Annotation::kPhase, static_cast<unsigned char>(instant.phase));
      event.End();
      ++written;
    }
  }
  outcome_.rows.emplace_back("instants", written);
}

void PerfettoRows::WriteCounters() {
  const CounterSamples& samples = trace_.counter_samples();
  int64_t written = 0;
  for (const CounterSeries& series : trace_.counters()) {
    if (!window_.TakesDevice(series.device)) continue;
    uint64_t track = 0;
    for (uint32_t row = series.first; row < series.end && !packets_.stopped(); ++row) {
      if (!window_.TakesPoint(samples.time_ns[row])) continue;
      if (track == 0) {
        const uint64_t parent = series.device >= 0                   ? tracks_.Device(series.device)
                                : series.process != StringId::kEmpty ? tracks_.Process(trace_.Text(series.process))
                                                                     : 0;
        track = tracks_.AddCounter({std::string(trace_.Text(series.name)), parent, 0, false}, trace_.Text(series.unit));
      }
      EventWriter& event = packets_.Event(kCounterEvent, track, samples.time_ns[row]);
      if (series.kind == CounterKind::kInteger) {
        event.CounterValue(samples.value[row]);
      } else {
        event.CounterValue(samples.Double(series, row));
      }
      event.End();
      ++written;
    }
  }
  outcome_.rows.emplace_back("counter_samples", written);
}

void PerfettoRows::CountLosses() {
  outcome_.cut = window_.cut();
  outcome_.Lose(arrows_.untaken(), "ends of arrows that lie at the begin of no op or call");
}

}  // namespace warpsight::perfetto
