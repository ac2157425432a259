#include "analysis/info_document.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "analysis/counter_list.h"
#include "analysis/ledger_document.h"
#include "analysis/recorder_advice.h"
#include "document/absent.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

ordered_json CountOrNull(int64_t count) { return count < 0 ? ordered_json() : ordered_json(count); }

// Equal kinds come in runs, and adding to one counter again and again waits for the last sum: four take turns.
std::array<int64_t, 8> CountHostKinds(const HostEvents& host) {
  std::array<std::array<int64_t, 8>, 4> counts = {};
  size_t turn = 0;
  for (const HostKind kind : host.kind) ++counts[turn++ % 4][static_cast<size_t>(kind)];
  for (size_t i = 1; i < counts.size(); ++i) {
    for (size_t kind = 0; kind < counts[0].size(); ++kind) counts[0][kind] += counts[i][kind];
  }
  return counts[0];
}

using KindCounts = std::vector<std::pair<std::string, int64_t>>;

// Events by what they are, in the order people meet them.
KindCounts CountKinds(const Trace& trace) {
  const std::array<int64_t, 8> host = CountHostKinds(trace.host());
  std::array<int64_t, 3> gpu = {};
  for (const GpuKind kind : trace.gpu().kind) ++gpu[static_cast<size_t>(kind)];
  std::array<int64_t, 3> spans = {};
  for (const GpuSpanKind kind : trace.gpu_spans().kind) ++spans[static_cast<size_t>(kind)];
  const auto host_count = [&](HostKind kind) { return host[static_cast<size_t>(kind)]; };
  return {
      {"ops", host_count(HostKind::kOp)},
      {"api_calls", host_count(HostKind::kApi)},
      {"ranges", host_count(HostKind::kRange)},
      {"python_frames", host_count(HostKind::kPythonFrame)},
      {"overhead_records", host_count(HostKind::kOverhead)},
      {"other_host_events", host_count(HostKind::kOther) + host_count(HostKind::kRecording)},
      {"kernels", gpu[static_cast<size_t>(GpuKind::kKernel)]},
      {"memcpys", gpu[static_cast<size_t>(GpuKind::kMemcpy)]},
      {"memsets", gpu[static_cast<size_t>(GpuKind::kMemset)]},
      {"gpu_annotations", spans[static_cast<size_t>(GpuSpanKind::kAnnotation)]},
      {"gpu_sync_records", spans[static_cast<size_t>(GpuSpanKind::kSync)]},
      {"other_gpu_spans", spans[static_cast<size_t>(GpuSpanKind::kOther)]},
      {"flows", trace.flow_count()},
      {"instants", trace.instant_count()},
      {"counter_samples", trace.counter_samples().size()},
      {"samples", trace.cpu_samples().size()},
      {"thread_switches", trace.thread_switches().size()},
      {"graph_nodes", trace.graph_nodes().size()},
  };
}

ordered_json DevicesJson(const Trace& trace) {
  ordered_json devices = ordered_json::array();
  for (const Device& device : trace.devices()) {
    devices.push_back({{"id", device.id},
                       {"name", TextOrNull(device.name)},
                       {"total_memory_bytes", CountOrNull(device.total_memory_bytes)},
                       {"sm_count", CountOrNull(device.sm_count)},
                       {"compute_major", CountOrNull(device.compute_major)},
                       {"compute_minor", CountOrNull(device.compute_minor)},
                       {"gpu_work", device.end_work - device.first_work}});
  }
  return devices;
}

ordered_json DataOf(const Trace& trace, const KindCounts& kinds) {
  const RecordingInfo& info = trace.recording();
  const bool empty = trace.capture().empty();
  ordered_json counts = ordered_json::object();
  for (const auto& [kind, count] : kinds) counts[kind] = count;
  ordered_json properties = ordered_json::object();
  for (const auto& [key, value] : info.properties) {
    if (key != "deviceProperties" && key != "computeProperties") properties[key] = value;
  }
  ordered_json data = {{"file", info.file},
                       {"container", info.container},
                       {"file_bytes", CountOrNull(info.file_bytes)},
                       {"inflated_bytes", info.inflated_bytes},
                       {"producer", info.producer},
                       {"version", TextOrNull(info.version)},
                       {"devices", DevicesJson(trace)},
                       {"counts", std::move(counts)},
                       {"start_ns", empty ? ordered_json() : ordered_json(trace.capture().start)},
                       {"end_ns", empty ? ordered_json() : ordered_json(trace.capture().end)},
                       {"clock_base_ns", info.has_clock_base ? ordered_json(info.clock_base_ns) : ordered_json()},
                       {"streams", trace.streams().size()},
                       {"has_shapes", info.has_shapes},
                       {"has_stacks", info.has_stacks},
                       {"rank", CountOrNull(info.rank)},
                       {"world_size", CountOrNull(info.world_size)},
                       {"backend", TextOrNull(info.backend)},
                       {"trace_name", TextOrNull(info.trace_name)},
                       {"properties", std::move(properties)},
                       {"counters", CountersJson(trace)}};
  const AttributionCounts& attribution = trace.attribution();
  data["attribution"] = {
      {"with_launch", attribution.with_launch},          {"without_launch", attribution.without_launch},
      {"op_by_external_id", attribution.by_external_id}, {"op_by_containment", attribution.by_containment},
      {"disagreements", attribution.disagreements},      {"launch_after_start", attribution.launch_after_start}};
  return data;
}

