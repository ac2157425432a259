#include "export/chrome/chrome_rows.h"

#include <fmt/format.h>

#include <limits>

#include "export/chrome/chrome_facts.h"

namespace warpsight::chrome {
namespace {

// Readers take a longer "dur" for damage; a pair of B and E may be of any length.
constexpr Ns kLongestComplete = Ns{366} * 24 * 3600 * 1'000'000'000;

// Begins an event of a host row up to its name.
void WriteHostHead(JsonWriter& json, HostKind kind, std::string_view name) {
  switch (kind) {
    case HostKind::kOp:
      return json.Word("\"cat\":\"cpu_op\",\"name\":");
    case HostKind::kRange:
      return json.Word("\"cat\":\"user_annotation\",\"name\":");
    case HostKind::kApi:
      if (name.starts_with("hip")) return json.Word("\"cat\":\"hip_runtime\",\"name\":");
      if (name.starts_with("cu") && !name.starts_with("cuda")) return json.Word("\"cat\":\"cuda_driver\",\"name\":");
      return json.Word("\"cat\":\"cuda_runtime\",\"name\":");
    case HostKind::kOverhead:
      return json.Word("\"cat\":\"overhead\",\"name\":");
    case HostKind::kPythonFrame:
      return json.Word("\"cat\":\"python_function\",\"name\":");
    case HostKind::kRecording:
      return json.Word("\"cat\":\"Trace\",\"name\":");
    case HostKind::kOther:
      return json.Word("\"cat\":\"other\",\"name\":");
  }
}

std::string Place(const std::string& pid, const std::string& tid) { return ",\"pid\":" + pid + ",\"tid\":" + tid; }

}  // namespace

// The args of one event: nothing is written when there is none.
class ChromeRows::Args {
 public:
  explicit Args(JsonWriter& json) : json_(json) {}

  template <size_t N>
  void Key(const char (&key)[N]) {
    if (any_) {
      json_.Character(',');
    } else {
      json_.Word(",\"args\":{");
    }
    any_ = true;
    json_.Word(key);
  }
  template <size_t N>
  void Integer(const char (&key)[N], int64_t value) {
    Key(key);
    json_.Integer(value);
  }
  // Ends the args and the event.
  void End() {
    if (any_) json_.Character('}');
    json_.Character('}');
  }

