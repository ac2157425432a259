// Reports about GPU work: kernels, copies and sets.
#include <algorithm>
#include <string>
#include <utility>

#include "analysis/stats/stats_groups.h"
#include "analysis/stats/stats_reports.h"

namespace warpsight {
namespace {

// What nsys calls the copies that recorders name "Memcpy HtoD (Pageable -> Device)".
constexpr std::pair<std::string_view, std::string_view> kMemoryOperations[] = {
    {"Memcpy HtoD", "Host-to-Device"},
    {"Memcpy DtoH", "Device-to-Host"},
    {"Memcpy HtoA", "Host-to-Array"},
    {"Memcpy AtoH", "Array-to-Host"},
    {"Memcpy AtoA", "Array-to-Array"},
    {"Memcpy AtoD", "Array-to-Device"},
    {"Memcpy DtoA", "Device-to-Array"},
    {"Memcpy DtoD", "Device-to-Device"},
    {"Memcpy HtoH", "Host-to-Host"},
    {"Memcpy PtoP", "Peer-to-Peer"},
    {"Memcpy unified HtoD", "Unified Host-to-Device"},
    {"Memcpy unified DtoH", "Unified Device-to-Host"},
    {"Memcpy unified DtoD", "Unified Device-to-Device"},
};

// Recorders that do not use these words say the direction otherwise.
std::string_view DirectionName(CopyKind kind) {
  constexpr std::string_view kNames[] = {"Unknown",      "Host-to-Device", "Device-to-Host", "Device-to-Device",
                                         "Peer-to-Peer", "Host-to-Host",   "Unknown"};
  return kNames[static_cast<size_t>(kind)];
}

// "[CUDA memcpy Host-to-Device]".
std::string OperationName(const Trace& trace, uint32_t row) {
  if (trace.gpu().kind[row] == GpuKind::kMemset) return "[CUDA memset]";
  const std::string_view name = trace.Text(trace.gpu().name[row]);
  const std::string_view base = name.substr(0, name.find(" ("));
  std::string_view direction = DirectionName(trace.gpu().copy_kind[row]);
  for (const auto& [recorded, printed] : kMemoryOperations) {
    if (recorded == base) direction = printed;
  }
  return "[CUDA memcpy " + std::string(direction) + "]";
}

// A graph that was recorded as a whole is no kernel.
bool IsWholeGraph(const GpuWork& gpu, uint32_t row) {
  return gpu.graph_id[row] != 0 && gpu.graph_node_id[row] == 0 && gpu.launch_config[row] == 0;
}

uint64_t KeyOfWork(const GpuWork& gpu, uint32_t row) {
  return uint64_t{static_cast<uint32_t>(gpu.name[row])} << 8 | static_cast<uint64_t>(gpu.copy_kind[row]) << 4 |
         static_cast<uint64_t>(gpu.kind[row]);
}

// Samples of copies and sets by operation; `value` gives the sample, negative for none.
template <typename Value>
StatsGroups MemoryGroups(const Trace& trace, const Selection& selection, const Value& value) {
  StatsGroups groups;
  ForSelectedWork(trace, selection, [&](uint32_t row) {
    if (trace.gpu().kind[row] == GpuKind::kKernel || value(row) < 0) return;
    groups.Of(KeyOfWork(trace.gpu(), row), [&] { return std::vector<Cell>{OperationName(trace, row)}; })
        .samples.push_back(value(row));
  });
  return groups;
}

}  // namespace

Table GpuKernelSummary(const Trace& trace, const Selection& selection) {
  StatsGroups groups;
  const GpuWork& gpu = trace.gpu();
  ForSelectedWork(trace, selection, [&](uint32_t row) {
    if (gpu.kind[row] != GpuKind::kKernel || IsWholeGraph(gpu, row)) return;
    groups
        .Of(static_cast<uint32_t>(gpu.name[row]), [&] { return std::vector<Cell>{std::string(trace.Text(gpu.name[row]))}; })
        .samples.push_back(gpu.duration_ns(row));
  });
  return TimeSummaryTable(std::move(groups), CountColumn("instances", "Instances"), {KernelNameColumn("name", "Name")});
}

Table GpuMemoryTimeSummary(const Trace& trace, const Selection& selection) {
  return TimeSummaryTable(MemoryGroups(trace, selection, [&](uint32_t row) { return trace.gpu().duration_ns(row); }),
                          CountColumn("count", "Count"), {TextColumn("operation", "Operation")});
}

Table GpuMemorySizeSummary(const Trace& trace, const Selection& selection) {
  constexpr double kMegabyte = 1e6;
  StatsGroups groups = MemoryGroups(trace, selection, [&](uint32_t row) { return trace.gpu().bytes[row]; });
  Table table;
  table.columns = {NumberColumn("total_mb", "Total (MB)", 3),
                   CountColumn("count", "Count"),
                   Hideable(NumberColumn("avg_mb", "Avg (MB)", 3)),
                   Hideable(NumberColumn("med_mb", "Med (MB)", 3), 1),
                   Hideable(NumberColumn("min_mb", "Min (MB)", 3), 2),
                   Hideable(NumberColumn("max_mb", "Max (MB)", 3), 2),
                   Hideable(NumberColumn("stddev_mb", "StdDev (MB)", 3), 3),
                   TextColumn("operation", "Operation")};
  for (StatsGroup& group : groups.groups()) {
    const SampleSummary bytes = Summarise(std::move(group.samples));
    table.rows.push_back({static_cast<double>(bytes.total) / kMegabyte, bytes.count, bytes.mean / kMegabyte,
                          bytes.median / kMegabyte, static_cast<double>(bytes.min) / kMegabyte,
                          static_cast<double>(bytes.max) / kMegabyte, bytes.deviation / kMegabyte, group.labels.back()});
  }
  std::sort(table.rows.begin(), table.rows.end(),
            [](const Row& a, const Row& b) { return a[0] != b[0] ? a[0] > b[0] : a.back() < b.back(); });
  return table;
}

Table GpuSummary(const Trace& trace, const Selection& selection) {
  StatsGroups groups;
  const GpuWork& gpu = trace.gpu();
  ForSelectedWork(trace, selection, [&](uint32_t row) {
    if (IsWholeGraph(gpu, row)) return;
    const bool kernel = gpu.kind[row] == GpuKind::kKernel;
    const auto labels = [&] {
      return std::vector<Cell>{std::string(kernel ? "CUDA_KERNEL" : "MEMORY_OPER"),
                               kernel ? std::string(trace.Text(gpu.name[row])) : OperationName(trace, row)};
    };
    groups.Of(KeyOfWork(gpu, row), labels).samples.push_back(gpu.duration_ns(row));
  });
  return TimeSummaryTable(std::move(groups), CountColumn("instances", "Instances"),
                          {TextColumn("category", "Category"), KernelNameColumn("operation", "Operation")});
}

}  // namespace warpsight
