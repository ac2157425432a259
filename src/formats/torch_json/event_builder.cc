#include "formats/torch_json/event_builder.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "base/decimal.h"
#include "base/memory_counter_names.h"
#include "base/text_hash.h"
#include "formats/torch_json/gpu_fields.h"
#include "formats/torch_json/json_text.h"
#include "trace/profiler_step.h"

namespace warpsight::torch_json {
namespace {

// No capture lasts a year: a longer event is damage (durations near 2^63 have been seen), and kept it would hide all others.
constexpr Ns kAbsurdDuration = Ns{366} * 24 * 3600 * 1'000'000'000;

HostKind HostKindOf(EventClass event_class) {
  switch (event_class) {
    case EventClass::kOp:
      return HostKind::kOp;
    case EventClass::kRange:
      return HostKind::kRange;
    case EventClass::kApi:
      return HostKind::kApi;
    case EventClass::kPythonFrame:
      return HostKind::kPythonFrame;
    case EventClass::kOverhead:
      return HostKind::kOverhead;
    case EventClass::kRecording:
      return HostKind::kRecording;
    default:
      return HostKind::kOther;
  }
}

}  // namespace

void EventBuilder::Add(const EventFields& fields, uint64_t offset) {
  offset_ = offset;
  counted_ = false;
  row_mended_ = nullptr;
  mended_ = 0;
  shard_->log.CountRead();
  const std::string_view phase = fields[Field::kPhase];
  if (phase.size() != 1) {
    Excluded("no_phase", "an event without a one-letter \"ph\" says not what it is");
    return;
  }
  switch (phase[0]) {
    case 'X':
      AddComplete(fields);
      break;
    case 'B':
    case 'E':
      AddDurationEnd(fields, phase[0] == 'B');
      break;
    case 'M':
      AddMetadata(fields);
      break;
    case 's':
    case 't':
    case 'f':
      AddFlow(fields, phase[0]);
      break;
    case 'C':
      if (!AddCounter(fields)) AddInstant(fields, phase[0]);
      break;
    default:
      if (!AddMemoryReport(fields)) AddInstant(fields, phase[0]);
  }
  if (fields.repairs != kRepairNone) NoteRepairs(fields);
  if (row_mended_ != nullptr) *row_mended_ = mended_;
}

void EventBuilder::Exclude(std::string_view cause, std::string_view example, uint64_t offset) {
  offset_ = offset;
  counted_ = false;
  shard_->log.CountRead();
  Excluded(cause, example);
}

void EventBuilder::Repaired(std::string_view cause, std::string_view example) {
  const auto place = static_cast<int64_t>(offset_);
  const size_t number =
      shard_->log.Add(cause, ImportSeverity::kWarning, counted_ ? Effect::kNote : Effect::kRepaired, example, place);
  if (!counted_) mended_ = static_cast<uint8_t>(number + 1);  // there are far fewer causes than 255
  counted_ = true;
}

void EventBuilder::Excluded(std::string_view cause, std::string_view example) {
  shard_->log.Add(cause, ImportSeverity::kError, Effect::kExcluded, example, static_cast<int64_t>(offset_));
  counted_ = true;
}

void EventBuilder::NoteRepairs(const EventFields& fields) {
  const uint16_t repairs = fields.repairs;
  if ((repairs & kRepairQuotes) != 0)
    Repaired("unescaped_quote", "a string holds quotes that are not escaped: its end was found by what follows");
  if ((repairs & kRepairArgs) != 0)
    Repaired("damaged_args", "the args of an event could not be read: the event is kept without them");
  if ((repairs & kRepairDecimalComma) != 0)
    Repaired("decimal_comma", "a number is written with a decimal comma: read as a point");
  if ((repairs & kRepairControls) != 0)
    Repaired("control_character", "a name holds raw control characters, which JSON forbids: kept as they are");
  if ((repairs & kRepairNonJsonNumber) != 0)
    Repaired("non_json_number", "a number is NaN, Infinity or no JSON number: taken as absent");
  if ((repairs & kRepairDuplicateKey) != 0) Repaired("duplicate_key", "an event has a key twice: the last value counts");
}

bool EventBuilder::ReadStart(const EventFields& fields, Ns& start) {
  if (!fields.Has(Field::kTime)) {
    Excluded("missing_timestamp", "an event has no \"ts\": it can't be placed in time");
    return false;
  }
  const DecimalNs time = ParseMicroseconds(fields[Field::kTime]);
  if (time.fault != DecimalFault::kNone) {
    Excluded(time.fault == DecimalFault::kOutOfRange ? "timestamp_out_of_range" : "bad_timestamp",
             "the \"ts\" of an event is not a time that 64 bits of nanoseconds can hold");
    return false;
  }
  if (time.rounded) {
    shard_->log.Add("below_nanosecond", ImportSeverity::kInfo, Effect::kNote,
                    "a time has digits below a nanosecond: rounded", static_cast<int64_t>(offset_));
  }
  start = time.ns;
  return true;
}

EventBuilder::Times EventBuilder::ReadTimes(const EventFields& fields) {
  Times times;
  times.usable = ReadStart(fields, times.start);
  if (!times.usable) return times;
  if (!fields.Has(Field::kDuration)) {
    Repaired("missing_duration", "an event has no \"dur\": taken as 0");
    return times;
  }
  const DecimalNs duration = ParseMicroseconds(fields[Field::kDuration]);
  if (duration.fault == DecimalFault::kNotANumber) {
    Repaired("bad_duration", "the \"dur\" of an event is not a number: taken as 0");
  } else if (duration.fault == DecimalFault::kOutOfRange || duration.ns > kAbsurdDuration) {
    Repaired("absurd_duration", "an event lasts longer than a year: its duration is taken as 0");
  } else if (duration.ns < 0) {
    Repaired("negative_duration", "an event ends before it starts: its duration is taken as 0");
  } else if (duration.ns > kMaxNs - std::max<Ns>(times.start, 0)) {
    Repaired("end_out_of_range", "an event ends later than 64 bits of nanoseconds can say: its duration is taken as 0");
  } else {
    times.duration = duration.ns;
    if (duration.rounded) {
      shard_->log.Add("below_nanosecond", ImportSeverity::kInfo, Effect::kNote,
                      "a time has digits below a nanosecond: rounded", static_cast<int64_t>(offset_));
    }
  }
  return times;
}

const EventBuilder::CategoryMemo& EventBuilder::CategoryOf(const EventFields& fields) {
  const std::string_view category = fields[Field::kCategory];
  CategoryMemo& memo =
      category_memo_[category.empty() ? 0 : (category.size() + static_cast<unsigned char>(category[0])) % 16];
  if (!EqualText(memo.category, category) || category.empty()) {
    memo.id = names_->strings.Intern(category);
    memo.category = names_->strings.View(memo.id);
    memo.event_class = ClassifyCategory(category);
  }
  return memo;
}

EventClass EventBuilder::Classify(const EventFields& fields) {
  const CategoryMemo& memo = CategoryOf(fields);
  // In 2021 steps were written as operators.
  if (memo.event_class == EventClass::kOp && IsProfilerStep(fields[Field::kName])) return EventClass::kRange;
  return memo.event_class;
}

void EventBuilder::AddComplete(const EventFields& fields) {
  const Times times = ReadTimes(fields);
  if (!times.usable) return;
  const EventClass event_class = Classify(fields);
  switch (event_class) {
    case EventClass::kKernel:
    case EventClass::kMemcpy:
    case EventClass::kMemset:
      AddGpuWork(fields, event_class, times);
      break;
    case EventClass::kGpuAnnotation:
    case EventClass::kGpuSync:
    case EventClass::kGpuOther:
      AddGpuSpan(fields, event_class, times);
      break;
    default:
      AddHost(fields, event_class, times);
  }
}

void EventBuilder::AddHost(const EventFields& fields, EventClass event_class, const Times& times) {
  HostEventRow& row = shard_->host.emplace_back();
  row_mended_ = &row.mended;
  row.start_ns = times.start;
  row.duration_ns = times.duration;
  row.source = offset_;
  row.name = Name(fields);
  row.thread = ThreadOf(fields);
  row.kind = HostKindOf(event_class);
  row.correlation = Id(fields, Field::kCorrelation);
  row.external_id = Id(fields, Field::kExternalId);
  row.shapes = Text(fields[Field::kShapes]);
  row.types = Text(fields[Field::kTypes]);
  shard_->has_shapes |= row.shapes != StringId::kEmpty;
  shard_->has_frames |= row.kind == HostKind::kPythonFrame;
  if (fields.Has(Field::kSequence)) {
    const int64_t sequence = Number(fields, Field::kSequence, kAbsent);
    if (sequence >= 0 && sequence < std::numeric_limits<uint32_t>::max())
      row.sequence_plus_one = static_cast<uint32_t>(sequence + 1);
    const int64_t forward = Number(fields, Field::kForwardThread, 0);
    if (forward > 0 && forward <= std::numeric_limits<uint16_t>::max()) row.forward_thread = static_cast<uint16_t>(forward);
  }
}

void EventBuilder::AddGpuWork(const EventFields& fields, EventClass event_class, const Times& times) {
  GpuWorkRow& row = shard_->gpu.emplace_back();
  row_mended_ = &row.mended;
  row.start_ns = times.start;
  row.duration_ns = times.duration;
  row.source = offset_;
  row.name = Name(fields);
  row.stream = StreamOf(fields);
  row.correlation = Id(fields, Field::kCorrelation);
  row.external_id = Id(fields, Field::kExternalId);
  row.graph_id = Id(fields, Field::kGraphId);
  row.graph_node_id = static_cast<uint64_t>(std::max<int64_t>(0, Number(fields, Field::kGraphNodeId, 0)));
  row.bytes = Number(fields, Field::kBytes, kAbsent);
  if (event_class == EventClass::kKernel) {
    row.kind = GpuKind::kKernel;
    row.launch_config = LaunchOf(fields);
    row.collective = CollectiveOf(fields);
  } else if (event_class == EventClass::kMemcpy) {
    row.kind = GpuKind::kMemcpy;
    const CopyDescription copy = DescribeCopy(fields[Field::kName]);
    row.copy_kind = copy.kind;
    row.source_memory = copy.source;
    row.destination_memory = copy.destination;
  } else {
    row.kind = GpuKind::kMemset;
    row.destination_memory = DescribeMemset(fields[Field::kName]);
  }
}

void EventBuilder::AddGpuSpan(const EventFields& fields, EventClass event_class, const Times& times) {
  GpuSpanRow& row = shard_->gpu_spans.emplace_back();
  row_mended_ = &row.mended;
  row.start_ns = times.start;
  row.duration_ns = times.duration;
  row.source = offset_;
  row.name = Name(fields);
  row.stream = StreamOf(fields);
  row.correlation = Id(fields, Field::kCorrelation);
  row.external_id = Id(fields, Field::kExternalId);
  row.kind = event_class == EventClass::kGpuAnnotation ? GpuSpanKind::kAnnotation
             : event_class == EventClass::kGpuSync     ? GpuSpanKind::kSync
                                                       : GpuSpanKind::kOther;
}

void EventBuilder::AddDurationEnd(const EventFields& fields, bool begin) {
  DurationEndRow row;
  row.begin = begin;
  row.event.source = offset_;
  if (!ReadStart(fields, row.event.start_ns)) return;
  row.event.thread = ThreadOf(fields);
  if (begin) {
    row.event.kind = HostKindOf(Classify(fields));
    row.event.name = Name(fields);
    row.event.correlation = Id(fields, Field::kCorrelation);
    row.event.external_id = Id(fields, Field::kExternalId);
  }
  shard_->duration_ends.push_back(row);
  row_mended_ = &shard_->duration_ends.back().event.mended;
}

void EventBuilder::AddMetadata(const EventFields& fields) {
  ++shard_->facts;
  const std::string_view name = fields[Field::kName];
  const bool process = name == "process_name";
  if (!process && name != "thread_name") return;  // sort orders and labels carry nothing that an analysis uses
  NameRow& row = shard_->thread_names.emplace_back();
  row.thread = names_->InternThread(fields[Field::kPid], fields[Field::kTid]);
  row.process = process;
  row.name = Unescape(fields[Field::kMetadataName]).text;
}

void EventBuilder::AddFlow(const EventFields& fields, char phase) {
  FlowRow row;
  if (!ReadStart(fields, row.time_ns)) return;
  row.phase = phase;
  row.category = CategoryOf(fields).id;
  row.thread = ThreadOf(fields);
  row.id = Id(fields, Field::kId);
  shard_->flows.push_back(row);
}

void EventBuilder::AddInstant(const EventFields& fields, char phase) {
  InstantRow row;
  if (!ReadStart(fields, row.time_ns)) return;
  row.phase = phase;
  row.source = offset_;
  row.name = Name(fields);
  row.thread = ThreadOf(fields);
  shard_->instants.push_back(row);
}

// False when the event has no number: it is a point in time then.
bool EventBuilder::AddCounter(const EventFields& fields) {
  FindCounterArgs(fields[Field::kArgs], counter_args_);
  if (counter_args_.empty()) return false;
  Ns time = 0;
  if (!ReadStart(fields, time)) return true;
  CounterSeries series;
  const StringId event = Name(fields);
  std::string base(names_->strings.View(event));
  if (fields.Has(Field::kId)) base += "[" + Unescape(fields[Field::kId]).text + "]";
  series.process = names_->strings.Intern(fields[Field::kPid]);
  for (const CounterArg& arg : counter_args_) {
    // A counter of one value is often written as {"name": "queue", "args": {"value": 3}} or {"queue": 3}.
    const std::string key = Unescape(arg.key).text;
    const bool says_more = key != "value" && key != names_->strings.View(event);
    std::string name = base;
    if (says_more) name.append(": ").append(key);
    series.name = names_->strings.Intern(name);
    series.kind = arg.is_integer ? CounterKind::kInteger : CounterKind::kDouble;
    const CounterIndex counter = names_->InternCounter(series);
    if (arg.is_integer) {
      shard_->counters.AddInteger(counter, time, arg.integer);
    } else {
      shard_->counters.AddDouble(counter, time, arg.number);
    }
  }
  shard_->counters.extra_samples += static_cast<int64_t>(counter_args_.size()) - 1;
  return true;
}

// What PyTorch's allocator holds after an allocation or a release: counters of the device, or of the host. False when the
// event says no such totals (PyTorch before 1.10): it is a point in time then.
bool EventBuilder::AddMemoryReport(const EventFields& fields) {
  if (fields[Field::kName] != kPytorchMemoryReport) return false;
  FindCounterArgs(fields[Field::kArgs], counter_args_);
  const auto number = [&](std::string_view key) {
    const auto found = std::ranges::find(counter_args_, key, &CounterArg::key);
    return found == counter_args_.end() || !found->is_integer ? int64_t{kAbsent} : found->integer;
  };
  constexpr int64_t kMostBytes = int64_t{1} << 56;  // no device has more
  bool bad = false;
  const auto total = [&](std::string_view key) {
    const int64_t bytes = number(key);
    if (bytes >= 0 && bytes <= kMostBytes) return bytes;
    bad = bad || fields[Field::kArgs].find(key) != std::string_view::npos;
    return int64_t{kAbsent};
  };
  const int64_t allocated = total(kTotalAllocated);
  const int64_t reserved = total(kTotalReserved);
  const int64_t device = number("Device Id");
  constexpr int64_t kHostType = 0;  // c10::DeviceType::CPU
  const bool is_device = device >= 0 && device <= std::numeric_limits<int32_t>::max();
  const bool of_host = number("Device Type") == kHostType || (!is_device && number("Device Type") < 0);
  const bool nowhere = !of_host && !is_device;
  if (bad || nowhere)
    Repaired("bad_memory_report", nowhere
                                      ? "a memory report of a device without a number: kept as an instant, no counter has it"
                                      : "a total of a memory report is no number of bytes: left out of its counter");
  if (nowhere || (allocated < 0 && reserved < 0)) return false;
  Ns time = 0;
  if (!ReadStart(fields, time)) return true;
  const AllocatorCounterNames& names = of_host ? kPytorchHostMemory : kPytorchMemory;
  CounterSeries series;
  series.unit = names_->strings.Intern(kBytesUnit);
  series.process = names_->strings.Intern(fields[Field::kPid]);
  series.device = of_host ? -1 : static_cast<int32_t>(device);
  int64_t samples = 0;
  for (const auto& [name, bytes] : {std::pair(names.allocated, allocated), std::pair(names.reserved, reserved)}) {
    // The host's allocator keeps nothing back, and says 0.
    if (bytes < 0 || (of_host && name == names.reserved && bytes == 0)) continue;
    series.name = names_->strings.Intern(name);
    shard_->counters.AddInteger(names_->InternCounter(series), time, bytes);
    ++samples;
  }
  if (samples == 0) return false;
  shard_->counters.extra_samples += samples - 1;
  shard_->has_memory_reports = true;
  return true;
}

StringId EventBuilder::Name(const EventFields& fields) {
  if (!fields.Has(Field::kName)) {
    Repaired("missing_name", "an event has no name: shown as an empty one");
    return StringId::kEmpty;
  }
  const std::string_view raw = fields[Field::kName];
  if (!fields.name_escapes && (!fields.name_non_ascii || IsUtf8(raw))) return names_->strings.Intern(raw);
  const UnescapedText name = Unescape(raw);
  if (name.damaged)
    Repaired("damaged_name", "a name holds a wrong escape or bytes that are not UTF-8: shown as far as it can be read");
  return names_->strings.Intern(name.text);
}

StringId EventBuilder::Text(std::string_view raw) { return names_->strings.Intern(raw); }

ThreadIndex EventBuilder::ThreadOf(const EventFields& fields) {
  // Counters and marks of a whole process have no thread.
  const char phase = fields[Field::kPhase][0];
  const bool needs_thread = phase == 'X' || phase == 'B' || phase == 'E';
  if (needs_thread && (!fields.Has(Field::kPid) || !fields.Has(Field::kTid))) {
    Repaired("missing_thread", "an event has no \"pid\" or \"tid\": it is shown on a thread without a name");
  }
  const std::string_view pid = fields[Field::kPid];
  const std::string_view tid = fields[Field::kTid];
  ThreadMemo& memo = thread_memo_[HashEnds(pid, tid) % thread_memo_.size()];
  if (!EqualText(memo.tid, tid) || !EqualText(memo.pid, pid) || pid.empty()) {
    memo.thread = names_->InternThread(pid, tid);
    memo.pid = names_->strings.View(names_->strings.Intern(pid));
    memo.tid = names_->strings.View(names_->strings.Intern(tid));
  }
  return memo.thread;
}

StreamIndex EventBuilder::StreamOf(const EventFields& fields) {
  const std::string_view pid = fields[Field::kPid];
  std::string_view tid = fields[Field::kTid];
  if (tid.substr(0, 7) == "stream ") tid.remove_prefix(7);
  int64_t device = Number(fields, Field::kDevice, kAbsent);
  int64_t stream = Number(fields, Field::kStream, kAbsent);
  if (device == kAbsent) device = ParseInteger(pid).value_or(kAbsent);
  if (stream == kAbsent) stream = ParseInteger(tid).value_or(kAbsent);
  if (device < 0 || device > std::numeric_limits<int32_t>::max()) {
    Repaired("missing_device", "GPU work without a device number: taken as device 0");
    device = 0;
  }
  return names_->InternStream(static_cast<int32_t>(device), stream, Number(fields, Field::kContext, kAbsent));
}

LaunchIndex EventBuilder::LaunchOf(const EventFields& fields) {
  if (!fields.Has(Field::kGrid) && !fields.Has(Field::kRegisters)) return 0;
  LaunchConfig config;
  config.grid = ParseTriple(fields[Field::kGrid]);
  config.block = ParseTriple(fields[Field::kBlock]);
  const auto number = [&](Field field) {
    const int64_t value = Number(fields, field, kAbsent);
    return value < 0 || value > std::numeric_limits<int32_t>::max() ? -1 : static_cast<int32_t>(value);
  };
  config.registers_per_thread = number(Field::kRegisters);
  config.static_shared_bytes = number(Field::kStaticSharedMemory);
  config.dynamic_shared_bytes = number(Field::kDynamicSharedMemory);
  config.shared_bytes = number(Field::kSharedMemory);
  // Kineto writes 0 where its estimate failed (dynamic shared memory of more than 48 kB) and where it is below half a
  // percent: neither is known to be the kernel's occupancy, and no kernel that ran has none.
  config.estimated_occupancy_percent = number(Field::kOccupancy);
  if (config.estimated_occupancy_percent == 0) config.estimated_occupancy_percent = -1;
  return names_->InternLaunchConfig(config);
}

CollectiveIndex EventBuilder::CollectiveOf(const EventFields& fields) {
  if (!fields.Has(Field::kCollectiveName)) return 0;
  Collective collective;
  collective.name = Text(fields[Field::kCollectiveName]);
  collective.dtype = Text(fields[Field::kDtype]);
  collective.group_name = Text(fields[Field::kGroupName]);
  collective.group_ranks = Text(fields[Field::kGroupRanks]);
  collective.in_elements = Number(fields, Field::kInElements, kAbsent);
  collective.out_elements = Number(fields, Field::kOutElements, kAbsent);
  collective.group_size = static_cast<int32_t>(Number(fields, Field::kGroupSize, -1));
  collective.rank = static_cast<int32_t>(Number(fields, Field::kRank, -1));
  return names_->AddCollective(collective);
}

int64_t EventBuilder::Number(const EventFields& fields, Field field, int64_t absent) {
  if (!fields.Has(field)) return absent;
  const std::string_view text = fields[field];
  if (const int64_t digits = ParseShortDigits(text); digits >= 0) return digits;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Some recorders write whole numbers with a fraction ("occupancy": 61.0): the whole part is what the tables hold.
  return error == std::errc() && (end == text.data() + text.size() || *end == '.' || *end == ',') ? value : absent;
}

uint32_t EventBuilder::Id(const EventFields& fields, Field field) {
  if (!fields.Has(field)) return 0;
  const std::string_view text = fields[field];
  if (const int64_t digits = ParseShortDigits(text); digits >= 0) return static_cast<uint32_t>(digits);
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  if (error == std::errc::result_out_of_range || (!text.empty() && text[0] == '-')) {
    shard_->log.Add("id_out_of_range", ImportSeverity::kWarning, Effect::kNote,
                    "an id is negative or needs more than 32 bits: the event is kept, without this link",
                    static_cast<int64_t>(offset_));
    return 0;
  }
  // Arrows may be named by text: any number that stands for the same text every time will do.
  return field == Field::kId && !text.empty() ? static_cast<uint32_t>(HashText(text)) : 0;
}

}  // namespace warpsight::torch_json