 private:
  JsonWriter& json_;
  bool any_ = false;
};

ChromeRows::ChromeRows(const Trace& trace, const ExportRequest& request, OutputBuffer& out, ExportOutcome& outcome)
    : trace_(trace),
      out_(out),
      outcome_(outcome),
      window_(request),
      texts_(trace.strings()),
      json_(out),
      from_chrome_(IsFromChrome(trace)) {
  MakePlaces();
}

void ChromeRows::MakePlaces() {
  for (const Thread& thread : trace_.threads()) {
    thread_places_.push_back(
        Place(PlaceValue(thread.process_label, changed_labels_), PlaceValue(thread.label, changed_labels_)));
  }
  for (const Stream& stream : trace_.streams()) {
    const bool has_number = stream.label == std::to_string(stream.stream);
    stream_places_.push_back(Place(std::to_string(stream.device), has_number ? stream.label : "\"" + stream.label + "\""));
    std::string args = fmt::format("\"device\":{}", stream.device);
    if (stream.context != kAbsent) args += fmt::format(",\"context\":{}", stream.context);
    args += fmt::format(",\"stream\":{}", stream.stream);
    if (stream.process != kAbsent) args += fmt::format(",\"process\":{}", stream.process);
    stream_args_.push_back(std::move(args));
  }
}

void ChromeRows::BeginEvent() {
  json_.Begin();
  if (!first_) json_.Word(",\n");
  first_ = false;
}

void ChromeRows::WriteName(std::string_view what, std::string_view place, std::string_view name) {
  BeginEvent();
  std::string text = fmt::format("{{\"ph\":\"M\",\"name\":\"{}\"{},\"args\":{{\"name\":", what, place);
  AppendQuoted(text, name);
  json_.Bytes(text + "}}");
}

void ChromeRows::WriteNames() {
  for (size_t i = 0; i < trace_.threads().size(); ++i) {
    const Thread& thread = trace_.threads()[i];
    // Each of its threads names the process, so that a thread without rows is there again too.
    if (!thread.process_name.empty()) WriteName("process_name", thread_places_[i], thread.process_name);
    const bool is_bare = thread.process_name.empty() && thread.first_call == thread.end;
    if (!thread.name.empty() || is_bare) WriteName("thread_name", thread_places_[i], thread.name);
  }
  if (from_chrome_) return;
  // PyTorch's profiler names devices and streams as if they were processes and threads.
  for (size_t i = 0; i < trace_.streams().size(); ++i) {
    const Stream& stream = trace_.streams()[i];
    const Device* const device = trace_.FindDevice(stream.device);
    const std::string name = device == nullptr ? "" : device->name;
    WriteName("process_name", stream_places_[i], fmt::format("GPU {}{}{}", stream.device, name.empty() ? "" : " ", name));
    WriteName("thread_name", stream_places_[i], "stream " + stream.label);
  }
}

void ChromeRows::WriteHostEvents() {
  const HostEvents& host = trace_.host();
  int64_t written = 0;
  for (uint32_t row = 0; row < host.size() && !out_.stopped(); ++row) {
    Interval time{host.start_ns[row], host.end_ns[row]};
    if (!window_.Take(time)) continue;
    WriteHostEvent(row, time);
    ++written;
  }
  outcome_.rows.emplace_back("host_events", written);
}

void ChromeRows::WriteHostEvent(uint32_t row, Interval time) {
  const HostEvents& host = trace_.host();
  const std::string& place = thread_places_[host.thread[row]];
  const Ns duration = SaturatingSubtract(time.end, time.start);
  const bool is_complete = duration <= kLongestComplete;
  BeginEvent();
  if (is_complete) {
    json_.Word("{\"ph\":\"X\",");
  } else {
    json_.Word("{\"ph\":\"B\",");
  }
  WriteHostHead(json_, host.kind[row], trace_.Text(host.name[row]));
  texts_.WriteName(json_, host.name[row]);
  json_.Bytes(place);
  json_.Word(",\"ts\":");
  json_.Microseconds(time.start);
  if (is_complete) {
    json_.Word(",\"dur\":");
    json_.Microseconds(duration);
  }
  WriteHostArgs(row, is_complete);
  if (is_complete) return;
  BeginEvent();
  json_.Word("{\"ph\":\"E\"");
  json_.Bytes(place);
  json_.Word(",\"ts\":");
  json_.Microseconds(time.end);
  json_.Character('}');
}

void ChromeRows::WriteHostArgs(uint32_t row, bool is_complete) {
  const HostEvents& host = trace_.host();
  Args args(json_);
  if (host.external_id[row] != 0) args.Integer("\"External id\":", host.external_id[row]);
  if (host.correlation[row] != 0) args.Integer("\"correlation\":", host.correlation[row]);
  if (host.sequence_plus_one[row] != 0 || host.forward_thread[row] != 0) {
    args.Integer("\"Sequence number\":", int64_t{host.sequence_plus_one[row]} - 1);
    if (host.forward_thread[row] != 0) args.Integer("\"Fwd thread id\":", host.forward_thread[row]);
  }
  if (host.shapes[row] != StringId::kEmpty) {
    args.Key("\"Input Dims\":");
    texts_.WriteHeld(json_, host.shapes[row]);
  }
  if (host.types[row] != StringId::kEmpty) {
    WriteTypesKey(host.kind[row], args);
    texts_.WriteHeld(json_, host.types[row]);
  }
  // Readers take no sizes from the begin of a pair.
  if (!is_complete && (host.shapes[row] != StringId::kEmpty || host.types[row] != StringId::kEmpty)) ++unread_types_;
  args.End();
}

void ChromeRows::WriteTypesKey(HostKind kind, Args& args) {
  if (from_chrome_ || kind == HostKind::kOp) return args.Key("\"Input type\":");
  ++unread_types_;
  if (kind == HostKind::kRange) return args.Key("\"domain\":");
  if (kind == HostKind::kApi) return args.Key("\"recorded name\":");
  args.Key("\"library\":");
}

void ChromeRows::WriteGpuWork() {
  const GpuWork& gpu = trace_.gpu();
  int64_t written = 0;
  for (uint32_t row = 0; row < gpu.size() && !out_.stopped(); ++row) {
    Interval time{gpu.start_ns[row], gpu.end_ns[row]};
    if (!window_.TakesDevice(trace_.device_of(row)) || !window_.Take(time)) continue;
    WriteGpuWork(row, time);
    ++written;
  }
  outcome_.rows.emplace_back("gpu_work", written);
}

void ChromeRows::WriteGpuWork(uint32_t row, Interval time) {
  const GpuWork& gpu = trace_.gpu();
  BeginEvent();
  switch (gpu.kind[row]) {
    case GpuKind::kKernel:
      json_.Word("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":");
      break;
    case GpuKind::kMemcpy:
      json_.Word("{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":");
      break;
    case GpuKind::kMemset:
      json_.Word("{\"ph\":\"X\",\"cat\":\"gpu_memset\",\"name\":");
      break;
  }
  texts_.WriteName(json_, gpu.name[row]);
  json_.Bytes(stream_places_[gpu.stream[row]]);
  json_.Word(",\"ts\":");
  json_.Microseconds(time.start);
  json_.Word(",\"dur\":");
  const Ns duration = SaturatingSubtract(time.end, time.start);
  json_.Microseconds(duration);
  long_gpu_rows_ += duration > kLongestComplete ? 1 : 0;
  Args args(json_);
  args.Key("");
  json_.Bytes(stream_args_[gpu.stream[row]]);
  if (gpu.external_id[row] != 0) args.Integer("\"External id\":", gpu.external_id[row]);
  if (gpu.correlation[row] != 0) args.Integer("\"correlation\":", gpu.correlation[row]);
  if (gpu.bytes[row] != kAbsent) args.Integer("\"bytes\":", gpu.bytes[row]);
  if (gpu.graph_id[row] != 0) args.Integer("\"graph id\":", gpu.graph_id[row]);
  if (gpu.graph_node_id[row] != 0) {
    args.Key("\"graph node id\":");
    json_.Unsigned(gpu.graph_node_id[row]);
    large_node_ids_ += gpu.graph_node_id[row] > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) ? 1 : 0;
  }
  if (gpu.launch_config[row] != 0) {
    args.Key("");
    json_.Bytes(LaunchArgs(gpu.launch_config[row]));
  }
  if (gpu.collective[row] != 0) WriteCollective(trace_.collective(gpu.collective[row]), args);
  args.End();
}

std::string_view ChromeRows::LaunchArgs(LaunchIndex index) {
  if (index >= launch_args_.size()) launch_args_.resize(index + 1);
  std::string& text = launch_args_[index];
  if (!text.empty()) return text;
  const LaunchConfig& config = trace_.launch_config(index);
  const auto add = [&](const char* key, int32_t value) {
    if (value >= 0) text += fmt::format("\"{}\":{},", key, value);
  };
  add("registers per thread", config.registers_per_thread);
  add("static shared memory", config.static_shared_bytes);
  add("dynamic shared memory", config.dynamic_shared_bytes);
  add("shared memory", config.shared_bytes);
  add("est. achieved occupancy %", config.estimated_occupancy_percent);
  text += fmt::format("\"grid\":[{},{},{}],\"block\":[{},{},{}]", config.grid[0], config.grid[1], config.grid[2],
                      config.block[0], config.block[1], config.block[2]);
  return text;
}

void ChromeRows::WriteCollective(const Collective& collective, Args& args) {
  args.Key("\"Collective name\":");
  texts_.WriteHeld(json_, collective.name);
  if (collective.in_elements != kAbsent) args.Integer("\"In msg nelems\":", collective.in_elements);
  if (collective.out_elements != kAbsent) args.Integer("\"Out msg nelems\":", collective.out_elements);
  if (collective.group_size != -1) args.Integer("\"Group size\":", collective.group_size);
  if (collective.rank != -1) args.Integer("\"Rank\":", collective.rank);
  if (collective.dtype != StringId::kEmpty) {
    args.Key("\"dtype\":");
    texts_.WriteHeld(json_, collective.dtype);
  }
  if (collective.group_name != StringId::kEmpty) {
    args.Key("\"Process Group Name\":");
    texts_.WriteHeld(json_, collective.group_name);
  }
  if (collective.group_ranks != StringId::kEmpty) {
    args.Key("\"Process Group Ranks\":");
    texts_.WriteHeld(json_, collective.group_ranks);
  }
}

void ChromeRows::WriteGpuSpans() {
  const GpuSpans& spans = trace_.gpu_spans();
  int64_t written = 0;
  for (uint32_t row = 0; row < spans.size() && !out_.stopped(); ++row) {
    Interval time{spans.start_ns[row], spans.end_ns[row]};
    const StreamIndex stream = spans.stream[row];
    if (!window_.TakesDevice(trace_.streams()[stream].device) || !window_.Take(time)) continue;
    ++written;
    BeginEvent();
    switch (spans.kind[row]) {
      case GpuSpanKind::kAnnotation:
        json_.Word("{\"ph\":\"X\",\"cat\":\"gpu_user_annotation\",\"name\":");
        break;
      case GpuSpanKind::kSync:
        json_.Word("{\"ph\":\"X\",\"cat\":\"cuda_sync\",\"name\":");
        break;
      case GpuSpanKind::kOther:
        json_.Word("{\"ph\":\"X\",\"cat\":\"cuda_profiler_range\",\"name\":");
        break;
    }
    texts_.WriteName(json_, spans.name[row]);
    json_.Bytes(stream_places_[stream]);
    json_.Word(",\"ts\":");
    json_.Microseconds(time.start);
    json_.Word(",\"dur\":");
    json_.Microseconds(SaturatingSubtract(time.end, time.start));
    long_gpu_rows_ += SaturatingSubtract(time.end, time.start) > kLongestComplete ? 1 : 0;
    Args args(json_);
    args.Key("");
    json_.Bytes(stream_args_[stream]);
    if (spans.external_id[row] != 0) args.Integer("\"External id\":", spans.external_id[row]);
    args.End();
  }
  outcome_.rows.emplace_back("gpu_spans", written);
}

}  // namespace warpsight::chrome
