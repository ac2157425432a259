// Busy time, work and idle classes of every sample recording and of random ones, against the plain slow reference, to the
// nanosecond, for the whole capture, every step and random windows.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis/gpu_busy.h"
#include "analysis/idle_pass.h"
#include "analysis/steps_pass.h"
#include "formats/open_trace.h"
#include "reference/interval_reference.h"
#include "shared_data.h"
#include "trace/trace_builder.h"

namespace warpsight::busy_idle_reference_test {
namespace {

std::map<std::string, Ns> ClassSums(const IdleParts& parts, Ns busy_ns) {
  std::map<std::string, Ns> sums = {{"busy", busy_ns}};
  for (size_t kind = 0; kind < kIdleClassCount; ++kind) {
    sums[std::string(InfoOf(static_cast<IdleClass>(kind)).key)] += parts[kind];
  }
  std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
  return sums;
}

std::vector<Interval> WindowsOf(const Trace& trace, std::mt19937& random) {
  std::vector<Interval> windows = {trace.capture()};
  for (const StepWindow& step : FindSteps(trace).steps) windows.push_back(step.time);
  // Reaching over the capture's borders too.
  const Ns length = trace.capture().duration() + 200;
  std::uniform_int_distribution<Ns> point(trace.capture().start - 100, trace.capture().start + length);
  for (int i = 0; i < 20; ++i) {
    const Ns a = point(random);
    const Ns b = point(random);
    windows.push_back({std::min(a, b), std::max(a, b)});
  }
  return windows;
}

// What IdlePass says about one selected range, gaps and host names included.
void ExpectPassAddsUp(const Trace& trace, Interval window) {
  Selection selection;
  selection.range = window;
  Analysis analysis(trace, selection);
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  ASSERT_TRUE(idle.ok());
  for (const IdleDevice& device : idle->devices) {
    EXPECT_EQ(device.busy_ns + device.idle_ns, window.duration());
    EXPECT_EQ(Sum(device.classes), device.idle_ns);
    IdleParts of_gaps = {};
    for (const IdleGap& gap : LongestGaps(trace, device, device.gap_count)) {
      EXPECT_EQ(Sum(gap.parts), gap.time.duration());
      for (size_t kind = 0; kind < kIdleClassCount; ++kind) of_gaps[kind] += gap.parts[kind];
    }
    PartOf(of_gaps, IdleClass::kEdge) += window.duration() - Intersect(window, trace.capture()).duration();
    EXPECT_EQ(of_gaps, device.classes);
    for (IdleClass kind : {IdleClass::kSync, IdleClass::kRoundTrip, IdleClass::kHostWork, IdleClass::kLaunch}) {
      Ns named = 0;
      for (const HostTime& host : device.host_by_class[static_cast<size_t>(kind)]) named += host.time_ns;
      EXPECT_EQ(named, PartOf(device.classes, kind)) << InfoOf(kind).key;
    }
  }
}

// Adds to `seen` what the trace's devices spent their time on.
void ExpectSameAsReference(const Trace& trace, std::mt19937& random, std::map<std::string, Ns>& seen) {
  Analysis analysis(trace, {});
  const Result<GpuBusy>& busy = analysis.Get<GpuBusyPass>();
  const Result<std::vector<IdleTimeline>>& timelines = analysis.Get<IdleTimelinesPass>();
  if (trace.gpu().size() == 0) {
    EXPECT_FALSE(busy.ok());
    EXPECT_FALSE(timelines.ok());
    return;
  }
  ASSERT_TRUE(busy.ok());
  ASSERT_TRUE(timelines.ok());
  ASSERT_EQ(busy->devices.size(), timelines->size());
  const std::vector<Interval> windows = WindowsOf(trace, random);
  for (const IdleTimeline& timeline : *timelines) {
    const reference::IdleReference expected(trace, timeline.device());
    const DeviceBusy* of_device = busy->Find(timeline.device());
    ASSERT_NE(of_device, nullptr);
    for (const auto& [what, time] : expected.In(trace.capture())) seen[what] += time;
    for (Interval window : windows) {
      SCOPED_TRACE(::testing::Message() << "device " << timeline.device() << " window " << window.start << ".."
                                        << window.end);
      EXPECT_EQ(ClassSums(timeline.Cut(window), of_device->Busy(window)), expected.In(window));
      EXPECT_EQ(of_device->Work(window), expected.Work(window));
      EXPECT_EQ(of_device->Counts(window).kernels, expected.KernelStarts(window));
    }
  }
  ExpectPassAddsUp(trace, windows.front());
  ExpectPassAddsUp(trace, windows.back());
}

TEST(BusyIdleReferenceTest, SampleRecordings) {
  std::mt19937 random(11);
  std::map<std::string, Ns> seen;
  int compared = 0;
  for (const char* folder : {"h200/torch", "public/torch"}) {
    for (const std::string& path : testing::SharedFiles(folder)) {
      Result<Trace> trace = OpenTrace(path, {});
      if (!trace.ok()) continue;
      SCOPED_TRACE(path);
      ExpectSameAsReference(*trace, random, seen);
      ++compared;
    }
  }
  std::cout << compared << " recordings compared\n";
  if (compared == 0) GTEST_SKIP() << "no shared recordings";
}

// A recording in which everything that can go wrong does: streams overlap, devices share threads, launches are missing or
// later than their work, calls nest and overlap, records have no duration, and many times are equal.
class RandomRecording {
 public:
  explicit RandomRecording(unsigned seed)
      : random_(seed), scale_(1 + static_cast<Ns>(seed % 4) * 400), range_(25 + static_cast<Ns>(seed % 5) * 45) {}

