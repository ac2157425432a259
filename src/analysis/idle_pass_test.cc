#include "analysis/idle_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analysis/hand_made_trace.h"
#include "analysis/idle_document.h"

namespace warpsight {
namespace {

// Two gaps: [20, 60) with host work in "prepare" and a synchronisation, [80, 100) all launch.
Trace TwoGaps() {
  HandMadeTrace make;
  make.Range("step", {0, 150});
  make.Op("first", {0, 10});
  make.Api("cudaLaunchKernel", {5, 10}, 1);
  make.Kernel("k1", {10, 20}, 1);
  make.Api("cudaStreamSynchronize", {12, 25});
  make.Op("prepare", {30, 55});
  make.Api("cudaLaunchKernel", {50, 55}, 2);
  make.Kernel("k2", {60, 80}, 2);
  make.Api("cudaLaunchKernel", {70, 95}, 3);
  make.Kernel("k3", {100, 150}, 3);
  return make.Seal();
}

std::vector<IdleGap> InOrderOfTime(const Trace& trace, const IdleDevice& device) {
  std::vector<IdleGap> gaps = LongestGaps(trace, device, device.gap_count);
  std::ranges::sort(gaps, {}, [](const IdleGap& gap) { return gap.time.start; });
  return gaps;
}

std::string_view NameOf(const Trace& trace, StringId name) { return trace.Text(name); }

TEST(IdlePassTest, SamplesNameWhatNoEventDoes) {
  HandMadeTrace make;
  make.Api("cudaLaunchKernel", {5, 10}, 1);
  make.Kernel("k1", {10, 20}, 1);
  for (const Ns time : {25, 30, 35}) make.Sample(time, {"main", "Tokenize"});
  for (const Ns time : {40, 45, 50, 55}) make.Sample(time, {"main", "prepare (data.py:3)", "memcpy"});
  make.Sample(70, {"main", "Late"});  // after the gap
  make.Api("cudaLaunchKernel", {60, 62}, 2);
  make.Kernel("k2", {63, 70}, 2);
  make.Op("op", {75, 95});
  for (const Ns time : {80, 85, 90}) make.Sample(time, {"main", "InOp"});
  make.Api("cudaLaunchKernel", {90, 95}, 3);
  make.Kernel("k3", {100, 150}, 3);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  ASSERT_TRUE(idle.ok());
  const std::vector<IdleGap> gaps = InOrderOfTime(trace, idle->devices[0]);
  ASSERT_GE(gaps.size(), 2u);
  const IdleGap& unnamed = gaps[gaps.size() - 2];
  EXPECT_EQ(unnamed.time, (Interval{20, 63}));
  EXPECT_EQ(NameOf(trace, unnamed.sampled), "prepare (data.py:3)");
  const Document document = MakeIdleDocument(trace, *idle, {});
  EXPECT_NE(document.data.dump().find("[\"prepare (data.py:3)\""), std::string::npos) << document.data.dump();
  // The op says more.
  EXPECT_EQ(gaps.back().sampled, StringId::kEmpty);
  EXPECT_EQ(NameOf(trace, gaps.back().hosts[0]), "op");
}

TEST(IdlePassTest, ClassesGapsAndHostNames) {
  const Trace trace = TwoGaps();
  Analysis analysis(trace, {});
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  ASSERT_TRUE(idle.ok());
  ASSERT_EQ(idle->devices.size(), 1u);
  const IdleDevice& device = idle->devices[0];
  EXPECT_EQ(device.busy_ns, 80);
  EXPECT_EQ(device.idle_ns, 70);
  EXPECT_EQ(PartOf(device.classes, IdleClass::kSync), 5);
  EXPECT_EQ(PartOf(device.classes, IdleClass::kHostWork), 5 + 25);
  EXPECT_EQ(PartOf(device.classes, IdleClass::kLaunch), 5 + 10 + 20);

  const std::vector<IdleGap> gaps = InOrderOfTime(trace, device);
  ASSERT_EQ(gaps.size(), 3u);
  const IdleGap& gap = gaps[1];
  EXPECT_EQ(gap.time, (Interval{20, 60}));
  EXPECT_EQ(gap.largest, IdleClass::kHostWork);
  EXPECT_EQ(NameOf(trace, trace.gpu().name[gap.before]), "k1");
  EXPECT_EQ(NameOf(trace, trace.gpu().name[gap.after]), "k2");
  EXPECT_EQ(NameOf(trace, gap.hosts[0]), "prepare");                // 20 of 30 ns before the launch
  EXPECT_EQ(NameOf(trace, gap.hosts[1]), "cudaStreamSynchronize");  // 5 ns, as the next
  EXPECT_EQ(NameOf(trace, gap.hosts[2]), "step");
  EXPECT_EQ(gap.hosts[3], StringId::kEmpty);
  EXPECT_EQ(gap.host_ns, 20);
  // A gap that is mostly launch names the launch.
  EXPECT_EQ(gaps[2].largest, IdleClass::kLaunch);
  EXPECT_EQ(NameOf(trace, gaps[2].hosts[0]), "cudaLaunchKernel");

  const std::vector<HostTime>& host_work = device.host_by_class[static_cast<size_t>(IdleClass::kHostWork)];
  ASSERT_EQ(host_work.size(), 3u);
  EXPECT_EQ(NameOf(trace, host_work[0].name), "prepare");
  EXPECT_EQ(host_work[0].time_ns, 20);
  const std::vector<IdleGap> longest = LongestGaps(trace, device, 1);
  ASSERT_EQ(longest.size(), 1u);
  EXPECT_EQ(longest[0].time, (Interval{20, 60}));
  EXPECT_EQ(device.gaps_by_largest[static_cast<size_t>(IdleClass::kLaunch)], 1);
}

// Numbers of names depend on who read what first: what takes equal time comes in the order of its text.
TEST(IdlePassTest, NamesOfEqualTimeComeByTheirText) {
  for (const bool other_numbers : {false, true}) {
    HandMadeTrace make;
    if (other_numbers) make.Frame("b", {0, 1});
    make.Api("cudaLaunchKernel", {0, 10}, 1);
    make.Kernel("k", {10, 20}, 1);
    make.Op("c", {30, 40});
    make.Op("a", {40, 50});
    make.Op("b", {50, 60});
    make.Api("cudaLaunchKernel", {70, 80}, 2);
    make.Kernel("k", {80, 90}, 2);
    const Trace trace = make.Seal();
    Analysis analysis(trace, {});
    const IdleDevice& device = analysis.Get<IdlePass>()->devices[0];
    std::string names;
    for (const HostTime& host : device.host_by_class[static_cast<size_t>(IdleClass::kHostWork)])
      if (host.name != StringId::kEmpty) names += NameOf(trace, host.name);
    EXPECT_EQ(names, "abc");
    EXPECT_EQ(NameOf(trace, InOrderOfTime(trace, device).back().hosts[0]), "a");
  }
}

TEST(IdlePassTest, WindowsCutGapsAndNames) {
  const Trace trace = TwoGaps();
  Selection selection;
  selection.range = Interval{22, 40};
  Analysis analysis(trace, selection);
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  ASSERT_TRUE(idle.ok());
  const IdleDevice& device = idle->devices[0];
  EXPECT_EQ(device.idle_ns, 18);
  EXPECT_EQ(PartOf(device.classes, IdleClass::kSync), 3);
  EXPECT_EQ(PartOf(device.classes, IdleClass::kHostWork), 15);
  ASSERT_EQ(device.gap_count, 1u);
  EXPECT_EQ(device.longest[0].time, (Interval{22, 40}));
  EXPECT_EQ(device.longest[0].host_ns, 10);  // prepare, cut at 40
}

TEST(IdlePassTest, GapsBeyondTheDescribedOnesAreNamedAlike) {
  HandMadeTrace make;
  constexpr int kGaps = 3 * static_cast<int>(kDescribedGaps);
  for (int i = 0; i < kGaps; ++i) {
    const Ns at = i * Ns{1000};
    make.Op(i % 2 == 0 ? "even" : "odd", {at, at + 200 + i % 100});
    make.Api("cudaLaunchKernel", {at + 300, at + 310}, static_cast<uint32_t>(i + 1));
    make.Kernel("k", {at + 320, at + 900}, static_cast<uint32_t>(i + 1));
  }
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const IdleDevice& device = analysis.Get<IdlePass>()->devices[0];
  ASSERT_EQ(device.longest.size(), kDescribedGaps);
  const std::vector<IdleGap> all = LongestGaps(trace, device, device.gap_count);
  ASSERT_EQ(all.size(), device.gap_count);
  Ns named = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i > 0) {
      EXPECT_GE(all[i - 1].time.duration(), all[i].time.duration());
    }
    if (i < kDescribedGaps) {
      EXPECT_EQ(all[i].time, device.longest[i].time);
      EXPECT_EQ(all[i].hosts, device.longest[i].hosts);
      EXPECT_EQ(all[i].unnamed_ns, device.longest[i].unnamed_ns);
    }
    named += all[i].host_ns;
  }
  EXPECT_GT(named, 0);
  EXPECT_EQ(LongestGaps(trace, device, kDescribedGaps + 1).size(), kDescribedGaps + 1);
}

