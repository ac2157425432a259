// Whatever the importers make of the kept inputs of the fuzz targets can be exported: no crash, valid JSON that opens again,
// a Perfetto file in order, tables with as many fields a row as the header has.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "csv_rows.h"
#include "export/exports.h"
#include "export/hostile_traces.h"
#include "export/plain_perfetto.h"
#include "hostile/made_capture.h"
#include "hostile/sample_files.h"
#include "hostile/trace_dump.h"

namespace warpsight::testing::export_corpus_test {
namespace {

void ExpectAllFormats(const Trace& trace) {
  const Exported chrome = ExportTo("chrome", trace);
  EXPECT_TRUE(nlohmann::json::accept(chrome.bytes));
  const Result<Trace> again = OpenTraceBytes(chrome.bytes, "again.json", {});
  ASSERT_TRUE(again.ok()) << again.status().message();
  const std::string& producer = trace.recording().producer;
  if (chrome.outcome.lost.empty() && (producer == "chrome-trace" || producer == "pytorch-profiler")) {
    EXPECT_EQ(FirstDifference(DumpModel(trace), DumpModel(*again)), "");
  }
  const PlainPerfetto perfetto(ExportTo("perfetto", trace).bytes);
  for (const std::string& problem : perfetto.problems) ADD_FAILURE() << problem;
  EXPECT_EQ(perfetto.slices.size(), size_t{trace.host().size()} + trace.gpu().size() + trace.gpu_spans().size());
  for (const std::string& table : FindExporter("csv")->tables()) {
    const CsvRows rows = ParseCsv(ExportTable(trace, table));
    ASSERT_FALSE(rows.empty()) << table;
    for (const std::vector<std::string>& row : rows) ASSERT_EQ(row.size(), rows.front().size()) << table;
  }
}

// An input as its target gives it to the importer: the first byte says how, and some begin with words of their format.
std::string InputOf(const std::string& target, std::string bytes) {
  const bool as_records = !bytes.empty() && bytes[0] % 2 == 0;
  bytes.erase(0, 1);
  if (target == "capture_fuzz" && as_records) return CaptureOfRecords(bytes);
  const std::string_view magic = target == "capture_fuzz"       ? wire::kFileMagic
                                 : target == "nsys_sqlite_fuzz" ? std::string_view("SQLite format 3\0", 16)
                                                                : std::string_view();
  if (bytes.size() >= magic.size()) bytes.replace(0, magic.size(), magic);
  return bytes;
}

TEST(ExportCorpusTest, EveryKeptInputIsExported) {
  int exported = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("tests/fuzz/corpus")) {
    if (!entry.is_regular_file()) continue;
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string kept{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::string bytes = InputOf(entry.path().parent_path().filename().string(), kept);
    const Result<Trace> trace = OpenTraceBytes(bytes, "corpus", {});
    if (!trace.ok()) continue;
    ExpectAllFormats(*trace);
    ++exported;
  }
  std::cout << exported << " inputs exported\n";
  EXPECT_GT(exported, 15);
}

TEST(ExportCorpusTest, HostileTracesAreExported) {
  for (const MadeTrace& made : HostileTraces()) {
    SCOPED_TRACE(made.name);
    ExpectAllFormats(made.trace);
  }
}

TEST(ExportCorpusTest, CutOffFilesAreExported) {
  const std::string bytes = ReadText(WARPSIGHT_TESTDATA_DIR "/kineto_small.json");
  for (size_t size = 0; size < bytes.size(); size += 211) {
    const Result<Trace> trace = OpenTraceBytes(std::string_view(bytes).substr(0, size), "cut", {});
    if (trace.ok()) ExpectAllFormats(*trace);
  }
}

}  // namespace
}  // namespace warpsight::testing::export_corpus_test
