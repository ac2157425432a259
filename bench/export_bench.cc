// Export speed: bytes and rows a second of each format, thrown away and written to a file, on one thread, each iteration
// beside an import of the same trace on one thread, so that the ratio (bytes written a second to bytes imported a second)
// holds on a noisy machine. Also the memory that an export takes beyond its trace.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file_sink.h"
#include "bench_trace.h"
#include "cost.h"
#include "export/registry.h"
#include "formats/open_trace.h"

namespace warpsight::bench {
namespace {

// Of the heap, in arenas and mapped.
size_t HeldBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

class CountingSink final : public ByteSink {
 public:
  Status Write(std::string_view bytes) override {
    bytes_ += static_cast<int64_t>(bytes.size());
    most_held_ = std::max(most_held_, HeldBytes());
    return OkStatus();
  }
  int64_t bytes() const { return bytes_; }
  size_t most_held() const { return most_held_; }

 private:
  int64_t bytes_ = 0;
  size_t most_held_ = 0;
};

ImportOptions OneThread() {
  ImportOptions options;
  options.threads = 1;
  return options;
}

const Trace& ImportedTrace() {
  static const Trace trace = std::move(OpenTrace(GetBenchTrace().path(), OneThread())).value();
  return trace;
}

int64_t RowsOf(const ExportOutcome& outcome) {
  int64_t rows = 0;
  for (const auto& [table, count] : outcome.rows) rows += count;
  return rows;
}

// `write` exports once and returns the bytes written and the outcome.
template <typename Write>
void MeasureExport(benchmark::State& state, const Write& write) {
  std::vector<double> seconds;
  std::vector<double> ratios;
  std::vector<double> cpu_ratios;
  double bytes = 0;
  double rows = 0;
  ImportedTrace();
  for (auto _ : state) {
    const Cost import = CostOf([&] { benchmark::DoNotOptimize(OpenTrace(GetBenchTrace().path(), OneThread()).ok()); });
    const Cost cost = CostOf([&] {
      const auto [written, outcome] = write();
      bytes = static_cast<double>(written);
      rows = static_cast<double>(RowsOf(outcome));
    });
    state.SetIterationTime(cost.wall_seconds);
    seconds.push_back(cost.wall_seconds);
    const double written_share = bytes / static_cast<double>(GetBenchTrace().bytes());
    ratios.push_back(written_share * import.wall_seconds / cost.wall_seconds);
    cpu_ratios.push_back(written_share * import.cpu_seconds / cost.cpu_seconds);
  }
  state.counters["MB"] = bytes / 1e6;
  state.counters["MB_per_s"] = bytes / 1e6 / Median(seconds);
  state.counters["M_rows_per_s"] = rows / 1e6 / Median(seconds);
  state.counters["of_import"] = Median(ratios);
  state.counters["by_cpu_time"] = Median(cpu_ratios);
}

void BM_Export(benchmark::State& state, const char* format) {
  size_t held = 0;
  const size_t before = (ImportedTrace(), HeldBytes());
  MeasureExport(state, [&] {
    CountingSink sink;
    const Result<ExportOutcome> outcome = FindExporter(format)->Export(ImportedTrace(), {}, sink);
    held = std::max(held, sink.most_held());
    return std::pair(sink.bytes(), *outcome);
  });
  state.counters["MB_held"] = static_cast<double>(held > before ? held - before : 0) / 1e6;
}

void BM_ExportFile(benchmark::State& state, const char* format) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("warpsight_export_bench_" + std::to_string(getpid()))).string();
  MeasureExport(state, [&] {
    const std::unique_ptr<FileSink> sink = std::move(FileSink::Open(path)).value();
    const Result<ExportOutcome> outcome = FindExporter(format)->Export(ImportedTrace(), {}, *sink);
    if (!sink->Commit().ok()) state.SkipWithError("cannot write");
    return std::pair(sink->bytes(), *outcome);
  });
  std::filesystem::remove(path);
}

constexpr int kRuns = 7;
BENCHMARK_CAPTURE(BM_Export, perfetto, "perfetto")->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Export, chrome, "chrome")->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ExportFile, perfetto, "perfetto")->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ExportFile, chrome, "chrome")->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpsight::bench
