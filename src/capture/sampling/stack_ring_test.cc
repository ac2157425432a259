#include "capture/sampling/stack_ring.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace warpsight::capture::sampling {
namespace {

bool PutInto(StackRing& ring, uint32_t thread, uint64_t value) {
  RawStack* const stack = ring.Claim();
  if (stack == nullptr) return false;
  stack->thread = thread;
  stack->time_ns = value;
  ring.Publish(*stack);
  return true;
}

TEST(StackRingTest, WhatHasNoRoomIsCounted) {
  StackRing ring(3);  // made a power of two
  for (uint64_t i = 0; i < 6; ++i) EXPECT_EQ(PutInto(ring, 1, i), i < 4);
  EXPECT_EQ(ring.dropped(), 2u);
  std::vector<uint64_t> taken;
  ring.TakeAll([&](const RawStack& stack) { taken.push_back(stack.time_ns); });
  EXPECT_EQ(taken, (std::vector<uint64_t>{0, 1, 2, 3}));
  EXPECT_TRUE(PutInto(ring, 1, 9));
  EXPECT_EQ(ring.next_number(), 5u);
}

TEST(StackRingTest, APlaceThatIsBeingFilledIsWaitedFor) {
  StackRing ring(4);
  RawStack* const slow = ring.Claim();
  EXPECT_TRUE(PutInto(ring, 1, 8));
  int taken = 0;
  ring.TakeAll([&](const RawStack&) { ++taken; });
  EXPECT_EQ(taken, 0);
  ring.Publish(*slow);
  ring.TakeAll([&](const RawStack&) { ++taken; });
  EXPECT_EQ(taken, 2);
  EXPECT_EQ(ring.taken(), 2u);
}

TEST(StackRingTest, OneWithoutRoomHasNoMemory) {
  StackRing ring(0);
  EXPECT_EQ(ring.Claim(), nullptr);
  ring.TakeAll([](const RawStack&) { FAIL(); });
}

TEST(StackRingTest, ManyThreadsLoseNothingThatIsNotCounted) {
  constexpr uint32_t kThreads = 8;
  constexpr uint64_t kEach = 20'000;
  StackRing ring(64);
  std::atomic<uint32_t> running{kThreads};
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < kEach; ++i) PutInto(ring, thread, i);
      --running;
    });
  }
  uint64_t taken = 0;
  std::vector<int64_t> last(kThreads, -1);
  const auto take = [&] {
    ring.TakeAll([&](const RawStack& stack) {
      ++taken;
      EXPECT_GT(static_cast<int64_t>(stack.time_ns), last[stack.thread]);
      last[stack.thread] = static_cast<int64_t>(stack.time_ns);
    });
  };
  while (running > 0) take();
  for (std::thread& thread : threads) thread.join();
  take();
  EXPECT_EQ(taken + ring.dropped(), kThreads * kEach);
}

}  // namespace
}  // namespace warpsight::capture::sampling
