#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace warpsight {
namespace {

TEST(WorkerCountTest, TakesTheRequestOrOneACore) {
  EXPECT_EQ(WorkerCount(3), 3);
  EXPECT_GE(WorkerCount(0), 1);
  EXPECT_GE(WorkerCount(-1), 1);
}

TEST(RunOnThreadsTest, CallsEveryWorkerOnceAndWaits) {
  std::vector<std::atomic<int>> calls(9);
  RunOnThreads(9, [&](int worker) { ++calls[static_cast<size_t>(worker)]; });
  for (const std::atomic<int>& count : calls) EXPECT_EQ(count, 1);
}

TEST(RunOnThreadsTest, FirstWorkerIsTheCaller) {
  std::thread::id first;
  RunOnThreads(1, [&](int worker) {
    EXPECT_EQ(worker, 0);
    first = std::this_thread::get_id();
  });
  EXPECT_EQ(first, std::this_thread::get_id());
}

TEST(RunOnThreadsTest, WorkersRunAtTheSameTime) {
  std::atomic<int> arrived = 0;
  RunOnThreads(4, [&](int /*worker*/) {
    ++arrived;
    while (arrived < 4) std::this_thread::yield();  // ends only when all four are there
  });
  EXPECT_EQ(arrived, 4);
}

}  // namespace
}  // namespace warpsight
