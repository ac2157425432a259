#include "analysis/stats/stats_reports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/hand_made_trace.h"
#include "analysis/stats/sample_summary.h"
#include "analysis/stats/stats_document.h"
#include "trace/trace_builder.h"

namespace warpsight {
namespace {

TEST(SampleSummaryTest, AsNsysDefinesThem) {
  const SampleSummary odd = Summarise({5, 1, 9});
  EXPECT_EQ(odd.count, 3);
  EXPECT_EQ(odd.total, 15);
  EXPECT_EQ(odd.mean, 5);
  EXPECT_EQ(odd.median, 5);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 9);
  EXPECT_EQ(odd.deviation, 4);  // sqrt((16 + 0 + 16) / 2)
  EXPECT_EQ(Summarise({1, 4}).median, 2.5);
  EXPECT_EQ(Summarise({7}).deviation, 0);
  EXPECT_EQ(Summarise({}).count, 0);
}

// A recording as the nsys importer makes it: ranges around calls that launch kernels.
class StatsRecording {
 public:
  StatsRecording() { builder_.header().recording.producer = "nsys"; }
  StatsRecording& Host(HostKind kind, std::string_view name, Ns start, Ns end, uint32_t correlation = 0,
                       std::string_view detail = "", std::string_view tid = "1") {
    HostEventRow row;
    row.thread = builder_.names().InternThread("9", tid);
    row.kind = kind;
    row.name = builder_.Intern(name);
    row.types = builder_.Intern(detail);
    row.start_ns = start;
    row.duration_ns = end - start;
    row.correlation = correlation;
    builder_.Add(row);
    return *this;
  }
  StatsRecording& Work(GpuKind kind, std::string_view name, Ns start, Ns end, uint32_t correlation,
                       int64_t bytes = kAbsent) {
    GpuWorkRow row;
    row.stream = builder_.names().InternStream(0, 7, 1, 9);
    row.kind = kind;
    row.name = builder_.Intern(name);
    row.start_ns = start;
    row.duration_ns = end - start;
    row.correlation = correlation;
    row.bytes = bytes;
    row.copy_kind = kind == GpuKind::kMemcpy ? CopyKind::kHostToDevice : CopyKind::kNone;
    builder_.Add(row);
    return *this;
  }
  StatsRecording& Sample(std::string_view function, Ns time) {
    StackFrame frame;
    frame.function = builder_.Intern(function);
    const StackIndex stack = builder_.names().InternStack(frame);
    builder_.shard().samples.push_back({time, builder_.names().InternThread("1", "1"), stack});
    builder_.shard().log.CountRead();
    return *this;
  }
  Trace Seal() { return std::move(builder_).Seal(); }

 private:
  TraceBuilder builder_;
};

size_t StatsColumn(const Table& table, std::string_view key) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].key == key) return i;
  }
  ADD_FAILURE() << "no column " << key;
  return 0;
}

Cell StatsCell(const Table& table, size_t row, std::string_view key) {
  return table.rows.at(row).at(StatsColumn(table, key));
}

Trace SmallRecording() {
  return StatsRecording()
      .Host(HostKind::kRange, "step", 0, 100)
      .Host(HostKind::kRange, "inner", 5, 60)
      .Host(HostKind::kApi, "cudaLaunchKernel", 10, 20, 1, "cudaLaunchKernel_v7000")
      .Host(HostKind::kApi, "cudaLaunchKernel", 70, 76, 2, "cudaLaunchKernel_v7000")
      .Host(HostKind::kApi, "cudaGraphLaunch", 80, 85, 3, "cudaGraphLaunch_v10000")
      .Host(HostKind::kApi, "cudaMemcpyAsync", 200, 210, 4, "cudaMemcpyAsync_v3020")
      .Host(HostKind::kRange, "async", 65, 90, 0, "LIB", "1 start/end ranges")
      .Host(HostKind::kOther, "ioctl", 300, 304, 0, "OS runtime")
      .Sample("compute", 50)
      .Work(GpuKind::kKernel, "gemm", 40, 70, 1)
      .Work(GpuKind::kKernel, "gemm", 90, 100, 2)
      .Work(GpuKind::kMemcpy, "Memcpy HtoD (Pinned -> Device)", 220, 225, 4, 3'000'000)
      .Work(GpuKind::kMemcpy, "Memcpy HtoD (Pageable -> Device)", 230, 240, 4, 1'000'000)
      .Seal();
}

