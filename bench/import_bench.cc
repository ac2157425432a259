// Import speed, each measurement beside the bare scan of the same bytes in the same run, so that the ratios hold on a noisy
// machine: an iteration runs both, and the ratio shown is the median over the iterations.
//
// The bare scan is simdjson On-Demand over traceEvents, one thread, that looks at name, ts and dur of every event and keeps
// nothing: what any reader built on that library must pay at least.
#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "bench_trace.h"
#include "cost.h"
#include "formats/open_trace.h"

namespace warpsight::bench {
namespace {

// The text in memory with the padding that simdjson wants.
const simdjson::padded_string& Text() {
  static const simdjson::padded_string text = simdjson::padded_string::load(GetBenchTrace().path()).take_value();
  return text;
}

void BareScan() {
  static simdjson::ondemand::parser parser;
  simdjson::ondemand::document document = parser.iterate(Text());
  size_t name_bytes = 0;
  double microseconds = 0;
  for (simdjson::ondemand::object event : document["traceEvents"].get_array()) {
    std::string_view name;
    double number = 0;
    if (event["name"].get_string().get(name) == simdjson::SUCCESS) name_bytes += name.size();
    if (event["ts"].get_double().get(number) == simdjson::SUCCESS) microseconds += number;
    if (event["dur"].get_double().get(number) == simdjson::SUCCESS) microseconds += number;
  }
  benchmark::DoNotOptimize(name_bytes);
  benchmark::DoNotOptimize(microseconds);
}

void Require(benchmark::State& state, const Result<Trace>& trace) {
  if (!trace.ok()) state.SkipWithError(trace.status().message().c_str());
}

void ImportText(benchmark::State& state, int threads) {
  ImportOptions options;
  options.threads = threads;
  Require(state, OpenTraceBytes(std::string_view(Text()), "bench", options));
}

void ImportFile(benchmark::State& state, const std::string& path, int threads) {
  ImportOptions options;
  options.threads = threads;
  Require(state, OpenTrace(path, options));
}

void Inflate(benchmark::State& state, const std::string& path) {
  Result<std::unique_ptr<ByteSource>> source = OpenByteSource(path);
  std::vector<char> block(size_t{1} << 20);
  while (source.ok() && source.value()->Read(block.data(), block.size()) > 0) benchmark::DoNotOptimize(block.data());
  if (!source.ok()) state.SkipWithError(source.status().message().c_str());
}

// Runs `work` beside `base` and reports its speed, and base time / work time under `ratio_name`.
template <typename Work, typename Base>
void Compare(benchmark::State& state, const std::string& ratio_name, const Work& work, const Base& base) {
  std::vector<double> ratios;
  std::vector<double> cpu_ratios;
  std::vector<double> seconds;
  for (auto _ : state) {
    const Cost base_cost = base();
    const Cost cost = CostOf(work);
    state.SetIterationTime(cost.wall_seconds);
    seconds.push_back(cost.wall_seconds);
    ratios.push_back(base_cost.wall_seconds / cost.wall_seconds);
    cpu_ratios.push_back(base_cost.cpu_seconds / cost.cpu_seconds);
  }
  state.counters["GB_per_s"] = static_cast<double>(Text().size()) / 1e9 / Median(seconds);
  state.counters[ratio_name] = Median(ratios);
  state.counters["by_cpu_time"] = Median(cpu_ratios);
}

void BM_BareScan(benchmark::State& state) {
  std::vector<double> seconds;
  for (auto _ : state) {
    seconds.push_back(CostOf(BareScan).wall_seconds);
    state.SetIterationTime(seconds.back());
  }
  state.counters["GB_per_s"] = static_cast<double>(Text().size()) / 1e9 / Median(seconds);
}

// Argument: worker threads, 0 = one a core.
void BM_ImportMemory(benchmark::State& state) {
  const int threads = static_cast<int>(state.range(0));
  Compare(
      state, "of_bare_scan", [&] { ImportText(state, threads); }, [] { return CostOf(BareScan); });
}

void BM_ImportFile(benchmark::State& state) {
  const int threads = static_cast<int>(state.range(0));
  Compare(
      state, "of_bare_scan", [&] { ImportFile(state, GetBenchTrace().path(), threads); }, [] { return CostOf(BareScan); });
}

void BM_Inflate(benchmark::State& state) {
  const std::string path = GetBenchTrace().gzip_path();
  if (path.empty()) return state.SkipWithError("no .gz beside the trace");
  Compare(
      state, "of_bare_scan", [&] { Inflate(state, path); }, [] { return CostOf(BareScan); });
}

// Against the slower of its two halves alone: inflating, and importing the inflated file with as many threads.
void BM_ImportGzip(benchmark::State& state) {
  const std::string path = GetBenchTrace().gzip_path();
  const int threads = static_cast<int>(state.range(0));
  if (path.empty()) return state.SkipWithError("no .gz beside the trace");
  const auto slower_half = [&] {
    const Cost inflate = CostOf([&] { Inflate(state, path); });
    const Cost parse = CostOf([&] { ImportFile(state, GetBenchTrace().path(), threads); });
    return inflate.wall_seconds > parse.wall_seconds ? inflate : parse;
  };
  Compare(
      state, "of_slower_half", [&] { ImportFile(state, path, threads); }, slower_half);
}

constexpr int kIterations = 9;
BENCHMARK(BM_BareScan)->UseManualTime()->Iterations(kIterations)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ImportMemory)->Arg(1)->Arg(0)->UseManualTime()->Iterations(kIterations)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ImportFile)->Arg(1)->Arg(0)->UseManualTime()->Iterations(kIterations)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Inflate)->UseManualTime()->Iterations(kIterations)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ImportGzip)->Arg(1)->Arg(0)->UseManualTime()->Iterations(kIterations)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpsight::bench
