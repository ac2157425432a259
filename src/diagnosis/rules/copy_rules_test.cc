// Copies that block, collectives in line with kernels, and allocations inside of the step.
#include <gtest/gtest.h>

#include "diagnosis/diagnose_trace.h"

namespace warpsight::testing {
namespace {

WorkOptions ToDevice(MemoryKind from = MemoryKind::kPinned, int64_t stream = 7) {
  WorkOptions options;
  options.kind = GpuKind::kMemcpy;
  options.copy = CopyKind::kHostToDevice;
  options.source_memory = from;
  options.stream = stream;
  options.bytes = 1'000'000;
  return options;
}

TEST(BlockingCopiesTest, WhatNothingOverlapsCouldBeHidden) {
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 1000})
                          .Launch("Memcpy HtoD", {0, 5}, {10, 210}, ToDevice())
                          .Launch("k", {5, 10}, {210, 1000})
                          .Seal();
  const Diagnosis diagnosis = DiagnoseTrace(trace);
  const Finding* finding = Find(diagnosis, "blocking_copies");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 200 * kUs);
  EXPECT_NE(Evidence(*finding).find("in a step: 1, of 1.000 MB in 200.0 us (5 GB/s)"), std::string::npos)
      << Evidence(*finding);
  EXPECT_NE(Evidence(*finding).find("in order with them: 1 of 1"), std::string::npos) << Evidence(*finding);
  EXPECT_EQ(Evidence(*finding).find("pageable"), std::string::npos);
}

TEST(BlockingCopiesTest, NoMoreIsHiddenThanThereIsOtherWork) {
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 1000})
                          .Launch("Memcpy HtoD", {0, 5}, {10, 900}, ToDevice())
                          .Launch("k", {5, 10}, {900, 1000})
                          .Seal();
  const Diagnosis diagnosis = DiagnoseTrace(trace);
  EXPECT_EQ(Find(diagnosis, "blocking_copies")->gain_ns, 100 * kUs);
}

TEST(BlockingCopiesTest, PageableMemoryMakesTheHostWait) {
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 1000})
                          .Launch("j", {0, 5}, {5, 100})
                          .Launch("Memcpy HtoD", {10, 400}, {350, 400}, ToDevice(MemoryKind::kPageable))
                          .Call("cudaMemcpyAsync", {400, 600})
                          .Launch("k", {600, 605}, {605, 1000})
                          .Seal();
  const Diagnosis diagnosis = DiagnoseTrace(trace);
  const Finding* finding = Find(diagnosis, "blocking_copies");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, (50 + 200) * kUs);
  EXPECT_NE(
      Evidence(*finding).find("pageable memory, whose call returns only when the copy is made: 1 of 1; the GPU was idle "
                              "for 200.0 us meanwhile"),
      std::string::npos)
      << Evidence(*finding);
}

TEST(BlockingCopiesTest, OverlappedAndDeviceCopiesDoNotBlock) {
  WorkOptions on_device = ToDevice();
  on_device.copy = CopyKind::kDeviceToDevice;
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 1000})
                          .Launch("k", {0, 5}, {5, 700})
                          .Launch("Memcpy HtoD", {5, 10}, {100, 600}, ToDevice(MemoryKind::kPinned, 8))
                          .Launch("Memcpy DtoD", {10, 15}, {700, 1000}, on_device)
                          .Seal();
  EXPECT_EQ(Find(DiagnoseTrace(trace), "blocking_copies"), nullptr);
}

// A collective of the backward pass between its kernels.
LaunchedTrace Backward(int64_t stream_of_collective) {
  LaunchedTrace made;
  made.Step(1, {0, 1000}).Op("autograd::engine::evaluate_function: MmBackward0", {0, 100});
  made.Launch("gemm", {0, 5}, {100, 400});
  made.Launch("ncclDevKernel_AllReduce", {10, 15}, {400, 600}, {.stream = stream_of_collective});
  made.Launch("gemm", {20, 25}, {600, 1000});
  return made;
}

TEST(OneStreamTest, GradientsCollectivesInLine) {
  const Diagnosis diagnosis = DiagnoseTrace(Backward(7).Seal());
  const Finding* finding = Find(diagnosis, "one_stream");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 200 * kUs);
}

