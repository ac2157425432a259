#include "analysis/memory/memory_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "analysis/hand_made_trace.h"
#include "analysis/memory/memory_document.h"
#include "analysis/stats/stats_reports.h"
#include "base/gpu_counter_names.h"
#include "base/memory_counter_names.h"

namespace warpsight {
namespace {

// Samples of one counter.
class MemorySeries {
 public:
  MemorySeries(HandMadeTrace& make, std::string_view name, int32_t device, std::string_view unit = kBytesUnit)
      : make_(make) {
    CounterSeries series;
    series.name = make.builder().Intern(name);
    series.unit = make.builder().Intern(unit);
    series.device = device;
    index_ = make.builder().names().InternCounter(series);
  }
  void Add(Ns time, int64_t bytes) {
    make_.builder().shard().counters.AddInteger(index_, time, bytes);
    make_.builder().shard().log.CountRead();
  }

 private:
  HandMadeTrace& make_;
  CounterIndex index_ = 0;
};

MemoryResult MemoryOf(const Trace& trace, const Selection& selection = {}) {
  Analysis analysis(trace, selection);
  const Result<MemoryResult>& memory = analysis.Get<MemoryPass>();
  EXPECT_TRUE(memory.ok()) << memory.status().message();
  return memory.ok() ? *memory : MemoryResult{};
}

TEST(MemoryPassTest, PeaksAndWhen) {
  HandMadeTrace make;
  make.Op("op", {0, 1000});
  MemorySeries used(make, NameOf(GpuCounter::kMemoryUsed).name, 0);
  MemorySeries allocated(make, kPytorchMemory.allocated, 0);
  MemorySeries clock(make, NameOf(GpuCounter::kMemoryClock).name, 0, "MHz");
  for (const auto& [time, bytes] : {std::pair{10, 5}, {20, 9}, {30, 9}, {40, 2}, {50, 7}}) {
    used.Add(time, bytes * 100);
    allocated.Add(time, bytes);
    clock.Add(time, 1000);
  }
  const Trace trace = make.Seal();
  const MemoryResult all = MemoryOf(trace);
  ASSERT_EQ(all.usage.size(), 2u);
  EXPECT_EQ(all.usage[0].name, kPytorchMemory.allocated);
  EXPECT_TRUE(all.usage[0].of_allocator);
  EXPECT_EQ(all.usage[0].peak_bytes, 9);
  EXPECT_EQ(all.usage[0].peak_ns, 20);
  EXPECT_EQ(all.usage[0].least_bytes, 2);
  EXPECT_EQ(all.usage[0].first_bytes, 5);
  EXPECT_EQ(all.usage[0].last_bytes, 7);
  EXPECT_EQ(all.usage[0].samples, 5);
  EXPECT_EQ(all.usage[0].device_bytes, std::nullopt);
  EXPECT_EQ(all.usage[1].peak_bytes, 900);
  EXPECT_FALSE(all.usage[1].of_allocator);
  // The value from before the window is the highest in it, from its start on.
  const MemoryResult part = MemoryOf(trace, {Interval{35, 60}, {}});
  EXPECT_EQ(part.usage[0].peak_bytes, 9);
  EXPECT_EQ(part.usage[0].peak_ns, 35);
  EXPECT_EQ(part.usage[0].samples, 2);
  EXPECT_EQ(MemoryOf(trace, {Interval{40, 60}, {}}).usage[0].peak_bytes, 7);
  EXPECT_EQ(MemoryOf(trace, {Interval{0, 5}, {}}).usage.size(), 0u);
  EXPECT_EQ(MemoryOf(trace, {{}, 1}).usage.size(), 0u);
}

TEST(MemoryPassTest, PeaksEqualThePlainReading) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    HandMadeTrace make;
    make.Op("op", {0, 1000});
    MemorySeries series(make, "memory used", 0);
    std::map<Ns, int64_t> samples;
    for (int i = 0; i < 40; ++i) samples[static_cast<Ns>(random() % 1000)] = static_cast<int64_t>(random() % 50);
    for (const auto& [time, bytes] : samples) series.Add(time, bytes);
    const Trace trace = make.Seal();
    const Ns start = static_cast<Ns>(random() % 1000);
    const Interval range{start, start + 1 + static_cast<Ns>(random() % 300)};
    // The value at every ns of the window.
    std::optional<std::pair<int64_t, Ns>> peak;
    int64_t least = 50;
    for (Ns at = range.start; at < range.end; ++at) {
      const auto next = samples.upper_bound(at);
      if (next == samples.begin()) continue;
      const int64_t bytes = std::prev(next)->second;
      least = std::min(least, bytes);
      if (!peak || bytes > peak->first) peak = {bytes, at};
    }
    const MemoryResult memory = MemoryOf(trace, {range, {}});
    ASSERT_EQ(memory.usage.size(), peak ? 1u : 0u);
    if (!peak) continue;
    EXPECT_EQ(memory.usage[0].peak_bytes, peak->first);
    EXPECT_EQ(memory.usage[0].peak_ns, peak->second);
    EXPECT_EQ(memory.usage[0].least_bytes, least);
  }
}