TEST(IdlePassTest, TimeWithoutAnyOpenEventIsToldApart) {
  HandMadeTrace make;
  make.Api("cudaLaunchKernel", {0, 5}, 1);
  make.Kernel("k1", {5, 10}, 1);
  make.Op("brief", {40, 45});
  make.Api("cudaLaunchKernel", {50, 55}, 2);
  make.Kernel("k2", {55, 60}, 2);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const IdleDevice& device = analysis.Get<IdlePass>()->devices[0];
  const IdleGap gap = InOrderOfTime(trace, device)[1];
  EXPECT_EQ(gap.unnamed_ns, 35);
  EXPECT_EQ(NameOf(trace, gap.hosts[0]), "brief");
  EXPECT_EQ(gap.host_ns, 5);
}

TEST(IdlePassTest, ADeviceWithoutWorkIsAnError) {
  const Trace trace = TwoGaps();
  Selection selection;
  selection.device = 5;
  Analysis analysis(trace, selection);
  EXPECT_EQ(analysis.Get<IdlePass>().status().kind(), StatusKind::kLacks);
}

TEST(IdlePassTest, HostileTimesAreRefused) {
  HandMadeTrace make;
  make.Kernel("a", {kMinNs, kMinNs + 1});
  make.Kernel("middle", {0, 1});
  make.Kernel("b", {kMaxNs - 1, kMaxNs});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(analysis.Get<IdlePass>().status().kind(), StatusKind::kLacks);
}

