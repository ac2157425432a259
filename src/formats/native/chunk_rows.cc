#include "formats/native/chunk_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "formats/cupti_names.h"
#include "formats/kernel_name_text.h"

namespace warpsight::native {
namespace {

// No recording lasts a year: a longer event is damage, and kept it would hide all others.
constexpr uint64_t kLongestNs = uint64_t{366} * 24 * 3600 * 1'000'000'000;
constexpr int kOffsetBits = 24;
constexpr size_t kMostDevices = 256;
// Ranges that the program gave to the recorder itself (warpsight/recorder.h), not through NVTX.
constexpr std::string_view kProgramDomain = "warpsight";
// Of PyTorch's modules, as torch.profiler names them: frames, like there.
constexpr std::string_view kModuleFrame = "nn.Module: ";

}  // namespace

RecordPlace PlaceOfSource(uint64_t source) {
  return {source >> kOffsetBits, static_cast<size_t>(source & ((uint64_t{1} << kOffsetBits) - 1))};
}

ChunkRows::ChunkRows(WorkerNames& names, ProcessId id, uint64_t chunk_number)
    : process(id), worker_(names), texts_(names.names->strings), chunk_number_(chunk_number) {
  shard.names = worker_.names;
}

void ChunkRows::At(size_t offset) { source_ = chunk_number_ << kOffsetBits | offset; }

ThreadIndex ChunkRows::ThreadOf(uint32_t thread, bool nests) {
  const auto [found, added] =
      worker_.threads[nests ? 0 : 1].try_emplace(uint64_t{process.process} << 32 | thread, ThreadIndex{0});
  if (added) {
    const std::string label = std::to_string(thread) + (nests ? "" : " start/end ranges");
    found->second = names().InternThread(std::to_string(process.process), label);
  }
  return found->second;
}

StreamIndex ChunkRows::InternStream(const wire::Place& place) {
  // All streams of a context, as synchronisations say it.
  const int64_t stream = place.stream == std::numeric_limits<uint32_t>::max() ? -1 : int64_t{place.stream};
  const StreamIndex index = names().InternStream(static_cast<int32_t>(place.device), stream, place.context, process.process);
  if (index >= worker_.places.size()) worker_.places.resize(index + 1);
  worker_.places[index] = place;
  return index;
}

uint32_t ChunkRows::DomainOf(std::string_view name) {
  const auto [found, is_new] = domain_numbers_.try_emplace(Name(name), static_cast<uint32_t>(domains.size()));
  if (is_new) domains.emplace_back(name);
  return found->second;
}

StringId ChunkRows::ReadableName(std::string_view recorded) {
  const bool is_long = recorded.size() >= RangeTexts::kLongText;
  if (is_long) {
    if (const auto known = long_names_.find(recorded.data()); known != long_names_.end()) return known->second;
  }
  const auto found = worker_.readable_names.find(recorded);
  const StringId name =
      found != worker_.readable_names.end() ? found->second : names().strings.Intern(ReadableKernelName(recorded));
  if (found == worker_.readable_names.end()) worker_.readable_names.emplace(recorded, name);
  if (is_long) long_names_.emplace(recorded.data(), name);
  return name;
}

ChunkRows::Times ChunkRows::TimesOf(uint64_t start_ns, uint64_t end_ns) {
  shard.log.CountRead();
  Times times;
  const auto repair = [&](std::string_view cause, std::string_view what) {
    times.mended = static_cast<uint8_t>(1 + shard.log.Add(cause, ImportSeverity::kWarning, Effect::kRepaired, what, -1));
  };
  times.start_ns = static_cast<Ns>(std::min<uint64_t>(start_ns, static_cast<uint64_t>(kMaxNs)));
  if (static_cast<uint64_t>(times.start_ns) != start_ns) {
    repair("absurd_timestamp", "an event starts later than 63 bits of nanoseconds can say: it is put at their end");
  } else if (end_ns < start_ns) {
    repair("negative_duration", "an event ends before it starts: its duration is taken as 0");
  } else if (end_ns - start_ns > kLongestNs) {
    repair("absurd_duration", "an event lasts longer than a year: its duration is taken as 0");
  } else {
    times.duration_ns = static_cast<Ns>(end_ns - start_ns);
  }
  last_ns = std::max(last_ns, SaturatingAdd(times.start_ns, times.duration_ns));
  return times;
}

GpuWorkRow& ChunkRows::AddWork(GpuKind kind, const wire::Span& span, const wire::Place& place, uint64_t node) {
  const Times times = TimesOf(span.start_ns, span.end_ns);
  GpuWorkRow& row = shard.gpu.emplace_back();
  row.start_ns = times.start_ns;
  row.duration_ns = times.duration_ns;
  row.mended = times.mended;
  row.source = source_;
  row.kind = kind;
  row.stream = InternStream(place);
  row.correlation = span.correlation;
  row.graph_id = place.graph;
  row.graph_node_id = node;
  most_correlation = std::max(most_correlation, span.correlation);
  device_of_context.try_emplace(place.context, place.device);
  return row;
}

HostEventRow& ChunkRows::AddHost(HostKind kind, uint64_t start_ns, uint64_t end_ns, uint32_t thread, bool nests) {
  const Times times = TimesOf(start_ns, end_ns);
  HostEventRow& row = shard.host.emplace_back();
  row.start_ns = times.start_ns;
  row.duration_ns = times.duration_ns;
  row.mended = times.mended;
  row.source = source_;
  row.kind = kind;
  row.thread = ThreadOf(thread, nests);
  return row;
}

void ChunkRows::Take(const wire::KernelRecord& record) {
  GpuWorkRow& row = AddWork(GpuKind::kKernel, record.span, record.place, record.graph_node);
  row.name = ReadableName(record.name);
  LaunchConfig config;
  config.grid = record.grid;
  config.block = record.block;
  config.registers_per_thread = static_cast<int32_t>(record.registers_per_thread);
  config.static_shared_bytes = record.static_shared_bytes;
  config.dynamic_shared_bytes = record.dynamic_shared_bytes;
  row.launch_config = names().InternLaunchConfig(config);
}

void ChunkRows::Take(const wire::CopyRecord& record) {
  const CuptiCopy copy = CopyOfCupti(record.kind);
  const CuptiMemory source = MemoryOfCupti(record.source_memory);
  const CuptiMemory target = MemoryOfCupti(record.target_memory);
  GpuWorkRow& row = AddWork(GpuKind::kMemcpy, record.span, record.place, record.graph_node);
  row.name = names().strings.Intern(fmt::format("{} ({} -> {})", copy.name, source.name, target.name));
  row.bytes = static_cast<int64_t>(std::min<uint64_t>(record.bytes, std::numeric_limits<int64_t>::max()));
  row.copy_kind = copy.kind;
  row.source_memory = source.kind;
  row.destination_memory = target.kind;
}

void ChunkRows::Take(const wire::SetRecord& record) {
  const CuptiMemory memory = MemoryOfCupti(record.memory);
  GpuWorkRow& row = AddWork(GpuKind::kMemset, record.span, record.place, record.graph_node);
  row.name = names().strings.Intern(fmt::format("Memset ({})", memory.name));
  row.bytes = static_cast<int64_t>(std::min<uint64_t>(record.bytes, std::numeric_limits<int64_t>::max()));
  row.destination_memory = memory.kind;
}

void ChunkRows::Take(const wire::GraphRecord& record) {
  GpuWorkRow& row = AddWork(GpuKind::kKernel, record.span, record.place, 0);
  row.name = names().strings.Intern(fmt::format("CUDA graph {}", record.place.graph));
  row.graph_id = std::max<uint32_t>(row.graph_id, 1);
}

void ChunkRows::Take(const wire::CallRecord& record) {
  HostEventRow& row = AddHost(HostKind::kApi, record.span.start_ns, record.span.end_ns, record.thread);
  row.name = Name(record.name);
  row.correlation = record.span.correlation;
  most_correlation = std::max(most_correlation, record.span.correlation);
}

void ChunkRows::AddSpan(GpuSpanKind kind, std::string_view name, const wire::Span& span, const wire::Place& place) {
  const Times times = TimesOf(span.start_ns, span.end_ns);
  spans_to_place.push_back({static_cast<uint32_t>(shard.gpu_spans.size()), place.context, place.stream});
  GpuSpanRow& row = shard.gpu_spans.emplace_back();
  row.start_ns = times.start_ns;
  row.duration_ns = times.duration_ns;
  row.mended = times.mended;
  row.source = source_;
  row.kind = kind;
  row.name = names().strings.Intern(name);
  row.correlation = span.correlation;
  most_correlation = std::max(most_correlation, span.correlation);
}

void ChunkRows::Take(const wire::SyncRecord& record) {
  AddSpan(GpuSpanKind::kSync, SyncNameOfCupti(record.type), record.span, record.place);
}

void ChunkRows::Take(const wire::CudaEventRecord& record) {
  AddSpan(GpuSpanKind::kOther, "CUDA event", record.span, record.place);
  device_of_context.try_emplace(record.place.context, record.place.device);
}

void ChunkRows::Take(const wire::OverheadRecord& record) {
  // The recorder's own work, on a thread of no number when it says none.
  HostEventRow& row = AddHost(HostKind::kOverhead, record.start_ns, record.end_ns, record.thread);
  row.name = names().strings.Intern(OverheadNameOfCupti(record.kind));
}

void ChunkRows::Take(const wire::LibraryCallRecord& record) {
  HostEventRow& row = AddHost(HostKind::kOther, record.start_ns, record.end_ns, record.thread);
  row.name = Name(record.name);
  // Never empty: a row of this kind without a library would count as an op.
  row.types = record.library.empty() ? names().strings.Intern("library") : Name(record.library);
  row.shapes = Name(record.sizes);
}

uint32_t ChunkRows::AddRange(const wire::RangeText& text, uint64_t time_ns, bool nests) {
  HostEventRow& row = AddHost(HostKind::kRange, time_ns, time_ns, text.thread, nests);
  const bool may_be_op = nests && (text.domain.empty() || text.domain == kProgramDomain);
  const RangeNames read = texts_.OfShared(text.text, may_be_op);
  row.name = read.name;
  if (text.domain == kProgramDomain && text.text.starts_with(kModuleFrame)) {
    row.kind = HostKind::kPythonFrame;
  } else if (read.is_op) {
    row.kind = HostKind::kOp;
    row.sequence_plus_one = read.sequence_plus_one;
    row.forward_thread = read.forward_thread;
    row.shapes = read.shapes;
    row.types = read.types;
    shard.has_shapes |= read.shapes != StringId::kEmpty;
  } else {
    row.types = Name(text.domain == kProgramDomain ? std::string_view() : text.domain);
  }
  return static_cast<uint32_t>(shard.host.size() - 1);
}

void ChunkRows::TakePush(const wire::RangeText& text, uint64_t time_ns) {
  const uint32_t row = AddRange(text, time_ns, true);
  range_ends.push_back({shard.host[row].start_ns, 0, text.thread, DomainOf(text.domain), row});
}

void ChunkRows::TakePop(uint32_t thread, std::string_view domain, uint64_t time_ns) {
  range_ends.push_back({static_cast<Ns>(time_ns), 0, thread, DomainOf(domain), ~0u});
}

void ChunkRows::TakeStart(const wire::RangeText& text, uint64_t id, uint64_t time_ns) {
  const uint32_t row = AddRange(text, time_ns, false);
  range_ends.push_back({shard.host[row].start_ns, id, text.thread, DomainOf(text.domain), row});
}

void ChunkRows::TakeEnd(uint32_t thread, std::string_view domain, uint64_t id, uint64_t time_ns) {
  range_ends.push_back({static_cast<Ns>(time_ns), id, thread, DomainOf(domain), ~0u});
}

void ChunkRows::TakeMark(const wire::RangeText& text, uint64_t time_ns) {
  shard.log.CountRead();
  InstantRow& row = shard.instants.emplace_back();
  row.time_ns = static_cast<Ns>(time_ns);
  row.source = source_;
  row.name = Name(text.text);
  row.thread = ThreadOf(text.thread);
}

void ChunkRows::Take(const wire::NameRecord& record) {
  if (record.kind != wire::NameKind::kThread || record.name.empty()) return;
  thread_labels.emplace_back(static_cast<uint32_t>(record.number), Name(record.name));
}

void ChunkRows::Take(const wire::ProcessRecord& record) {
  if (!record.command.empty()) command = record.command;
  if (!record.rank.empty()) rank = record.rank;
  cupti_version = std::max(cupti_version, record.cupti_version);
}

void ChunkRows::Take(const wire::DeviceRecord& record) {
  const auto id = static_cast<int32_t>(record.id);
  // Said again, or beyond what any machine has.
  if (devices.size() >= kMostDevices || std::ranges::find(devices, id, &Device::id) != devices.end()) return;
  Device& device = devices.emplace_back();
  device.id = id;
  device.name = record.name;
  device.total_memory_bytes = static_cast<int64_t>(record.memory_bytes);
  device.sm_count = static_cast<int32_t>(record.sm_count);
  device.compute_major = static_cast<int32_t>(record.compute_major);
  device.compute_minor = static_cast<int32_t>(record.compute_minor);
}

void ChunkRows::Take(const wire::ClockRecord& record) { clocks.push_back(record); }
void ChunkRows::Take(const wire::CountRecord& record) {
  const auto found = counts.find(record.cause);
  (found != counts.end() ? found->second : counts[std::string(record.cause)]) += record.count;
}
void ChunkRows::Take(const wire::CounterRecord& record) {
  shard.log.CountRead();
  const auto number = std::bit_cast<double>(record.value);
  if (record.is_double && !std::isfinite(number)) {
    shard.log.Add("bad_counter_value", ImportSeverity::kError, Effect::kExcluded,
                  "the value of a counter's sample is no number", -1);
    return;
  }
  CounterSeries series;
  series.name = Name(record.name);
  series.unit = Name(record.unit);
  if (process.process != 0) series.process = names().strings.Intern(std::to_string(process.process));
  series.device = record.device <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(record.device) : -1;
  series.kind = record.is_double ? CounterKind::kDouble : CounterKind::kInteger;
  const CounterIndex counter = names().InternCounter(series);
  const Ns time = static_cast<Ns>(std::min<uint64_t>(record.time_ns, static_cast<uint64_t>(kMaxNs)));
  if (record.is_double) {
    shard.counters.AddDouble(counter, time, number);
  } else {
    shard.counters.AddInteger(counter, time, record.value);
  }
}

void ChunkRows::TakeFrame(const wire::FrameRecord& record) {
  StackFrame frame;
  frame.parent = stacks_[record.parent];
  frame.kind = record.kind == wire::FrameKind::kPython ? FrameKind::kPython : FrameKind::kNative;
  frame.function = frame.kind == FrameKind::kPython ? Name(record.function) : ReadableName(record.function);
  frame.module = Name(record.module);
  stacks_.push_back(names().InternStack(frame));
}

void ChunkRows::Take(const wire::SampleRecord& record) {
  shard.log.CountRead();
  SampleRow& row = shard.samples.emplace_back();
  row.time_ns = static_cast<Ns>(std::min<uint64_t>(record.time_ns, static_cast<uint64_t>(kMaxNs)));
  row.thread = ThreadOf(record.thread);
  row.stack = stacks_[record.stack];
}

void ChunkRows::Take(const wire::GraphNodeRecord& record) {
  shard.log.CountRead();
  GraphNodeRow& row = shard.graph_nodes.emplace_back();
  row.time_ns = static_cast<Ns>(std::min<uint64_t>(record.time_ns, static_cast<uint64_t>(kMaxNs)));
  row.thread = ThreadOf(record.thread);
  row.node = record.node;
  row.original = record.original;
}

void ChunkRows::Take(const wire::ThreadSwitchRecord& record) {
  shard.log.CountRead();
  ThreadSwitchRow& row = shard.thread_switches.emplace_back();
  row.time_ns = static_cast<Ns>(std::min<uint64_t>(record.time_ns, static_cast<uint64_t>(kMaxNs)));
  row.thread = ThreadOf(record.thread);
  row.state = static_cast<ThreadState>(record.state);
}

void ChunkRows::TakeUuid(uint32_t device, const Uuid& uuid) { uuids.try_emplace(device, uuid); }
void ChunkRows::TakeFinish() { finished = true; }

void ChunkRows::LeaveOpen(uint32_t host_row, Ns end_ns) {
  HostEventRow& row = shard.host[host_row];
  row.duration_ns = std::max<Ns>(0, SaturatingSubtract(end_ns, row.start_ns));
  const bool counted = row.mended != 0;
  const size_t number =
      shard.log.Add("range_without_end", ImportSeverity::kWarning, counted ? Effect::kNote : Effect::kRepaired,
                    "a range was still open when the recording ended: it is drawn to the last event", -1);
  if (!counted) row.mended = static_cast<uint8_t>(number + 1);
}

void ChunkRows::ExcludeRangeEnd() {
  shard.log.CountRead();
  shard.log.Add("range_end_without_begin", ImportSeverity::kWarning, Effect::kExcluded,
                "the end of a range that began before the recording, or whose begin was dropped", -1);
}

}  // namespace warpsight::native
