// Time off the CPU in gaps: against a slow reference that asks each nanosecond, and in the document of the idle verb.
#include "analysis/off_cpu.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "analysis/hand_made_trace.h"
#include "analysis/idle_document.h"

namespace warpsight {
namespace {

// The state at a moment: of the last row at or before it, in the order of the table; not after the last row.
ThreadState StateAt(const Trace& trace, ThreadIndex thread, Ns time) {
  ThreadState state = ThreadState::kUnknown;
  Ns last = kMinNs;
  for (uint32_t row = 0; row < trace.thread_switches().size(); ++row) {
    if (trace.thread_switches().thread[row] != thread) continue;
    last = trace.thread_switches().time_ns[row];
    if (last <= time) state = trace.thread_switches().state[row];
  }
  return last <= time ? ThreadState::kUnknown : state;
}

OffCpu SlowOffCpu(const Trace& trace, ThreadIndex thread, Interval time) {
  OffCpu off;
  off.asked_ns = time.end - time.start;
  for (Ns at = time.start; at < time.end; ++at) {
    const ThreadState state = StateAt(trace, thread, at);
    off.known_ns += state != ThreadState::kUnknown ? 1 : 0;
    off.waiting_ns += state == ThreadState::kWaiting ? 1 : 0;
    off.preempted_ns += state == ThreadState::kPreempted ? 1 : 0;
  }
  return off;
}

TEST(OffCpuTest, EqualsTheSlowReference) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    HandMadeTrace make;
    const uint32_t count = random() % 12;
    for (uint32_t i = 0; i < count; ++i) {
      make.OnThread(1 + static_cast<int>(random() % 2));
      make.Switch(random() % 60, static_cast<ThreadState>(random() % 4));
    }
    make.OnThread(1).Op("op", {0, 5});
    make.OnThread(2).Op("op", {0, 5});
    const Trace trace = make.Seal();
    for (int i = 0; i < 20; ++i) {
      const ThreadIndex thread = random() % 2;
      const Ns start = random() % 70;
      const Interval time{start, start + static_cast<Ns>(random() % 40)};
      const OffCpu fast = OffCpuIn(trace, thread, time);
      const OffCpu slow = SlowOffCpu(trace, thread, time);
      ASSERT_EQ(fast.asked_ns, slow.asked_ns) << round << " " << time.start << " " << time.end;
      ASSERT_EQ(fast.known_ns, slow.known_ns) << round << " " << time.start << " " << time.end;
      ASSERT_EQ(fast.waiting_ns, slow.waiting_ns) << round << " " << time.start << " " << time.end;
      ASSERT_EQ(fast.preempted_ns, slow.preempted_ns) << round << " " << time.start << " " << time.end;
    }
  }
}

// Gaps [20, 60): sync until 25, host work until 50; and [80, 100), all launch.
HandMadeTrace GapWithHostWork() {
  HandMadeTrace make;
  make.Api("cudaLaunchKernel", {5, 10}, 1);
  make.Kernel("k1", {10, 20}, 1);
  make.Api("cudaStreamSynchronize", {12, 25});
  make.Op("prepare", {30, 55});
  make.Api("cudaLaunchKernel", {50, 55}, 2);
  make.Kernel("k2", {60, 80}, 2);
  make.Api("cudaLaunchKernel", {70, 95}, 3);
  make.Kernel("k3", {100, 150}, 3);
  return make;
}

std::string IdleText(const Document& document) {
  std::string text;
  for (const Block& block : document.blocks) {
    if (const auto* values = std::get_if<KeyValues>(&block)) {
      for (const KeyValue& pair : values->pairs) text += pair.key + ": " + pair.value + "\n";
    }
  }
  return text;
}

TEST(OffCpuTest, HostWorkIsSplitByWhatTheThreadDid) {
  HandMadeTrace make = GapWithHostWork();
  make.Switch(1, ThreadState::kOn);
  make.Switch(14, ThreadState::kWaiting);  // in the synchronising call, and 3 ns of host work
  make.Switch(28, ThreadState::kOn);
  make.Switch(35, ThreadState::kPreempted);
  make.Switch(42, ThreadState::kOn);
  make.Switch(75, ThreadState::kWaiting);  // in the launch of k3
  make.Switch(90, ThreadState::kOn);
  make.Switch(160, ThreadState::kUnknown);
  make.OnThread(2).Switch(0, ThreadState::kWaiting);  // which launches nothing
  make.OnThread(2).Switch(150, ThreadState::kOn);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  ASSERT_TRUE(idle.ok());
  const IdleDevice& device = idle->devices[0];
  EXPECT_EQ(PartOf(device.classes, IdleClass::kSync), 5);
  EXPECT_EQ(device.off_cpu.waiting_ns, 3);
  EXPECT_EQ(device.off_cpu.preempted_ns, 7);
  const Document document = MakeIdleDocument(trace, *idle, {});
  const auto& data = document.data["devices"][0];
  EXPECT_EQ(data["launching_thread_off_cpu_ns"], 10);
  EXPECT_EQ(data["launching_thread_preempted_ns"], 7);
  int with_host_work = 0;
  for (const auto& gap : data["gaps"]) {
    if (gap["parts"].contains("host_work_ns")) {
      ++with_host_work;
      // The head of the capture is idle as well, without a launch before it.
      if (gap["start_ns"] == 20) EXPECT_EQ(gap["launching_thread_off_cpu_ns"], 10) << gap.dump();
      if (gap["start_ns"] == 20) EXPECT_EQ(gap["launching_thread_preempted_ns"], 7) << gap.dump();
    } else {
      EXPECT_TRUE(gap["launching_thread_off_cpu_ns"].is_null()) << gap.dump();
    }
  }
  EXPECT_GT(with_host_work, 0);
  EXPECT_NE(IdleText(document).find("3 ns waiting, 7 ns preempted"), std::string::npos) << IdleText(document);
}

// A gap of which a part is not known has no numbers; the device has those of the part that is.
TEST(OffCpuTest, WhatIsNotKnownIsNotSaid) {
  HandMadeTrace make = GapWithHostWork();
  make.Switch(28, ThreadState::kWaiting);
  make.Switch(31, ThreadState::kUnknown);
  make.Switch(35, ThreadState::kPreempted);
  make.Switch(42, ThreadState::kOn);
  make.Switch(160, ThreadState::kUnknown);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  ASSERT_TRUE(idle.ok());
  const Document document = MakeIdleDocument(trace, *idle, {});
  const auto& data = document.data["devices"][0];
  EXPECT_EQ(data["launching_thread_off_cpu_ns"], 3 + 7);
  EXPECT_EQ(data["launching_thread_known_ns"], 3 + 15);
  for (const auto& gap : data["gaps"]) EXPECT_TRUE(gap["launching_thread_off_cpu_ns"].is_null()) << gap.dump();
}

TEST(OffCpuTest, NothingIsSaidWithoutSwitches) {
  const Trace trace = GapWithHostWork().Seal();
  Analysis analysis(trace, {});
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  ASSERT_TRUE(idle.ok());
  const Document document = MakeIdleDocument(trace, *idle, {});
  EXPECT_TRUE(document.data["devices"][0]["launching_thread_off_cpu_ns"].is_null());
  EXPECT_TRUE(document.data["devices"][0]["launching_thread_preempted_ns"].is_null());
  EXPECT_EQ(IdleText(document).find("off the CPU"), std::string::npos);
}

}  // namespace
}  // namespace warpsight