TEST(IdleDocumentTest, JsonFollowsTheContract) {
  const Trace trace = TwoGaps();
  Analysis analysis(trace, {});
  const Document document = MakeIdleDocument(trace, *analysis.Get<IdlePass>(), {.json_gaps = 2});
  EXPECT_EQ(document.verb, "idle");
  const auto& device = document.data["devices"][0];
  EXPECT_EQ(device["window_ns"], 150);
  EXPECT_EQ(device["idle_ns"], 70);
  int64_t sum = 0;
  for (const auto& [key, value] : device["classes"].items()) sum += value.get<int64_t>();
  EXPECT_EQ(sum, 70);
  EXPECT_EQ(device["classes"].size(), kIdleClassCount);
  EXPECT_EQ(device["gaps_total"], 3);
  EXPECT_EQ(device["gaps"].size(), 2u) << "the limit";
  const auto& gap = device["gaps"][0];
  EXPECT_EQ(gap["start_ns"], 20);
  EXPECT_EQ(gap["dur_ns"], 40);
  EXPECT_EQ(gap["class"], "host_work");
  EXPECT_EQ(gap["before"], "k1");
  EXPECT_EQ(gap["after"], "k2");
  EXPECT_EQ(gap["host"][0], "prepare");
  EXPECT_EQ(device["host_by_class"]["sync_ns"][0]["name"], "cudaStreamSynchronize");
}

}  // namespace
}  // namespace warpsight
