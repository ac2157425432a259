// Peak anonymous memory of one import, and the resident peak, measured in a child process that does nothing else.
//
// Anonymous is what the program itself asked for. Pages of a mapped file and the page cache do not count: the kernel can
// drop them at any time. Linux keeps no peak of it, so a thread samples /proc/self/statm (resident - shared) every 500 us;
// the resident peak (VmHWM) is the kernel's own and bounds it from above.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>

#include "base/process_memory.h"
#include "bench_trace.h"
#include "formats/open_trace.h"

namespace warpsight::bench {
namespace {

// What is measured is the program, which does this first thing in main().
[[maybe_unused]] const bool memory_prepared = (PrepareProcessMemory(), true);

struct Peak {
  int64_t anonymous_bytes = 0;
  int64_t resident_bytes = 0;
  bool ok = false;
};

int64_t AnonymousBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long long size_pages = 0;
  long long resident_pages = 0;
  long long shared_pages = 0;
  if (file == nullptr) return 0;
  const int fields = std::fscanf(file, "%lld %lld %lld", &size_pages, &resident_pages, &shared_pages);
  std::fclose(file);
  return fields == 3 ? (resident_pages - shared_pages) * sysconf(_SC_PAGESIZE) : 0;
}

Peak ImportAndWatch(const std::string& path, int threads) {
  Peak peak;
  std::atomic<bool> done = false;
  std::thread sampler([&] {
    while (!done.load()) {
      peak.anonymous_bytes = std::max(peak.anonymous_bytes, AnonymousBytes());
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
  });
  ImportOptions options;
  options.threads = threads;
  const Result<warpsight::Trace> trace = OpenTrace(path, options);
  done.store(true);
  sampler.join();
  peak.anonymous_bytes = std::max(peak.anonymous_bytes, AnonymousBytes());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  peak.resident_bytes = int64_t{usage.ru_maxrss} * 1024;
  peak.ok = trace.ok();
  return peak;
}

// In a fresh child, because the heap of this process remembers earlier imports.
Peak PeakOfImport(const std::string& path, int threads) {
  Peak peak;
  int ends[2];
  if (pipe(ends) != 0) return peak;
  const pid_t child = fork();
  if (child == 0) {
    const Peak measured = ImportAndWatch(path, threads);
    _exit(write(ends[1], &measured, sizeof measured) == sizeof measured ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &peak, sizeof peak) != sizeof peak) peak = {};
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return peak;
}

void Measure(benchmark::State& state, const std::string& path) {
  Peak peak;
  for (auto _ : state) peak = PeakOfImport(path, static_cast<int>(state.range(0)));
  if (!peak.ok) return state.SkipWithError("the import failed");
  state.counters["anonymous_MB"] = static_cast<double>(peak.anonymous_bytes) / 1e6;
  state.counters["resident_MB"] = static_cast<double>(peak.resident_bytes) / 1e6;
  state.counters["of_json_size"] = static_cast<double>(peak.anonymous_bytes) / static_cast<double>(GetBenchTrace().bytes());
}

void BM_PeakOfFile(benchmark::State& state) { Measure(state, GetBenchTrace().path()); }

void BM_PeakOfGzip(benchmark::State& state) {
  const std::string path = GetBenchTrace().gzip_path();
  if (path.empty()) return state.SkipWithError("no .gz beside the trace");
  Measure(state, path);
}

BENCHMARK(BM_PeakOfFile)->Arg(1)->Arg(0)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PeakOfGzip)->Arg(1)->Arg(0)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpsight::bench
