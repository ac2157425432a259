// nsys exports of other people: every one opens with all of its rows, and the summaries are what `nsys stats` printed of
// them.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/stats/stats_reports.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::nsys_recordings_test {
namespace {

std::vector<std::string> RecordingsEndingIn(std::string_view extension) {
  std::vector<std::string> files;
  for (const std::string& file : testing::SharedFiles("public/nsys")) {
    if (std::filesystem::path(file).extension() == extension) files.push_back(file);
  }
  return files;
}

// Rows of a table by plain SQL; 0 when there is no such table.
int64_t CountRows(const std::string& file, const std::string& table, const std::string& where = "1") {
  sqlite3* handle = nullptr;
  const std::string uri = "file:" + file + "?immutable=1";
  EXPECT_EQ(sqlite3_open_v2(uri.c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  int64_t count = 0;
  const std::string sql = "SELECT count(*) FROM " + table + " WHERE " + where;
  if (sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
    count = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return count;
}

int64_t CountHost(const Trace& trace, HostKind kind) {
  return std::count(trace.host().kind.begin(), trace.host().kind.end(), kind);
}
int64_t CountGpu(const Trace& trace, GpuKind kind) {
  return std::count(trace.gpu().kind.begin(), trace.gpu().kind.end(), kind);
}

TEST(NsysRecordingsTest, EveryExportOpensWithAllOfItsRows) {
  const std::vector<std::string> files = RecordingsEndingIn(".sqlite");
  if (files.empty()) GTEST_SKIP() << "no recordings at " << testing::SharedData();
  for (const std::string& file : files) {
    const Result<Trace> trace = OpenTrace(file, {});
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    EXPECT_EQ(CountGpu(*trace, GpuKind::kKernel),
              CountRows(file, "CUPTI_ACTIVITY_KIND_KERNEL") + CountRows(file, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"))
        << file;
    EXPECT_EQ(CountGpu(*trace, GpuKind::kMemcpy), CountRows(file, "CUPTI_ACTIVITY_KIND_MEMCPY")) << file;
    EXPECT_EQ(CountGpu(*trace, GpuKind::kMemset), CountRows(file, "CUPTI_ACTIVITY_KIND_MEMSET")) << file;
    const int64_t backtraces = CountRows(file, "CUPTI_ACTIVITY_KIND_RUNTIME", "eventClass = 67");
    EXPECT_EQ(CountHost(*trace, HostKind::kApi), CountRows(file, "CUPTI_ACTIVITY_KIND_RUNTIME") - backtraces) << file;
    EXPECT_EQ(CountHost(*trace, HostKind::kOther), CountRows(file, "OSRT_API", "eventClass = 27") + backtraces) << file;
    EXPECT_EQ(CountHost(*trace, HostKind::kRange) + CountHost(*trace, HostKind::kOp),
              CountRows(file, "NVTX_EVENTS", "eventType IN (59, 60, 70, 71)"))
        << file;
    EXPECT_EQ(trace->cpu_samples().size(), CountRows(file, "COMPOSITE_EVENTS")) << file;
    int64_t stack_rows = 0;
    for (StackIndex stack : trace->cpu_samples().stack) {
      for (; stack != 0; stack = trace->stacks().frame(stack).parent) ++stack_rows;
    }
    EXPECT_EQ(stack_rows, CountRows(file, "SAMPLING_CALLCHAINS")) << file;
    // Every launch that is in the file is found: the join on process and id, by plain SQL.
    const int64_t joined =
        CountRows(file, "CUPTI_ACTIVITY_KIND_KERNEL k",
                  "EXISTS (SELECT 1 FROM CUPTI_ACTIVITY_KIND_RUNTIME r WHERE r.correlationId = k.correlationId AND "
                  "r.globalTid >> 24 = k.globalPid >> 24)");
    int64_t launched = 0;
    for (uint32_t row = 0; row < trace->gpu().size(); ++row) {
      launched += trace->gpu().kind[row] == GpuKind::kKernel && trace->gpu().launch[row] != kNoRow ? 1 : 0;
    }
    if (CountRows(file, "CUPTI_ACTIVITY_KIND_KERNEL", "globalPid IS NOT NULL") > 0) EXPECT_EQ(launched, joined) << file;
    EXPECT_EQ(trace->log().repaired(), 0) << file;
  }
}

TEST(NsysRecordingsTest, ReportsSayWhatToRun) {
  std::vector<std::string> files = RecordingsEndingIn(".nsys-rep");
  const std::vector<std::string> old = RecordingsEndingIn(".qdrep");
  files.insert(files.end(), old.begin(), old.end());
  if (files.empty()) GTEST_SKIP() << "no recordings at " << testing::SharedData();
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  for (const std::string& file : files) {
    const Result<Trace> trace = OpenTrace(file, {});
    ASSERT_FALSE(trace.ok());
    EXPECT_EQ(trace.status().kind(), StatusKind::kLacks);
    EXPECT_NE(trace.status().message().find("nsys export"), std::string::npos);
  }
  setenv("PATH", path.c_str(), 1);
}

// The tables of a text that `nsys stats` printed: rows of cells by report, cut where the line of dashes says.
std::map<std::string, std::vector<std::vector<std::string>>> ReadPrintedReports(const std::filesystem::path& path) {
  std::map<std::string, std::vector<std::vector<std::string>>> reports;
  std::string report;
  std::vector<std::pair<size_t, size_t>> columns;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(" ** ", 0) == 0) {
      const size_t open = line.rfind('(');
      report = line.substr(open + 1, line.rfind(')') - open - 1);
      columns.clear();
    } else if (line.rfind(" ---", 0) == 0 && !report.empty()) {
      for (size_t at = 1; at < line.size() && line[at] == '-'; at = line.find('-', at)) {
        const size_t end = std::min(line.find(' ', at), line.size());
        columns.emplace_back(at, end);
        at = end;
      }
    } else if (line.find_first_not_of(" \r") == std::string::npos) {
      if (!columns.empty()) report.clear();
      columns.clear();
    } else if (!columns.empty()) {
      std::vector<std::string> cells;
      for (size_t i = 0; i < columns.size(); ++i) {
        const bool last = i + 1 == columns.size();  // the name is as wide as it is
        std::string cell = line.substr(columns[i].first, last ? std::string::npos : columns[i].second - columns[i].first);
        cell.erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
        cell.erase(cell.find_last_not_of(" \r") + 1);
        if (!last) std::erase(cell, ',');
        cells.push_back(cell);
      }
      reports[report].push_back(cells);
    }
  }
  return reports;
}

void ExpectPrinted(const Cell& ours, const Column& column, const std::string& printed) {
  if (const auto* text = std::get_if<std::string>(&ours)) {
    constexpr std::string_view kEllipsis = "…";
    if (printed.ends_with(kEllipsis)) {
      EXPECT_EQ(text->substr(0, printed.size() - kEllipsis.size()), printed.substr(0, printed.size() - kEllipsis.size()));
    } else {
      EXPECT_EQ(*text, printed);
    }
    return;
  }
  const auto* integer = std::get_if<int64_t>(&ours);
  double value = integer != nullptr ? static_cast<double>(*integer) : std::get<double>(ours);
  if (column.kind == ColumnKind::kShare) value *= 100;
  const size_t point = printed.find('.');
  const double unit = point == std::string::npos ? 1 : std::pow(10.0, -static_cast<double>(printed.size() - point - 1));
  // Half a unit of the last digit, and what a binary fraction may lack of it.
  EXPECT_NEAR(value, std::stod(printed), unit * 0.500001) << column.header;
}

struct PrintedRecording {
  std::string_view recording;
  std::string_view text;
  std::vector<std::string_view> reports;
};

TEST(NsysRecordingsTest, StatsAreWhatNsysPrinted) {
  const std::vector<PrintedRecording> recordings = {
      {"zx3_result_2_7B",
       "zx3_nsys_stats",
       {"osrt_sum", "cuda_api_sum", "cuda_gpu_kern_sum", "cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum"}},
      {"zx3_result_2_7B_clean", "zx3_nsys_stats_clean", {"osrt_sum", "cuda_api_sum", "cuda_gpu_kern_sum"}},
      {"ppcu_lab7_report1", "ppcu_lab7_report1_stats", {"osrt_sum"}},
  };
  int64_t rows = 0;
  for (const PrintedRecording& recording : recordings) {
    const std::filesystem::path folder = testing::SharedData() / "public";
    const std::string file = (folder / "nsys" / (std::string(recording.recording) + ".sqlite")).string();
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "no recordings at " << testing::SharedData();
    const Result<Trace> trace = OpenTrace(file, {});
    ASSERT_TRUE(trace.ok());
    auto printed = ReadPrintedReports(folder / "text" / (std::string(recording.text) + ".txt"));
    for (const std::string_view name : recording.reports) {
      SCOPED_TRACE(std::string(recording.recording) + " " + std::string(name));
      const Table table = FindStatsReport(name)->make(*trace, {});
      const std::vector<std::vector<std::string>>& expected = printed[std::string(name)];
      ASSERT_EQ(table.rows.size(), expected.size());
      for (size_t row = 0; row < expected.size(); ++row) {
        SCOPED_TRACE(expected[row].back());
        ASSERT_EQ(table.columns.size(), expected[row].size());
        for (size_t column = 0; column < table.columns.size(); ++column)
          ExpectPrinted(table.rows[row][column], table.columns[column], expected[row][column]);
        ++rows;
      }
    }
  }
  EXPECT_EQ(rows, 162);
}

}  // namespace
}  // namespace warpsight::nsys_recordings_test