TEST(StatsReportsTest, Kernels) {
  const Table table = GpuKernelSummary(SmallRecording(), {});
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(StatsCell(table, 0, "time_share"), Cell(1.0));
  EXPECT_EQ(StatsCell(table, 0, "total_ns"), Cell(int64_t{40}));
  EXPECT_EQ(StatsCell(table, 0, "instances"), Cell(int64_t{2}));
  EXPECT_EQ(StatsCell(table, 0, "avg_ns"), Cell(20.0));
  EXPECT_EQ(StatsCell(table, 0, "name"), Cell(std::string("gemm")));
}

TEST(StatsReportsTest, CallsKeepLongVersions) {
  const Table table = ApiCallSummary(SmallRecording(), {});
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(StatsCell(table, 0, "name"), Cell(std::string("cudaLaunchKernel")));
  EXPECT_EQ(StatsCell(table, 0, "total_ns"), Cell(int64_t{16}));
  EXPECT_EQ(StatsCell(table, 1, "name"), Cell(std::string("cudaMemcpyAsync")));
  EXPECT_EQ(StatsCell(table, 2, "name"), Cell(std::string("cudaGraphLaunch_v10000")));
  const Table os = OsRuntimeSummary(SmallRecording(), {});
  ASSERT_EQ(os.rows.size(), 1u);
  EXPECT_EQ(StatsCell(os, 0, "name"), Cell(std::string("ioctl")));
}

TEST(StatsReportsTest, CopiesByDirection) {
  const Table time = GpuMemoryTimeSummary(SmallRecording(), {});
  ASSERT_EQ(time.rows.size(), 1u);
  EXPECT_EQ(StatsCell(time, 0, "operation"), Cell(std::string("[CUDA memcpy Host-to-Device]")));
  EXPECT_EQ(StatsCell(time, 0, "med_ns"), Cell(7.5));
  const Table size = GpuMemorySizeSummary(SmallRecording(), {});
  EXPECT_EQ(StatsCell(size, 0, "total_mb"), Cell(4.0));
  EXPECT_EQ(StatsCell(size, 0, "max_mb"), Cell(3.0));
  EXPECT_EQ(GpuSummary(SmallRecording(), {}).rows.size(), 2u);
}

TEST(StatsReportsTest, RangesHaveTheirDomainAndStyle) {
  const Table table = RangeSummary(SmallRecording(), {});
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(StatsCell(table, 0, "range"), Cell(std::string(":step")));
  EXPECT_EQ(StatsCell(table, 0, "style"), Cell(std::string("PushPop")));
  EXPECT_EQ(StatsCell(table, 2, "range"), Cell(std::string("LIB:async")));
  EXPECT_EQ(StatsCell(table, 2, "style"), Cell(std::string("StartEnd")));
  EXPECT_EQ(PushPopSummary(SmallRecording(), {}).rows.size(), 2u);
  EXPECT_EQ(StartEndSummary(SmallRecording(), {}).rows.size(), 1u);
}

TEST(StatsReportsTest, RangesAreProjectedOntoTheGpu) {
  const Table table = RangeProjectionSummary(SmallRecording(), {});
  ASSERT_EQ(table.rows.size(), 3u);
  // step: both kernels, 40 to 100; inner: the first; the start/end range: the second, by its thread.
  EXPECT_EQ(StatsCell(table, 0, "range"), Cell(std::string(":step")));
  EXPECT_EQ(StatsCell(table, 0, "total_proj_ns"), Cell(int64_t{60}));
  EXPECT_EQ(StatsCell(table, 0, "total_gpu_ops"), Cell(int64_t{2}));
  EXPECT_EQ(StatsCell(table, 0, "avg_children"), Cell(1.0));
  EXPECT_EQ(StatsCell(table, 1, "range"), Cell(std::string(":inner")));
  EXPECT_EQ(StatsCell(table, 1, "total_proj_ns"), Cell(int64_t{30}));
  EXPECT_EQ(StatsCell(table, 1, "avg_range_level"), Cell(1.0));
  EXPECT_EQ(StatsCell(table, 2, "range"), Cell(std::string("LIB:async")));
  EXPECT_EQ(StatsCell(table, 2, "total_proj_ns"), Cell(int64_t{10}));
}

TEST(StatsReportsTest, LaunchesAndTheirQueue) {
  const Table table = KernelExecutionSummary(SmallRecording(), {});
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(StatsCell(table, 0, "pid"), Cell(int64_t{9}));
  EXPECT_EQ(StatsCell(table, 0, "count"), Cell(int64_t{2}));
  EXPECT_EQ(StatsCell(table, 0, "queue_count"), Cell(int64_t{2}));
  EXPECT_EQ(StatsCell(table, 0, "total_avg_ns"), Cell(45.0));  // (70 - 10, 100 - 70) / 2
  EXPECT_EQ(StatsCell(table, 0, "queue_min_ns"), Cell(int64_t{14}));
  EXPECT_EQ(StatsCell(table, 0, "kernel_max_ns"), Cell(int64_t{30}));
}

