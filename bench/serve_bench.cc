// What the server costs: building the index of a trace, and a tile of each of 500 recorded viewports.
//
// The viewports are a walk with a seed: fit, zooms in and out around a point, pans; each is asked of every track, at 1,500
// pixels. Set WARPSIGHT_BENCH_TRACE to a trace of 10 million events (bench/grow) for the figures of docs/performance.md.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bench_trace.h"
#include "cost.h"
#include "formats/open_trace.h"
#include "server/api/tile.h"
#include "server/api/track_list.h"

namespace warpsight::bench {
namespace {

constexpr int kViewports = 500;
constexpr int kPixels = 1500;
constexpr int64_t kLeastNs = 1000;

const Trace& GetTrace() {
  static const std::optional<Trace> trace = [] {
    Result<Trace> opened = OpenTrace(GetBenchTrace().path(), {});
    if (!opened.ok()) std::exit(3);
    return std::optional<Trace>(std::move(opened).value());
  }();
  return *trace;
}

std::vector<Interval> Walk(Interval whole) {
  std::mt19937_64 random(20261130);
  std::vector<Interval> views;
  const auto length = static_cast<double>(whole.duration());
  double from = 0;
  double span = length;
  for (int i = 0; i < kViewports; ++i) {
    const double share = static_cast<double>(random() % 1000) / 1000;
    switch (random() % 8) {
      case 0:  // fit
        from = 0;
        span = length;
        break;
      case 1:
      case 2:
      case 3: {  // in, around a point of the view
        const double next = std::max(span / static_cast<double>(2 + random() % 14), static_cast<double>(kLeastNs));
        from += share * (span - next);
        span = next;
        break;
      }
      case 4: {  // out
        const double next = std::min(span * static_cast<double>(2 + random() % 14), length);
        from -= share * (next - span);
        span = next;
        break;
      }
      default:  // along
        from += (share - 0.5) * span;
    }
    from = std::clamp(from, 0.0, length - span);
    const Ns start = whole.start + static_cast<Ns>(from);
    views.push_back({start, start + std::max<Ns>(1, static_cast<Ns>(span))});
  }
  return views;
}

void BM_Index(benchmark::State& state) {
  const Trace& trace = GetTrace();
  const int64_t events = int64_t{trace.host().size()} + trace.gpu().size() + trace.gpu_spans().size();
  size_t bytes = 0;
  for (auto _ : state) {
    const server::TrackList tracks(trace);
    bytes = tracks.index_bytes();
  }
  state.counters["events"] = static_cast<double>(events);
  state.counters["index_bytes_per_event"] = static_cast<double>(bytes) / static_cast<double>(std::max<int64_t>(1, events));
}
BENCHMARK(BM_Index)->Unit(benchmark::kMillisecond)->Iterations(3)->UseRealTime();

// Processor time of this thread, which other programs hardly change.
double ThreadMilliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

void BM_Tiles(benchmark::State& state) {
  const Trace& trace = GetTrace();
  const server::TrackList tracks(trace);
  const std::vector<Interval> views = Walk(trace.capture());
  std::vector<double> milliseconds;
  std::vector<double> cpu_milliseconds;
  size_t most_bytes = 0;
  for (auto _ : state) {
    for (const Interval& view : views) {
      for (size_t track = 0; track < tracks.tracks().size(); ++track) {
        const std::string text = fmt::format("track={}&start={}&end={}&px={}", track, view.start, view.end, kPixels);
        const double cpu_began = ThreadMilliseconds();
        const auto began = std::chrono::steady_clock::now();
        const Result<server::Query> query = server::Query::Parse(text);
        const Result<std::string> tile = server::TileAnswer(trace, tracks, *query);
        milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
        cpu_milliseconds.push_back(ThreadMilliseconds() - cpu_began);
        if (!tile.ok()) return state.SkipWithError("a tile is refused");
        most_bytes = std::max(most_bytes, tile->size());
      }
    }
  }
  std::ranges::sort(milliseconds);
  std::ranges::sort(cpu_milliseconds);
  const auto at = [](const std::vector<double>& sorted, double share) {
    return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  state.counters["requests"] = static_cast<double>(milliseconds.size());
  state.counters["p50_ms"] = at(milliseconds, 0.5);
  state.counters["p90_ms"] = at(milliseconds, 0.9);
  state.counters["p99_ms"] = at(milliseconds, 0.99);
  state.counters["p99_cpu_ms"] = at(cpu_milliseconds, 0.99);
  state.counters["max_ms"] = milliseconds.back();
  state.counters["largest_bytes"] = static_cast<double>(most_bytes);
}
BENCHMARK(BM_Tiles)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();

}  // namespace
}  // namespace warpsight::bench
