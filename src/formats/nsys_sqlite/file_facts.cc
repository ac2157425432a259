#include "formats/nsys_sqlite/file_facts.h"

#include <array>

namespace warpsight::nsys_sqlite {
namespace {

// Keys of the meta tables that say something about the recording. Everything else in there describes the machine's user,
// environment and command line, which does not belong into a report.
constexpr std::string_view kShownFacts[] = {
    "EXPORT_SCHEMA_VERSION",
    "CUDA_GRAPH_TRACE_OPTIONS:MODE",
    "START_TRIGGER",
    "STOP_TRIGGER",
    "CUDA_SKIP_SOME_API_CALLS",
    "CUDA_TRACE_SCOPE",
    "COLLECT_GPU_MEMORY_USAGE",
    "CUDA_FLUSH_PERIODICALLY",
};

void ReadMeta(Database& database, const TableList& tables, std::string_view name, RecordingInfo& info, ImportLog& log) {
  const ColumnsOfTable* table = FindTable(tables, name);
  if (table == nullptr) return;
  static constexpr std::array<std::string_view, 2> kColumns = {"name", "value"};
  TableCursor rows(database, *table, kColumns);
  while (rows.Next()) {
    const std::string key(rows.Text(0));
    const std::string value(rows.Text(1));
    if (key == "EXPORT_PRODUCT_VERSION" && info.version.empty()) info.version = value;
    for (const std::string_view shown : kShownFacts) {
      if (key == shown) info.properties.emplace_back(key, value);
    }
  }
  NoteDamage(rows, log);
}

}  // namespace

MetricName ParseMetricName(std::string_view text) {
  const size_t open = text.rfind(" [");
  if (open == std::string_view::npos || !text.ends_with(']')) return {std::string(text), ""};
  return {std::string(text.substr(0, open)), std::string(text.substr(open + 2, text.size() - open - 3))};
}

FileFacts ReadFileFacts(Database& database, const TableList& tables, ImportLog& log) {
  FileFacts facts;
  facts.strings.Read(database, tables, log);
  facts.processes.Read(database, tables, facts.strings, log);
  facts.devices.Read(database, tables, log);
  if (const ColumnsOfTable* table = FindTable(tables, "TARGET_INFO_GPU_METRICS")) {
    static constexpr std::array<std::string_view, 3> kColumns = {"typeId", "metricId", "metricName"};
    TableCursor rows(database, *table, kColumns);
    while (rows.Next()) {
      facts.metrics.try_emplace({rows.IntegerOr(0, 0), rows.IntegerOr(1, 0)}, ParseMetricName(rows.Text(2)));
    }
    NoteDamage(rows, log);
  }
  return facts;
}

void ReadRecordingFacts(Database& database, const TableList& tables, RecordingInfo& info, ImportLog& log) {
  info.producer = "nsys";
  info.ops_are_ranges = true;
  ReadMeta(database, tables, "META_DATA_EXPORT", info, log);
  ReadMeta(database, tables, "EXPORT_META_DATA", info, log);
  ReadMeta(database, tables, "META_DATA_CAPTURE", info, log);
  if (info.version.empty()) info.version = "before 2022 (the file does not say)";
  if (const ColumnsOfTable* table = FindTable(tables, "TARGET_INFO_SESSION_START_TIME")) {
    static constexpr std::array<std::string_view, 1> kColumns = {"utcEpochNs"};
    TableCursor rows(database, *table, kColumns);
    if (rows.Next()) {
      const std::optional<int64_t> epoch = rows.Integer(0);
      info.clock_base_ns = epoch.value_or(0);
      info.has_clock_base = epoch.has_value();
    }
    NoteDamage(rows, log);
  }
}

}  // namespace warpsight::nsys_sqlite
