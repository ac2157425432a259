// Points in time: CUDA events, diagnostics, graph creations, memory events, whose values stay in the file; and the samples
// of GPU metrics, which become counters.
#include <array>
#include <map>

#include "formats/nsys_sqlite/table_readers.h"

namespace warpsight::nsys_sqlite {
namespace {

constexpr std::array<std::string_view, 3> kCudaEventColumns = {"timestamp", "globalPid", "eventId"};
constexpr std::array<std::string_view, 4> kDiagnosticColumns = {"timestamp", "text", "severity", "globalPid"};
constexpr std::array<std::string_view, 4> kMetricColumns = {"timestamp", "typeId", "metricId", "value"};
constexpr std::array<std::string_view, 4> kGraphEventColumns = {"start", "globalTid", "nameId", "eventClass"};
constexpr std::array<std::string_view, 4> kMemoryEventColumns = {"start", "globalPid", "memoryOperationType", "globalTid"};

constexpr std::string_view kGpuLabel = "GPU";

ProcessKey ProcessAt(const TableCursor& rows, size_t column) {
  const std::optional<int64_t> process = rows.Integer(column);
  return process ? ProcessOf(*process) : kNoProcess;
}

void ReadCudaEvents(TableCursor& rows, RowSink& sink) {
  const StringId name = sink.names().Intern("CUDA event");
  while (rows.Next()) {
    sink.Begin(rows);
    // Until 2025 the time is not recorded: that there was an event is all the row says.
    const std::optional<int64_t> time = rows.Integer(0);
    if (!time || *time == 0) {
      sink.AddFact();
    } else {
      Ns at = 0;
      if (sink.ReadTime(rows, 0, at)) sink.AddInstant(at, name, sink.names().ProcessThread(ProcessAt(rows, 1), kGpuLabel));
    }
  }
}

void ReadDiagnostics(TableCursor& rows, RowSink& sink) {
  constexpr int64_t kDiagnosticWarning = 2;
  constexpr int64_t kDiagnosticError = 3;
  while (rows.Next()) {
    sink.Begin(rows);
    std::string text(rows.Text(1).substr(0, rows.Text(1).find('\n')));
    // Without a time it is said at the start.
    Ns time = 0;
    if (rows.Integer(0) && !sink.ReadTime(rows, 0, time)) continue;
    sink.AddInstant(time, sink.names().Intern(text), sink.names().ProcessThread(ProcessAt(rows, 3), "diagnostics"));
    const int64_t severity = rows.IntegerOr(2, 0);
    // "No ... events collected. Does the process use ...?" tells of what was asked for and does not exist.
    const bool empty_handed = text.rfind("No ", 0) == 0 && text.find("Does the process use") != std::string::npos;
    if (empty_handed || (severity != kDiagnosticWarning && severity != kDiagnosticError)) continue;
    sink.shard().log.Add(severity == kDiagnosticError ? "recorder_error" : "recorder_warning",
                         severity == kDiagnosticError ? ImportSeverity::kWarning : ImportSeverity::kInfo, Effect::kNote,
                         "nsys said while recording: " + text, -1);
  }
}

// The series of a metric: `type` holds the number of the GPU in its lowest byte. GPUs that no process could use have no
// number of a device in the trace; they are told by the name of the "process".
CounterSeries MetricSeries(int64_t type, int64_t metric, RowSink& sink) {
  CounterSeries series;
  const auto& metrics = sink.facts().metrics;
  if (const auto found = metrics.find({type, metric}); found != metrics.end()) {
    series.name = sink.names().Intern(found->second.name);
    series.unit = sink.names().Intern(found->second.unit);
  }
  if (series.name == StringId::kEmpty) series.name = sink.names().Intern("GPU metric " + std::to_string(metric));
  const int64_t gpu = type & 0xFF;
  series.device = sink.facts().devices.NumberOfGpu(gpu);
  if (series.device < 0) series.process = sink.names().Intern("GPU " + std::to_string(gpu) + " of the machine");
  return series;
}

void ReadMetricSamples(TableCursor& rows, RowSink& sink) {
  // Samples of all metrics of a GPU alternate.
  std::map<std::pair<int64_t, int64_t>, CounterIndex> counters;
  while (rows.Next()) {
    sink.Begin(rows);
    Ns time = 0;
    if (!sink.ReadTime(rows, 0, time)) continue;
    const std::optional<int64_t> value = rows.Integer(3);
    if (!value) {
      sink.Exclude("bad_counter_value", "the value of a metric's sample is missing or no integer");
      continue;
    }
    const std::pair key(rows.IntegerOr(1, 0), rows.IntegerOr(2, 0));
    const auto [found, added] = counters.try_emplace(key, 0);
    if (added) found->second = sink.names().names()->InternCounter(MetricSeries(key.first, key.second, sink));
    sink.shard().counters.AddInteger(found->second, time, *value);
  }
}

void ReadGraphEvents(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    Ns time = 0;
    if (!sink.ReadTime(rows, 0, time)) continue;
    const StringId name = rows.IsNull(2) ? sink.names().Intern(rows.table().name) : sink.NameOf(rows, 2);
    sink.AddInstant(time, name, sink.names().Thread(rows.IntegerOr(1, 0)));
  }
}

void ReadMemoryEvents(TableCursor& rows, RowSink& sink) {
  const bool usage = rows.Has(2);
  const StringId freed = sink.names().Intern("GPU memory freed");
  const StringId other = sink.names().Intern(usage ? "GPU memory allocated" : rows.table().name);
  while (rows.Next()) {
    sink.Begin(rows);
    Ns time = 0;
    if (!sink.ReadTime(rows, 0, time)) continue;
    const ProcessKey process = rows.IsNull(1) ? ProcessAt(rows, 3) : ProcessAt(rows, 1);
    sink.AddInstant(time, rows.IntegerOr(2, 0) == 1 ? freed : other, sink.names().ProcessThread(process, kGpuLabel));
  }
}

}  // namespace

TableReader CudaEventReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "CUPTI_ACTIVITY_KIND_CUDA_EVENT"; }, kCudaEventColumns,
          ReadCudaEvents};
}

TableReader DiagnosticReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "DIAGNOSTIC_EVENT"; }, kDiagnosticColumns, ReadDiagnostics};
}

TableReader GpuMetricReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "GPU_METRICS"; }, kMetricColumns, ReadMetricSamples};
}

TableReader GraphEventReader() {
  return {[](const ColumnsOfTable& table) { return table.name.rfind("CUDA_GRAPH_", 0) == 0 && table.HasColumn("start"); },
          kGraphEventColumns, ReadGraphEvents};
}

TableReader MemoryEventReader() {
  return {[](const ColumnsOfTable& table) {
            return table.HasColumn("start") &&
                   (table.name == "CUDA_GPU_MEMORY_USAGE_EVENTS" || table.name == "CUDA_GPU_MEMORY_POOL_EVENTS" ||
                    table.name.rfind("CUDA_UM_", 0) == 0);
          },
          kMemoryEventColumns, ReadMemoryEvents};
}

}  // namespace warpsight::nsys_sqlite
