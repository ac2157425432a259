// What the analyses of `report` cost beside the import of the same trace, in the same run: an iteration imports the trace
// and makes the report document, and the ratios shown are the medians over the iterations. A ratio of processor time hardly
// changes when other programs run beside; the times of single passes (those of the passes that they ask included) are the
// last iteration's.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "analysis/pass.h"
#include "bench_trace.h"
#include "cost.h"
#include "diagnosis/report_document.h"
#include "formats/open_trace.h"

namespace warpsight::bench {
namespace {

// Arguments: rows of the page's tables, 0 = text alone; whether JSON is made.
void BM_ReportPasses(benchmark::State& state) {
  std::vector<double> cpu_ratios;
  std::vector<double> wall_ratios;
  std::vector<PassTiming> timings;
  for (auto _ : state) {
    std::vector<Trace> kept;
    const Cost import = CostOf([&] {
      Result<Trace> trace = OpenTrace(GetBenchTrace().path(), {});
      if (trace.ok()) kept.push_back(std::move(trace).value());
    });
    if (kept.empty()) return state.SkipWithError("the trace does not open");
    Analysis analysis(kept.front(), {});
    const Cost report = CostOf([&] {
      ReportOptions options;
      options.page_rows = state.range(0);
      options.data = state.range(1) != 0;
      benchmark::DoNotOptimize(MakeReportDocument(analysis, options));
    });
    state.SetIterationTime(report.wall_seconds);
    cpu_ratios.push_back(report.cpu_seconds / import.cpu_seconds);
    wall_ratios.push_back(report.wall_seconds / import.wall_seconds);
    timings = analysis.timings();
  }
  state.counters["of_import"] = Median(wall_ratios);
  state.counters["of_import_by_cpu_time"] = Median(cpu_ratios);
  for (const PassTiming& timing : timings) {
    const double milliseconds = static_cast<double>(timing.wall_ns) / 1e6;
    if (milliseconds >= 0.1) state.counters[std::string(timing.pass) + "_ms"] = milliseconds;
  }
}

constexpr int kIterations = 9;
BENCHMARK(BM_ReportPasses)
    ->Args({0, 0})
    ->Args({0, 1})
    ->Args({1000, 0})
    ->UseManualTime()
    ->Iterations(kIterations)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpsight::bench
