#include "analysis/counters/counter_info_document.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "counters/raw_page.h"
#include "document/absent.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

// What a report holds, added up.
struct ReportContent {
  std::vector<std::pair<std::string, int64_t>> counts;         // in the order people meet them
  std::vector<std::pair<std::string_view, int64_t>> sections;  // title, kernels that have it
  std::vector<std::pair<std::string_view, int64_t>> kernels;   // name, launches; in the order of the file
  std::optional<int64_t> passes;                               // of the kernel with most
  int64_t cubin_bytes = 0;
  int64_t source_bytes = 0;
};

void CountOne(std::string_view name, std::vector<std::pair<std::string_view, int64_t>>& counts,
              std::map<std::string_view, size_t>& places) {
  const auto [known, is_new] = places.try_emplace(name, counts.size());
  if (is_new) counts.emplace_back(name, 0);
  ++counts[known->second].second;
}

ReportContent Sum(const CounterReport& report) {
  ReportContent content;
  int64_t metrics = 0;
  int64_t instances = 0;
  int64_t rules = 0;
  int64_t with_stack = 0;
  int64_t with_ranges = 0;
  std::map<std::string_view, size_t> section_places;
  std::map<std::string_view, size_t> kernel_places;
  for (const ProfiledKernel& kernel : report.kernels()) {
    metrics += std::ssize(kernel.metrics);
    instances += std::ssize(kernel.instances);
    rules += std::ssize(kernel.rules);
    with_stack += kernel.host_stack.empty() ? 0 : 1;
    with_ranges += kernel.ranges.empty() ? 0 : 1;
    CountOne(kernel.full_name, content.kernels, kernel_places);
    for (const CounterSection& section : kernel.sections)
      CountOne(section.title.empty() ? section.id : section.title, content.sections, section_places);
    if (const std::optional<double> passes = report.Number(kernel, "profiler__replayer_passes"))
      content.passes = std::max(content.passes.value_or(0), int64_t{std::llround(*passes)});
  }
  int64_t cubins = 0;
  int64_t sources = 0;
  for (const CodeModule& module : report.modules()) {
    cubins += module.cubin.empty() ? 0 : 1;
    content.cubin_bytes += std::ssize(module.cubin);
    for (const CodeModule::SourceFile& source : module.sources) {
      sources += source.text.empty() ? 0 : 1;
      content.source_bytes += std::ssize(source.text);
    }
  }
  content.counts = {{"kernels", std::ssize(report.kernels())},
                    {"kernel_names", std::ssize(content.kernels)},
                    {"metric_names", static_cast<int64_t>(report.metric_name_count())},
                    {"metrics", metrics},
                    {"metric_instances", instances},
                    {"sections", std::ssize(content.sections)},
                    {"rule_results", rules},
                    {"kernels_with_ranges", with_ranges},
                    {"kernels_with_host_stack", with_stack},
                    {"processes", std::ssize(report.processes())},
                    {"cubins", cubins},
                    {"source_files", sources}};
  return content;
}

ordered_json HostJson(const HostInfo& host) {
  return {{"name", TextOrNull(host.name)},
          {"system", TextOrNull(host.system)},
          {"processor", TextOrNull(host.processor)},
          {"architecture", TextOrNull(host.architecture)}};
}

ordered_json DevicesJsonOf(const CounterReport& report) {
  ordered_json devices = ordered_json::array();
  for (const CounterDevice& device : report.devices()) {
    ordered_json attributes = ordered_json::object();
    for (const auto& [name, value] : device.attributes) {
      if (const std::optional<double> number = NumberOf(value)) attributes[std::string(name)] = *number;
      if (const std::optional<std::string_view> text = TextOf(value)) attributes[std::string(name)] = *text;
    }
    const auto kernels = std::ranges::count(report.kernels(), device.id, &ProfiledKernel::device);
    devices.push_back(
        {{"id", device.id}, {"name", TextOrNull(device.name)}, {"kernels", kernels}, {"attributes", attributes}});
  }
  return devices;
}

