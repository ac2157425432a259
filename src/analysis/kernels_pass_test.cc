#include "analysis/kernels_pass.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

void AddWork(TraceBuilder& builder, std::string_view name, Ns start_ns, Ns end_ns, int64_t stream, int32_t device = 0,
             GpuKind kind = GpuKind::kKernel) {
  GpuWorkRow row;
  row.stream = builder.names().InternStream(device, stream, kAbsent);
  row.name = builder.Intern(name);
  row.kind = kind;
  row.start_ns = start_ns;
  row.duration_ns = end_ns - start_ns;
  builder.Add(row);
}

void AddStep(TraceBuilder& builder, std::string_view name, Ns start_ns, Ns end_ns) {
  HostEventRow row;
  row.thread = builder.names().InternThread("1", "1");
  row.kind = HostKind::kRange;
  row.name = builder.Intern(name);
  row.start_ns = start_ns;
  row.duration_ns = end_ns - start_ns;
  builder.Add(row);
}

TEST(KernelsTest, WorkIsTheSumAndBusyTheUnionOverDevices) {
  TraceBuilder builder;
  AddWork(builder, "volta_sgemm_128x64_nn", 0, 100, 7);
  AddWork(builder, "volta_sgemm_128x64_nn", 50, 101, 8);  // another stream, overlapping
  AddWork(builder, "volta_sgemm_128x64_nn", 0, 10, 7, 1);
  AddWork(builder, "Memset (Device)", 200, 230, 7, 0, GpuKind::kMemset);
  const Trace trace = std::move(builder).Seal();
  Analysis analysis(trace, {});
  const Result<KernelsResult>& result = analysis.Get<KernelsPass>();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->gpu_work_ns, 191);
  EXPECT_EQ(result->gpu_busy_ns, 141);
  ASSERT_EQ(result->rows.size(), 3u);
  const KernelRow& first = result->rows[0];
  EXPECT_EQ(first.device, 0);
  EXPECT_EQ(first.calls, 2);
  EXPECT_EQ(first.total_ns, 151);
  EXPECT_EQ(first.mean_ns, 76);  // 75.5, rounded
  EXPECT_EQ(first.min_ns, 51);
  EXPECT_EQ(first.max_ns, 100);
  EXPECT_DOUBLE_EQ(first.gpu_share, 151.0 / 191);
  EXPECT_EQ(first.family, "gemm");
  EXPECT_EQ(first.calls_per_step, std::nullopt);
  EXPECT_EQ(result->rows[1].family, "memset");
  EXPECT_EQ(result->rows[2].device, 1);
}

TEST(KernelsTest, EqualTotalsAreOrderedByName) {
  TraceBuilder builder;
  AddWork(builder, "b", 0, 10, 7);
  AddWork(builder, "a", 10, 20, 7);
  const Trace trace = std::move(builder).Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(analysis.Get<KernelsPass>()->rows[0].name, "a");
}

TEST(KernelsTest, CallsPerStepAndWindow) {
  TraceBuilder builder;
  AddStep(builder, "ProfilerStep#1", 0, 100);
  AddStep(builder, "ProfilerStep#2", 100, 200);
  for (const Ns start_ns : {10, 20, 110, 120, 190, 250}) AddWork(builder, "k", start_ns, start_ns + 20, 7);
  const Trace trace = std::move(builder).Seal();
  Analysis whole(trace, {});
  EXPECT_EQ(whole.Get<KernelsPass>()->rows[0].calls, 6);
  EXPECT_EQ(whole.Get<KernelsPass>()->rows[0].calls_per_step, 2.5);  // the one at 250 is in no step

  Analysis second(trace, {Interval{100, 200}, {}});
  const KernelRow& row = second.Get<KernelsPass>()->rows[0];
  EXPECT_EQ(row.calls, 3);
  EXPECT_EQ(row.total_ns, 50);  // the last one is cut
  EXPECT_EQ(row.max_ns, 20);    // but whole here
  EXPECT_EQ(row.calls_per_step, 3);
}

TEST(KernelsTest, NoGpuWorkIsNotEvaluated) {
  TraceBuilder builder;
  AddStep(builder, "step", 0, 100);
  const Trace trace = std::move(builder).Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(analysis.Get<KernelsPass>().status().kind(), StatusKind::kLacks);
}

}  // namespace
}  // namespace warpsight
