// Reports about calls on the host: API calls, OS runtime calls, and kernels with the calls that launched them.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "analysis/stats/stats_groups.h"
#include "analysis/stats/stats_reports.h"

namespace warpsight {
namespace {

constexpr std::string_view kOsRuntimeCalls = "OS runtime";  // HostEvents::types of such calls

// nsys prints names without a version of four digits, "cudaMalloc" for cudaMalloc_v3020; longer versions stay.
std::string_view PrintedCallName(std::string_view recorded) {
  constexpr size_t kVersion = 6;
  const bool versioned = recorded.size() > kVersion && recorded.substr(recorded.size() - kVersion, 2) == "_v";
  return versioned ? recorded.substr(0, recorded.size() - kVersion) : recorded;
}

std::string CallNameOf(const Trace& trace, uint32_t row) {
  const HostEvents& host = trace.host();
  const bool shortened = host.types[row] != StringId::kEmpty && host.kind[row] == HostKind::kApi;
  return std::string(PrintedCallName(trace.Text(shortened ? host.types[row] : host.name[row])));
}

uint64_t KeyOfCall(const HostEvents& host, uint32_t row) {
  return uint64_t{static_cast<uint32_t>(host.name[row])} << 32 | static_cast<uint32_t>(host.types[row]);
}

template <typename Wanted>
Table CallTable(const Trace& trace, const Selection& selection, const Wanted& wanted) {
  const HostEvents& host = trace.host();
  StatsGroups groups;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (!wanted(row) || !StartsIn(selection, host.start_ns[row])) continue;
    groups.Of(KeyOfCall(host, row), [&] { return std::vector<Cell>{CallNameOf(trace, row)}; })
        .samples.push_back(host.duration_ns(row));
  }
  return TimeSummaryTable(std::move(groups), CountColumn("num_calls", "Num Calls"), {NameColumn("name", "Name")});
}

// One row of the launch report: a kernel of a name, launched by calls of a name from one thread onto one device.
struct LaunchGroup {
  std::vector<int64_t> whole;  // call begins -> kernel ends
  std::vector<int64_t> call;
  std::vector<int64_t> queue;  // call ends -> kernel starts, where that is later
  std::vector<int64_t> kernel;
  uint32_t first_row = 0;
};

void AddSummary(const std::vector<int64_t>& samples, Row& row) {
  if (samples.empty()) {
    row.insert(row.end(), 5, Cell());
    return;
  }
  const SampleSummary summary = Summarise(samples);
  const std::array<Cell, 5> cells = {Cell(summary.mean), Cell(summary.median), Cell(summary.min), Cell(summary.max),
                                     Cell(summary.deviation)};
  row.insert(row.end(), cells.begin(), cells.end());
}

std::vector<Column> LaunchColumns() {
  std::vector<Column> columns = {Hideable(CountColumn("pid", "PID"), 1), Hideable(CountColumn("tid", "TID"), 1),
                                 Hideable(CountColumn("device", "DevId"), 1), CountColumn("count", "Count"),
                                 Hideable(CountColumn("queue_count", "QCount"), 1)};
  for (const auto& [key, letter] : {std::pair{"total", "T"}, {"api", "A"}, {"queue", "Q"}, {"kernel", "K"}}) {
    const std::string k = key;
    const std::string h = letter;
    const bool is_part = h == "A" || h == "Q";  // of the whole time, T, that the kernel's does not tell
    const Column average = NumberColumn(k + "_avg_ns", h + "Avg (ns)", 1);
    columns.push_back(is_part ? Hideable(average) : average);
    columns.push_back(Hideable(NumberColumn(k + "_med_ns", h + "Med (ns)", 1), 2));
    columns.push_back(Hideable(CountColumn(k + "_min_ns", h + "Min (ns)"), 3));
    columns.push_back(Hideable(CountColumn(k + "_max_ns", h + "Max (ns)"), 3));
    columns.push_back(Hideable(NumberColumn(k + "_stddev_ns", h + "StdDev (ns)", 1), 4));
  }
  columns.push_back(NameColumn("api_name", "API Name"));
  columns.push_back(KernelNameColumn("kernel_name", "Kernel Name"));
  return columns;
}

}  // namespace

Table ApiCallSummary(const Trace& trace, const Selection& selection) {
  return CallTable(trace, selection, [&](uint32_t row) { return trace.host().kind[row] == HostKind::kApi; });
}

Table OsRuntimeSummary(const Trace& trace, const Selection& selection) {
  const StringId library = trace.strings().Find(kOsRuntimeCalls);
  return CallTable(trace, selection, [&](uint32_t row) {
    return library != StringId::kEmpty && trace.host().kind[row] == HostKind::kOther && trace.host().types[row] == library;
  });
}

Table KernelExecutionSummary(const Trace& trace, const Selection& selection) {
  const GpuWork& gpu = trace.gpu();
  const HostEvents& host = trace.host();
  std::map<std::array<int64_t, 5>, LaunchGroup> groups;
  ForSelectedWork(trace, selection, [&](uint32_t row) {
    const uint32_t call = gpu.launch[row];
    if (gpu.kind[row] != GpuKind::kKernel || call == kNoRow) return;
    const auto [found, added] =
        groups.try_emplace({host.thread[call], trace.device_of(row), static_cast<int64_t>(gpu.name[row]),
                            static_cast<int64_t>(host.name[call]), static_cast<int64_t>(host.types[call])});
    LaunchGroup& group = found->second;
    if (added) group.first_row = row;
    group.whole.push_back(SaturatingSubtract(gpu.end_ns[row], host.start_ns[call]));
    group.call.push_back(host.duration_ns(call));
    group.kernel.push_back(gpu.duration_ns(row));
    if (gpu.start_ns[row] > host.end_ns[call])
      group.queue.push_back(SaturatingSubtract(gpu.start_ns[row], host.end_ns[call]));
  });
  std::vector<std::pair<int64_t, const LaunchGroup*>> order;
  order.reserve(groups.size());
  for (const auto& [key, group] : groups) order.emplace_back(Summarise(group.whole).total, &group);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  Table table;
  table.columns = LaunchColumns();
  for (const auto& [total, group] : order) {
    const uint32_t call = gpu.launch[group->first_row];
    const Thread& thread = trace.threads()[host.thread[call]];
    Row row = {thread.pid < 0 ? Cell() : Cell(thread.pid), thread.tid < 0 ? Cell() : Cell(thread.tid),
               int64_t{trace.device_of(group->first_row)}, static_cast<int64_t>(group->whole.size()),
               static_cast<int64_t>(group->queue.size())};
    for (const std::vector<int64_t>* samples : {&group->whole, &group->call, &group->queue, &group->kernel})
      AddSummary(*samples, row);
    row.push_back(CallNameOf(trace, call));
    row.push_back(std::string(trace.Text(gpu.name[group->first_row])));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace warpsight