TEST(MemoryPassTest, CopiesAddUpToTheReportsOfStats) {
  HandMadeTrace make;
  const auto copy = [&make](CopyKind kind, MemoryKind from, Interval time, int64_t bytes) {
    GpuWorkRow row;
    row.kind = GpuKind::kMemcpy;
    row.copy_kind = kind;
    row.source_memory = from;
    row.bytes = bytes;
    make.Work(row, "copy", time, 0);
  };
  copy(CopyKind::kHostToDevice, MemoryKind::kPageable, {0, 100}, 1000);
  copy(CopyKind::kHostToDevice, MemoryKind::kPageable, {100, 400}, 3000);
  copy(CopyKind::kHostToDevice, MemoryKind::kPinned, {400, 500}, 8000);
  copy(CopyKind::kDeviceToHost, MemoryKind::kDevice, {500, 510}, kAbsent);
  make.Work(GpuKind::kMemset, "Memset", {600, 605}, 0);
  make.Kernel("k", {700, 900});
  const Trace trace = make.Seal();
  const MemoryResult all = MemoryOf(trace);
  ASSERT_EQ(all.copies.size(), 4u);
  EXPECT_EQ(all.copies[0].source, MemoryKind::kPageable);
  EXPECT_EQ(all.copies[0].count, 2);
  EXPECT_EQ(all.copies[0].bytes, 4000);
  EXPECT_DOUBLE_EQ(all.copies[0].bytes_per_s.value_or(0), 1e10);
  EXPECT_EQ(all.copies[0].longest, 1u);
  EXPECT_EQ(all.copies[2].bytes, std::nullopt);
  EXPECT_EQ(all.copies[2].bytes_per_s, std::nullopt);
  for (const Selection& selection : {Selection{}, Selection{Interval{50, 450}, {}}}) {
    const MemoryResult memory = MemoryOf(trace, selection);
    double bytes = 0;
    int64_t count = 0;
    for (const MemoryCopies& copies : memory.copies) {
      bytes += static_cast<double>(copies.bytes.value_or(0));
      count += copies.bytes ? copies.count : 0;
    }
    double stats_bytes = 0;
    int64_t stats_count = 0;
    for (const Row& row : FindStatsReport("cuda_gpu_mem_size_sum")->make(trace, selection).rows) {
      stats_bytes += std::get<double>(row[0]) * 1e6;
      stats_count += std::get<int64_t>(row[1]);
    }
    EXPECT_DOUBLE_EQ(bytes, stats_bytes);
    EXPECT_EQ(count, stats_count);
  }
}

TEST(MemoryPassTest, AllocationsInSteps) {
  HandMadeTrace make;
  make.Api("cudaMalloc", {0, 50}, 0);
  for (int step = 0; step < 3; ++step) {
    const Ns at = 100 + step * 100;
    make.Range("ProfilerStep#" + std::to_string(step), {at, at + 90});
    make.Api("cudaMalloc", {at + 10, at + 20}, 0);
    make.Api("cudaFree", {at + 30, at + 35}, 0);
    make.Api("cudaLaunchKernel", {at + 40, at + 45}, 0);
  }
  const Trace trace = make.Seal();
  const MemoryResult memory = MemoryOf(trace);
  ASSERT_EQ(memory.calls.size(), 2u);
  EXPECT_EQ(memory.calls[0].name, "cudaMalloc");
  EXPECT_EQ(memory.calls[0].calls, 4);
  EXPECT_EQ(memory.calls[0].time_ns, 80);
  EXPECT_EQ(memory.calls[0].calls_in_steps, 3);
  EXPECT_EQ(memory.calls[0].in_steps_ns, 30);
  EXPECT_EQ(memory.steps, 3);
  const nlohmann::ordered_json data = MakeMemoryDocument(memory).data;
  EXPECT_EQ(data["calls"][1]["name"], "cudaFree");
  EXPECT_EQ(data["usage"].size(), 0u);
}

TEST(MemoryPassTest, ARecordingThatSaysNothingOfIt) {
  HandMadeTrace make;
  make.Op("op", {0, 10});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(analysis.Get<MemoryPass>().status().kind(), StatusKind::kLacks);
}

}  // namespace
}  // namespace warpsight