  Trace Make() {
    for (uint32_t i = 1; i <= 2; ++i) threads_.push_back(builder_.names().InternThread("1", std::to_string(i)));
    for (int32_t device = 0; device < 2; ++device) {
      for (int64_t stream = 0; stream < 2; ++stream)
        streams_.push_back(builder_.names().InternStream(device, stream, kAbsent));
    }
    for (uint32_t i = 0; i < 40; ++i) AddCall(i + 1);
    for (uint32_t i = 0; i < 30; ++i) AddOp();
    for (uint32_t i = 0; i < 25; ++i) AddWork();
    return std::move(builder_).Seal();
  }

 private:
  Ns Time(Ns limit) { return static_cast<Ns>(random_() % static_cast<unsigned>(limit)) * scale_; }
  template <typename List>
  auto Any(const List& list) {
    return list[random_() % std::size(list)];
  }

  void AddCall(uint32_t correlation) {
    static constexpr const char* kNames[] = {
        "cudaLaunchKernel",      "cudaLaunchKernel",      "cudaGraphLaunch",      "cudaMemcpyAsync",     "cudaMemcpy",
        "cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cudaStreamWaitEvent", "cudaEventRecord"};
    HostEventRow row;
    row.kind = HostKind::kApi;
    row.name = builder_.Intern(Any(kNames));
    row.thread = Any(threads_);
    row.start_ns = Time(range_);
    row.duration_ns = Time(random_() % 4 == 0 ? 40 : 6);
    row.correlation = correlation;
    builder_.Add(row);
  }

  void AddOp() {
    HostEventRow row;
    row.kind = random_() % 3 == 0 ? HostKind::kPythonFrame : HostKind::kOp;
    row.name = builder_.Intern("op" + std::to_string(random_() % 7));
    row.thread = Any(threads_);
    row.start_ns = Time(range_);
    row.duration_ns = Time(range_ / 3);
    builder_.Add(row);
  }

  void AddWork() {
    GpuWorkRow row;
    row.stream = Any(streams_);
    row.name = builder_.Intern("kernel" + std::to_string(random_() % 3));
    row.start_ns = Time(range_ + 10);
    row.duration_ns = random_() % 6 == 0 ? 0 : Time(8);
    row.correlation = static_cast<uint32_t>(random_() % 48);  // 0 and above 40: no launch
    if (random_() % 3 == 0) {
      row.kind = GpuKind::kMemcpy;
      row.copy_kind = random_() % 2 == 0 ? CopyKind::kDeviceToHost : CopyKind::kHostToDevice;
    }
    builder_.Add(row);
  }

  std::mt19937 random_;
  Ns scale_;
  Ns range_;  // few different times make many equal ones
  TraceBuilder builder_;
  std::vector<ThreadIndex> threads_;
  std::vector<StreamIndex> streams_;
};

TEST(BusyIdleReferenceTest, RandomRecordings) {
  std::mt19937 random(5);
  std::map<std::string, Ns> seen;
  for (unsigned seed = 0; seed < 2500 && !HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    ExpectSameAsReference(RandomRecording(seed).Make(), random, seen);
  }
  EXPECT_EQ(seen.size(), kIdleClassCount + 1) << "every class must have been compared";
}

}  // namespace
}  // namespace warpsight::busy_idle_reference_test