ordered_json InfoData(const CounterReport& report, const ReportContent& content) {
  const CounterSession& session = report.session();
  ordered_json data = {
      {"file", session.file},
      {"container", session.container},
      {"format_version", session.format_version},
      {"producer", "Nsight Compute"},
      {"version", TextOrNull(session.tool_version())},
      {"command_line", TextOrNull(session.command_line)},
      {"created_unix_s", session.created_unix_s == 0 ? ordered_json() : ordered_json(session.created_unix_s)},
      {"devices", DevicesJsonOf(report)}};
  data["counts"] = ordered_json::object();
  for (const auto& [name, count] : content.counts) data["counts"][name] = count;
  // A counter report has no timeline.
  data["start_ns"] = nullptr;
  data["end_ns"] = nullptr;
  data["passes"] = OrNull(content.passes);
  data["cubin_bytes"] = content.cubin_bytes;
  data["source_bytes"] = content.source_bytes;
  data["host"] = HostJson(session.host);
  data["target"] = HostJson(session.target);
  data["versions"] = ordered_json::object();
  for (const auto& [name, version] : session.versions) data["versions"][std::string(name)] = version;
  data["processes"] = ordered_json::array();
  for (const CounterProcess& process : report.processes())
    data["processes"].push_back({{"id", process.id}, {"executable", process.executable}});
  data["sections"] = ordered_json::array();
  for (const auto& [title, kernels] : content.sections) data["sections"].push_back({{"title", title}, {"kernels", kernels}});
  data["kernels"] = ordered_json::array();
  for (const auto& [name, launches] : content.kernels) data["kernels"].push_back({{"name", name}, {"launches", launches}});
  return data;
}

KeyValues InfoFacts(const CounterReport& report, const ReportContent& content) {
  const CounterSession& session = report.session();
  KeyValues facts;
  const auto add = [&](std::string key, std::string_view value) {
    if (!value.empty()) facts.pairs.push_back({std::move(key), std::string(value)});
  };
  add("File", session.file);
  add("Producer", "Nsight Compute");
  add("Version", session.tool_version());
  if (session.created_unix_s > 0 && session.created_unix_s < uint64_t{1} << 36)
    add("Created", fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(session.created_unix_s))));
  add("Command line", session.command_line);
  add("Target", session.target.name);
  for (const auto& [name, version] : session.versions) {
    if (version != session.tool_version()) add(std::string(name), version);
  }
  for (const CounterProcess& process : report.processes()) add(fmt::format("Process {}", process.id), process.executable);
  if (content.passes) add("Passes", fmt::format("{} for a kernel at most", FormatCount(*content.passes)));
  add("Code", content.cubin_bytes > 0 ? "stored: " + FormatBytes(content.cubin_bytes) + " of cubins" : "not stored");
  add("Sources", content.source_bytes > 0 ? "stored: " + FormatBytes(content.source_bytes)
                                          : "not stored (ncu --import-source yes adds them, -lineinfo the lines)");
  return facts;
}

template <typename Name>
Table CountTable(std::string title, Column name_column, Column count_column,
                 const std::vector<std::pair<Name, int64_t>>& rows) {
  Table table;
  table.title = std::move(title);
  table.columns = {std::move(name_column), std::move(count_column)};
  for (const auto& [name, count] : rows) {
    if (count > 0) table.rows.push_back({std::string(name), count});
  }
  return table;
}

Table CounterDeviceTable(const CounterReport& report) {
  Table table;
  table.title = "Devices";
  table.columns = {CountColumn("id", "Id"), NameColumn("name", "Name"), CountColumn("kernels", "Kernels")};
  for (const CounterDevice& device : report.devices()) {
    table.rows.push_back({static_cast<int64_t>(device.id), TextOrAbsent(device.name),
                          int64_t{std::ranges::count(report.kernels(), device.id, &ProfiledKernel::device)}});
  }
  return table;
}

}  // namespace

Document MakeCounterInfoDocument(const CounterReport& report) {
  ReportContent content = Sum(report);
  Document document;
  document.verb = "info";
  document.data = InfoData(report, content);
  document.blocks.push_back(Heading{"Counter report"});
  document.blocks.push_back(InfoFacts(report, content));
  if (!report.devices().empty()) document.blocks.push_back(CounterDeviceTable(report));
  for (auto& [name, count] : content.counts) std::ranges::replace(name, '_', ' ');
  document.blocks.push_back(
      CountTable("Records", TextColumn("kind", "Kind"), CountColumn("count", "Count"), content.counts));
  document.blocks.push_back(
      CountTable("Kernels", KernelNameColumn("name", "Kernel"), CountColumn("launches", "Launches"), content.kernels));
  if (!content.sections.empty())
    document.blocks.push_back(
        CountTable("Sections", NameColumn("title", "Section"), CountColumn("kernels", "Kernels"), content.sections));
  return document;
}

}  // namespace warpsight