TEST(StatsReportsTest, ASelectionTakesWhatStartsInIt) {
  Selection selection;
  selection.range = Interval{80, 230};
  EXPECT_EQ(StatsCell(GpuKernelSummary(SmallRecording(), selection), 0, "total_ns"), Cell(int64_t{10}));
  EXPECT_EQ(StatsCell(GpuMemoryTimeSummary(SmallRecording(), selection), 0, "count"), Cell(int64_t{1}));
  selection.range.reset();
  selection.device = 1;
  EXPECT_TRUE(GpuKernelSummary(SmallRecording(), selection).rows.empty());
}

TEST(StatsReportsTest, EveryReportIsFoundByItsNameAndMakesAWholeTable) {
  const Trace trace = SmallRecording();
  for (const StatsReport& report : StatsReports()) {
    EXPECT_EQ(FindStatsReport(report.name), &report);
    const Table table = report.make(trace, {});
    EXPECT_FALSE(table.rows.empty()) << report.name;
    for (const Row& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << report.name;
    EXPECT_TRUE(report.make(std::move(TraceBuilder()).Seal(), {}).rows.empty()) << report.name;
  }
  EXPECT_EQ(FindStatsReport("cuda"), nullptr);
}

// The headers of `nsys stats --format csv`, which scripts look for.
TEST(StatsDocumentTest, CsvIsThatOfNsys) {
  const Trace trace = SmallRecording();
  for (const auto& [name, headers] : std::vector<std::pair<std::string, std::string>>{
           {"cuda_api_sum", "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name"},
           {"cuda_gpu_kern_sum", "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name"},
           {"cuda_gpu_mem_time_sum",
            "Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Operation"},
           {"cuda_gpu_mem_size_sum", "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation"}}) {
    const StatsReport* report = FindStatsReport(name);
    const Document document = MakeStatsDocument({{report, report->make(trace, {})}});
    const Table& table = std::get<Table>(document.blocks.at(0));
    EXPECT_TRUE(table.csv_as_read) << name;
    std::string text;
    for (const Column& column : table.columns) text += (text.empty() ? "" : ",") + column.header;
    EXPECT_EQ(text, headers) << name;
  }
}

TEST(StatsDocumentTest, LimitCutsEveryForm) {
  const Trace trace = SmallRecording();
  const Document document = MakeStatsDocument({{FindStatsReport("cuda_api_sum"), ApiCallSummary(trace, {})}}, 2);
  EXPECT_EQ(document.data["reports"][0]["rows"].size(), 2u);
  const Table& table = std::get<Table>(document.blocks.at(0));
  EXPECT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.footnote, "1 more row: --limit 0 shows all.");
}

TEST(StatsDocumentTest, TimesAreWholeInJson) {
  const Trace trace = SmallRecording();
  const Document document = MakeStatsDocument({{FindStatsReport("cuda_gpu_mem_time_sum"), GpuMemoryTimeSummary(trace, {})}});
  const nlohmann::ordered_json& row = document.data["reports"][0]["rows"][0];
  EXPECT_EQ(row["med_ns"], 8);
  EXPECT_EQ(row["total_ns"], 15);
  EXPECT_EQ(row["time_share"], 1.0);
}

TEST(StatsReportsTest, FunctionsBySamples) {
  HandMadeTrace make;
  make.Sample(10, {"main", "work", "leaf"});
  make.Sample(20, {"main", "work"});
  make.Sample(30, {"main", "work", "work", "leaf"});  // counts once
  make.Sample(40, {});
  make.Sample(500, {"main"});
  const Trace trace = make.Seal();
  Selection selection;
  selection.range = Interval{0, 100};
  const Table table = CpuSampleSummary(trace, selection);
  ASSERT_EQ(table.rows.size(), 4u);
  const auto row = [&](const char* function, int64_t self, int64_t total) {
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& one) {
      return one[4] == Cell(std::string(function)) && one[1] == Cell(self) && one[3] == Cell(total) &&
             one[0] == Cell(static_cast<double>(self) / 4) && one[2] == Cell(static_cast<double>(total) / 4);
    });
  };
  EXPECT_TRUE(row("leaf", 2, 2));
  EXPECT_TRUE(row("work", 1, 3));
  EXPECT_TRUE(row("main", 0, 3));
  EXPECT_TRUE(row("[no stack recorded]", 1, 1));
  EXPECT_EQ(table.rows[0][4], Cell(std::string("leaf")));
  EXPECT_TRUE(CpuSampleSummary(HandMadeTrace().Seal(), {}).rows.empty());
}

}  // namespace
}  // namespace warpsight