std::string SizeText(const RecordingInfo& info) {
  if (info.container == "plain" || info.file_bytes < 0) return FormatBytes(info.inflated_bytes);
  return fmt::format("{} ({}), {} inflated", FormatBytes(info.file_bytes), info.container, FormatBytes(info.inflated_bytes));
}

bool HasPythonSamples(const Trace& trace) {
  for (StackIndex frame = 1; frame < trace.stacks().size(); ++frame) {
    if (trace.stacks().frame(frame).kind == FrameKind::kPython) return true;
  }
  return false;
}

KeyValues FactsOf(const Trace& trace) {
  const RecordingInfo& info = trace.recording();
  KeyValues facts;
  facts.pairs = {{"File", info.file}, {"Size", SizeText(info)}, {"Producer", info.producer}};
  if (!info.version.empty()) facts.pairs.push_back({"Version", info.version});
  if (!trace.capture().empty()) {
    facts.pairs.push_back({"Capture", fmt::format("{}, from {} to {} ns", FormatDuration(trace.capture().duration()),
                                                  trace.capture().start, trace.capture().end)});
  }
  if (info.has_clock_base) facts.pairs.push_back({"Clock base", fmt::format("{} ns since 1970", info.clock_base_ns)});
  const auto missing = [&trace](std::string_view advice) {
    return fmt::format("not recorded ({})", RecorderAdvice(trace, advice));
  };
  facts.pairs.push_back({"Shapes", info.has_shapes ? std::string("recorded") : missing("shapes")});
  const bool sampled = !info.has_stacks && HasPythonSamples(trace);
  facts.pairs.push_back({"Python stacks", info.has_stacks ? std::string("recorded")
                                          : sampled       ? std::string("sampled (warpsight stats FILE cpu_sample_sum)")
                                                          : missing("stacks")});
  if (info.rank >= 0) {
    facts.pairs.push_back(
        {"Rank", info.world_size > 0 ? fmt::format("{} of {}", info.rank, info.world_size) : std::to_string(info.rank)});
  }
  return facts;
}

Table DeviceTable(const Trace& trace) {
  Table table;
  table.title = "Devices";
  table.columns = {CountColumn("id", "Id"), NameColumn("name", "Name"), BytesColumn("total_memory_bytes", "Memory"),
                   CountColumn("sm_count", "SMs"), CountColumn("gpu_work", "GPU work")};
  const auto known = [](int64_t value) { return value < 0 ? Cell() : Cell(value); };
  for (const Device& device : trace.devices()) {
    table.rows.push_back({int64_t{device.id}, device.name.empty() ? Cell() : Cell(device.name),
                          known(device.total_memory_bytes), known(device.sm_count),
                          int64_t{device.end_work} - device.first_work});
  }
  return table;
}

}  // namespace

Document MakeInfoDocument(const Trace& trace) {
  Document document;
  document.verb = "info";
  const KindCounts kinds = CountKinds(trace);
  document.data = DataOf(trace, kinds);
  document.blocks.push_back(Heading{"Recording"});
  document.blocks.push_back(FactsOf(trace));
  if (!trace.devices().empty()) document.blocks.push_back(DeviceTable(trace));
  Table counts;
  counts.title = "Events";
  counts.columns = {TextColumn("kind", "Kind"), CountColumn("count", "Count")};
  for (const auto& [kind, count] : kinds) {
    std::string words = kind;
    for (char& c : words) c = c == '_' ? ' ' : c;
    if (count > 0) counts.rows.push_back({std::move(words), count});
  }
  if (!counts.rows.empty()) document.blocks.push_back(std::move(counts));
  if (std::optional<Table> counters = MakeCounterTable(trace)) document.blocks.push_back(*std::move(counters));
  return document;
}

}  // namespace warpsight