TEST(OneStreamTest, AStreamOfTheirOwnOrAForwardPassIsNone) {
  EXPECT_EQ(Find(DiagnoseTrace(Backward(8).Seal()), "one_stream"), nullptr);
  LaunchedTrace forward;
  forward.Step(1, {0, 1000}).Op("c10d::allreduce_", {0, 50}).Launch("gemm", {0, 5}, {100, 400});
  forward.Launch("ncclDevKernel_AllReduce", {10, 15}, {400, 600}).Launch("gemm", {20, 25}, {600, 1000});
  EXPECT_EQ(Find(DiagnoseTrace(forward.Seal()), "one_stream"), nullptr);
}

TEST(AllocatorTrafficTest, TheGpuWaitsForCudaMalloc) {
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 1000})
                          .Launch("j", {0, 5}, {5, 100})
                          .Call("cudaMalloc", {200, 500})
                          .Call("cudaFree", {500, 550})
                          .Launch("k", {600, 605}, {605, 1000})
                          .Seal();
  const Diagnosis diagnosis = DiagnoseTrace(trace);
  const Finding* finding = Find(diagnosis, "allocator_traffic");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 350 * kUs);
  EXPECT_NE(Evidence(*finding).find("in a step: cudaMalloc 300.0 us (calls: 1), cudaFree 50.00 us (calls: 1)"),
            std::string::npos)
      << Evidence(*finding);
  // The rest of the host's time is another finding's.
  ASSERT_NE(Find(diagnosis, "host_work"), nullptr);
  EXPECT_EQ(Find(diagnosis, "host_work")->gain_ns, (5 + 505 - 350) * kUs);
  EXPECT_NE(Evidence(*Find(diagnosis, "host_work")).find("350.0 us more of it a step is counted in other findings"),
            std::string::npos);
}

// A C++ program has no torch to call.
TEST(AllocatorTrafficTest, AdviceForTheProgramThatWasRecorded) {
  const auto advice = [](std::string_view kernel) {
    LaunchedTrace made;
    made.make().builder().header().recording.producer = "nsys";
    made.Range("step", {0, 1000}).Launch(kernel, {0, 5}, {5, 100}).Call("cudaMalloc", {200, 500});
    made.Launch(kernel, {600, 605}, {605, 1000});
    const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
    return Find(diagnosis, "allocator_traffic")->advice;
  };
  EXPECT_NE(advice("saxpy(int)").find("cudaMallocAsync"), std::string::npos) << advice("saxpy(int)");
  EXPECT_EQ(advice("saxpy(int)").find("torch"), std::string::npos) << advice("saxpy(int)");
  const std::string torch = advice("void at::native::reduce_kernel<512, 1>(int)");
  EXPECT_NE(torch.find("torch.cuda.empty_cache()"), std::string::npos) << torch;
}

TEST(DataLoadingTest, TheLaunchingThreadIsInTheLoader) {
  const auto trace = [](std::string_view name) {
    return LaunchedTrace()
        .Step(1, {0, 1000})
        .Launch("j", {0, 5}, {5, 100})
        .Op(name, {200, 500})
        .Launch("k", {600, 605}, {605, 1000})
        .Seal();
  };
  const Diagnosis diagnosis = DiagnoseTrace(trace("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"));
  const Finding* finding = Find(diagnosis, "data_loading");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 300 * kUs);
  EXPECT_EQ(Find(diagnosis, "host_work")->gain_ns, (5 + 505 - 300) * kUs);
  EXPECT_EQ(Find(DiagnoseTrace(trace("aten::add")), "data_loading"), nullptr);
}

TEST(AllocatorTrafficTest, BeforeTheStepsAndWhileTheGpuWorksItIsNone) {
  const Trace trace = LaunchedTrace()
                          .Call("cudaMalloc", {0, 900})
                          .Step(1, {1000, 2000})
                          .Launch("j", {1000, 1005}, {1005, 1600})
                          .Call("cudaMalloc", {1010, 1500})
                          .Launch("k", {1510, 1515}, {1600, 2000})
                          .Seal();
  EXPECT_EQ(Find(DiagnoseTrace(trace), "allocator_traffic"), nullptr);
}

}  // namespace
}  // namespace warpsight::testing
