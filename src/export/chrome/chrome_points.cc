// The rows without a length: arrows, instants, samples. And what no event could say.
#include <fmt/format.h>

#include <charconv>
#include <map>

#include "base/memory_counter_names.h"
#include "export/chrome/chrome_rows.h"

namespace warpsight::chrome {

void ChromeRows::WriteFlows() {
  int64_t written = 0;
  for (const std::vector<FlowRow>& segment : trace_.flows()) {
    for (const FlowRow& flow : segment) {
      if (out_.stopped()) break;
      if (!window_.TakesPoint(flow.time_ns)) continue;
      ++written;
      BeginEvent();
      json_.Word("{\"ph\":\"");
      json_.Character(flow.phase);
      json_.Word("\",\"id\":");
      json_.Unsigned(flow.id);
      json_.Word(",\"cat\":");
      texts_.WriteHeld(json_, flow.category);
      json_.Word(",\"name\":");
      texts_.WriteHeld(json_, flow.category);
      json_.Bytes(thread_places_[flow.thread]);
      json_.Word(",\"ts\":");
      json_.Microseconds(flow.time_ns);
      if (flow.phase == 'f') json_.Word(",\"bp\":\"e\"");
      json_.Character('}');
    }
  }
  // Viewers draw arrows of flows alone; other recorders have none, but the links are known.
  if (!from_chrome_ && trace_.flow_count() == 0) {
    for (uint32_t row = 0; row < trace_.gpu().size() && !out_.stopped(); ++row) {
      const uint32_t launch = trace_.gpu().launch[row];
      if (launch == kNoRow || !window_.TakesDevice(trace_.device_of(row))) continue;
      if (!window_.TakesPoint(trace_.gpu().start_ns[row]) || !window_.TakesPoint(trace_.host().start_ns[launch])) continue;
      WriteLaunchFlow(row);
      written += 2;
    }
  }
  outcome_.rows.emplace_back("flows", written);
}

void ChromeRows::WriteLaunchFlow(uint32_t row) {
  const uint32_t launch = trace_.gpu().launch[row];
  const uint64_t id = uint64_t{row} + 1;
  BeginEvent();
  json_.Word("{\"ph\":\"s\",\"id\":");
  json_.Unsigned(id);
  json_.Word(",\"cat\":\"ac2g\",\"name\":\"ac2g\"");
  json_.Bytes(thread_places_[trace_.host().thread[launch]]);
  json_.Word(",\"ts\":");
  json_.Microseconds(trace_.host().start_ns[launch]);
  json_.Word("},\n{\"ph\":\"f\",\"id\":");
  json_.Unsigned(id);
  json_.Word(",\"cat\":\"ac2g\",\"name\":\"ac2g\"");
  json_.Bytes(stream_places_[trace_.gpu().stream[row]]);
  json_.Word(",\"ts\":");
  json_.Microseconds(trace_.gpu().start_ns[row]);
  json_.Word(",\"bp\":\"e\"}");
}

void ChromeRows::WriteInstants() {
  int64_t written = 0;
  for (const std::vector<InstantRow>& segment : trace_.instants()) {
    for (const InstantRow& instant : segment) {
      if (out_.stopped()) break;
      if (!window_.TakesPoint(instant.time_ns)) continue;
      ++written;
      BeginEvent();
      const auto phase = static_cast<unsigned char>(instant.phase);
      const bool is_odd = phase < 0x20 || phase >= 0x7F || phase == '"' || phase == '\\';
      odd_phases_ += is_odd ? 1 : 0;
      json_.Word("{\"ph\":\"");
      json_.Character(is_odd ? 'i' : instant.phase);
      json_.Word("\",\"s\":\"t\",\"name\":");
      texts_.WriteName(json_, instant.name);
      json_.Bytes(thread_places_[instant.thread]);
      json_.Word(",\"ts\":");
      json_.Microseconds(instant.time_ns);
      json_.Character('}');
    }
  }
  outcome_.rows.emplace_back("instants", written);
}

void ChromeRows::WriteCounters() {
  int64_t written = 0;
  int64_t named = 0;
  for (const CounterSeries& series : trace_.counters()) {
    if (!window_.TakesDevice(series.device)) continue;
    if (IsMemoryReport(series)) {
      written += WriteMemoryReports(series);
      continue;
    }
    std::string name(trace_.Text(series.name));
    // The format has no unit and no device of a counter.
    if (series.unit != StringId::kEmpty) name += " [" + std::string(trace_.Text(series.unit)) + "]";
    if (series.device >= 0) name += fmt::format(" (GPU {})", series.device);
    named += name.size() != trace_.Text(series.name).size() ? 1 : 0;
    std::string head = "{\"ph\":\"C\",\"name\":";
    AppendQuoted(head, name);
    if (series.process != StringId::kEmpty) {
      head += ",\"pid\":" + PlaceValue(trace_.Text(series.process), changed_labels_);
    }
    head += ",\"ts\":";
    for (uint32_t row = series.first; row < series.end && !out_.stopped(); ++row) {
      if (!window_.TakesPoint(trace_.counter_samples().time_ns[row])) continue;
      WriteCounter(series, head, row);
      ++written;
    }
  }
  outcome_.rows.emplace_back("counter_samples", written);
  outcome_.Lose(named, "counters whose unit and device stand in their names only");
}

// What PyTorch's allocator reports is written as PyTorch writes it.
bool ChromeRows::IsMemoryReport(const CounterSeries& series) const {
  return series.kind == CounterKind::kInteger && trace_.Text(series.unit) == kBytesUnit &&
         IsAllocatorCounter(trace_.Text(series.name));
}

int64_t ChromeRows::WriteMemoryReports(const CounterSeries& series) {
  const std::string_view name = trace_.Text(series.name);
  const bool allocated = name == kPytorchMemory.allocated || name == kPytorchHostMemory.allocated;
  std::string head = fmt::format("{{\"ph\":\"i\",\"s\":\"p\",\"name\":\"{}\"", kPytorchMemoryReport);
  if (series.process != StringId::kEmpty) head += ",\"pid\":" + PlaceValue(trace_.Text(series.process), changed_labels_);
  head += ",\"ts\":";
  const std::string args = fmt::format(",\"args\":{{\"Device Type\":{},\"Device Id\":{},\"{}\":", series.device < 0 ? 0 : 1,
                                       series.device, allocated ? kTotalAllocated : kTotalReserved);
  int64_t written = 0;
  for (uint32_t row = series.first; row < series.end && !out_.stopped(); ++row) {
    if (!window_.TakesPoint(trace_.counter_samples().time_ns[row])) continue;
    BeginEvent();
    json_.Bytes(head);
    json_.Microseconds(trace_.counter_samples().time_ns[row]);
    json_.Bytes(args);
    json_.Integer(trace_.counter_samples().value[row]);
    json_.Word("}}");
    ++written;
  }
  return written;
}

void ChromeRows::WriteCounter(const CounterSeries& series, std::string_view head, uint32_t row) {
  const CounterSamples& samples = trace_.counter_samples();
  BeginEvent();
  json_.Bytes(head);
  json_.Microseconds(samples.time_ns[row]);
  json_.Word(",\"args\":{\"value\":");
  if (series.kind == CounterKind::kInteger) {
    json_.Integer(samples.value[row]);
  } else {
    // The shortest text that reads back as the same value; with a point where it would read back as an integer.
    char text[40];
    const char* const end = std::to_chars(text, text + sizeof(text), samples.Double(series, row)).ptr;
    const std::string_view number(text, static_cast<size_t>(end - text));
    json_.Bytes(number);
    if (number.find_first_of(".e") == std::string_view::npos) json_.Word(".0");
  }
  json_.Word("}}");
}

void ChromeRows::CountLosses() {
  outcome_.cut = window_.cut();
  outcome_.Lose(texts_.changed() + changed_labels_, "texts that were no JSON, escaped");
  outcome_.Lose(unread_types_, "domains, libraries and recorded names, as args that are not read back");
  outcome_.Lose(long_gpu_rows_, "GPU rows of more than a year, which readers take for damage");
  outcome_.Lose(large_node_ids_, "graph node ids beyond 63 bits");
  outcome_.Lose(odd_phases_, "letters of instants that JSON can't hold");
  outcome_.Lose(trace_.cpu_samples().size(), "CPU samples (--to csv has them)");
  outcome_.Lose(trace_.thread_switches().size(), "switches of threads (--to csv has them)");
  outcome_.Lose(trace_.graph_nodes().size(), "nodes of CUDA graphs as they came up (--to csv has them)");
  if (from_chrome_) return;
  std::map<std::pair<int32_t, int64_t>, int64_t> sharing;
  for (const Stream& stream : trace_.streams()) ++sharing[{stream.device, stream.stream}];
  int64_t shared = 0;
  for (const auto& [key, streams] : sharing) shared += streams > 1 ? streams : 0;
  outcome_.Lose(shared, "streams of equal number, told apart by their names only");
  outcome_.Lose(trace_.recording().ops_are_ranges ? 1 : 0, "mark that ops came as ranges of NVTX");
}

}  // namespace warpsight::chrome
