// The GPU side of sealing: order, and the chain work -> launch -> op.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

struct Ids {
  uint32_t correlation = 0;
  uint32_t external_id = 0;
};

void AddHost(TraceBuilder& builder, std::string_view name, HostKind kind, Ns start_ns, Ns end_ns, Ids ids = {}) {
  HostEventRow row;
  row.start_ns = start_ns;
  row.duration_ns = end_ns - start_ns;
  row.name = builder.Intern(name);
  row.kind = kind;
  row.thread = builder.names().InternThread("1", "1");
  row.correlation = ids.correlation;
  row.external_id = ids.external_id;
  builder.Add(row);
}

void AddWork(TraceBuilder& builder, std::string_view name, Ns start_ns, Ns end_ns, Ids ids = {}, int32_t device = 0,
             int64_t stream = 7) {
  GpuWorkRow row;
  row.start_ns = start_ns;
  row.duration_ns = end_ns - start_ns;
  row.name = builder.Intern(name);
  row.stream = builder.names().InternStream(device, stream, kAbsent);
  row.correlation = ids.correlation;
  row.external_id = ids.external_id;
  builder.Add(row);
}

std::string Names(const Trace& trace) {
  std::string names;
  for (const StringId name : trace.gpu().name) names += (names.empty() ? "" : " ") + std::string(trace.Text(name));
  return names;
}

std::string_view HostName(const Trace& trace, uint32_t row) {
  return row == kNoRow ? "-" : trace.Text(trace.host().name[row]);
}
std::string_view LaunchOf(const Trace& trace, uint32_t row) { return HostName(trace, trace.gpu().launch[row]); }
std::string_view OpOf(const Trace& trace, uint32_t row) { return HostName(trace, trace.gpu().op[row]); }

TEST(SealGpuTest, OrderIsDeviceStartEndStreamFile) {
  TraceBuilder builder;
  AddWork(builder, "g", 0, 1, {}, 1);
  AddWork(builder, "f", 20, 30);
  AddWork(builder, "d", 10, 20, {}, 0, 8);
  AddWork(builder, "b", 10, 20, {}, 0, 7);
  AddWork(builder, "c", 10, 20, {}, 0, 7);
  AddWork(builder, "a", 10, 15, {}, 0, 9);
  AddWork(builder, "e", 10, 21, {}, 0, 1);
  EXPECT_EQ(Names(std::move(builder).Seal()), "a b c d e f g");
}

TEST(SealGpuTest, DevicesWithAndWithoutWork) {
  TraceBuilder builder;
  for (const int32_t id : {2, 0}) {
    Device device;
    device.id = id;
    device.name = "GPU " + std::to_string(id);
    builder.header().devices.push_back(device);
  }
  AddWork(builder, "a", 0, 10, {}, 2);
  AddWork(builder, "b", 0, 10, {}, 5);  // the file does not describe it
  AddWork(builder, "c", 5, 10, {}, 2);
  const Trace trace = std::move(builder).Seal();
  ASSERT_EQ(trace.devices().size(), 3u);
  EXPECT_EQ(trace.devices()[0].id, 0);
  EXPECT_FALSE(trace.devices()[0].has_work);
  EXPECT_EQ(trace.devices()[1].name, "GPU 2");
  EXPECT_EQ(trace.devices()[1].end_work - trace.devices()[1].first_work, 2u);
  EXPECT_EQ(trace.FindDevice(5)->first_work, 2u);
  EXPECT_TRUE(trace.FindDevice(5)->has_work);
  EXPECT_EQ(trace.FindDevice(1), nullptr);
}

TEST(SealGpuTest, LaunchByCorrelationOpByExternalId) {
  TraceBuilder builder;
  AddHost(builder, "aten::mm", HostKind::kOp, 0, 100, {0, 11});
  AddHost(builder, "cudaLaunchKernel", HostKind::kApi, 10, 20, {501, 11});
  AddWork(builder, "gemm", 30, 40, {501, 11});
  AddWork(builder, "of the call's id", 50, 60, {501, 0});
  const Trace trace = std::move(builder).Seal();
  for (const uint32_t row : {0u, 1u}) {
    EXPECT_EQ(LaunchOf(trace, row), "cudaLaunchKernel");
    EXPECT_EQ(OpOf(trace, row), "aten::mm");
  }
  EXPECT_EQ(trace.attribution().with_launch, 2);
  EXPECT_EQ(trace.attribution().by_external_id, 2);
  EXPECT_EQ(trace.attribution().disagreements, 0);
  EXPECT_EQ(trace.log().count("work_without_launch"), 0);
}

TEST(SealGpuTest, OpByContainmentStepsOverNestedCalls) {
  TraceBuilder builder;
  AddHost(builder, "range", HostKind::kRange, 0, 100);
  AddHost(builder, "cudaLaunchKernel", HostKind::kApi, 10, 50);
  AddHost(builder, "cuLaunchKernel", HostKind::kApi, 20, 30, {501, 0});
  AddWork(builder, "kernel", 40, 50, {501, 0});
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(LaunchOf(trace, 0), "cuLaunchKernel");
  EXPECT_EQ(OpOf(trace, 0), "range");
  EXPECT_EQ(trace.attribution().by_containment, 1);
  EXPECT_EQ(trace.attribution().by_external_id, 0);
}

TEST(SealGpuTest, ExternalIdWinsOverContainment) {
  TraceBuilder builder;
  AddHost(builder, "aten::mm", HostKind::kOp, 0, 5, {0, 11});
  AddHost(builder, "aten::add", HostKind::kOp, 10, 100, {0, 12});
  AddHost(builder, "cudaLaunchKernel", HostKind::kApi, 20, 30, {501, 12});
  AddWork(builder, "kernel", 40, 50, {501, 11});
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(OpOf(trace, 0), "aten::mm");
  EXPECT_EQ(trace.attribution().disagreements, 1);
  EXPECT_EQ(trace.log().count("attribution_disagreement"), 1);
}

TEST(SealGpuTest, UnknownIdsFallBackOrStayUnknown) {
  TraceBuilder builder;
  AddHost(builder, "aten::mm", HostKind::kOp, 0, 100, {0, 11});
  AddHost(builder, "cudaLaunchKernel", HostKind::kApi, 10, 20, {501, 0});
  AddWork(builder, "unknown External id", 30, 40, {501, 999});
  AddWork(builder, "launched before the recording", 41, 45, {1, 0});
  AddWork(builder, "no ids", 46, 50);
  AddWork(builder, "op known, launch not", 51, 60, {2, 11});
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(OpOf(trace, 0), "aten::mm");
  EXPECT_EQ(LaunchOf(trace, 1), "-");
  EXPECT_EQ(OpOf(trace, 1), "-");
  EXPECT_EQ(OpOf(trace, 2), "-");
  EXPECT_EQ(LaunchOf(trace, 3), "-");
  EXPECT_EQ(OpOf(trace, 3), "aten::mm");
  EXPECT_EQ(trace.attribution().without_launch, 3);
  EXPECT_EQ(trace.log().count("work_without_launch"), 3);
}

// Ids of one kind of event do not name another: an op's correlation or a call's External id.
TEST(SealGpuTest, OnlyCallsLaunchAndOnlyOpsAreOps) {
  TraceBuilder builder;
  AddHost(builder, "op with correlation", HostKind::kOp, 0, 10, {501, 0});
  AddHost(builder, "frame", HostKind::kPythonFrame, 0, 10, {501, 11});
  AddHost(builder, "call", HostKind::kApi, 20, 30, {502, 11});
  AddWork(builder, "a", 40, 50, {501, 11});
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(LaunchOf(trace, 0), "-");
  EXPECT_EQ(OpOf(trace, 0), "-");
}

TEST(SealGpuTest, FirstOfEqualIdsCounts) {
  TraceBuilder builder;
  AddHost(builder, "second op", HostKind::kOp, 50, 60, {0, 11});
  AddHost(builder, "first op", HostKind::kOp, 0, 10, {0, 11});
  AddHost(builder, "second call", HostKind::kApi, 52, 53, {501, 0});
  AddHost(builder, "first call", HostKind::kApi, 2, 3, {501, 0});
  AddWork(builder, "kernel", 70, 80, {501, 11});
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(LaunchOf(trace, 0), "first call");
  EXPECT_EQ(OpOf(trace, 0), "first op");
  EXPECT_EQ(trace.log().count("duplicate_correlation"), 1);
  EXPECT_EQ(trace.log().count("duplicate_external_id"), 1);
}

TEST(SealGpuTest, WorkThatStartsBeforeItsLaunchIsCounted) {
  TraceBuilder builder;
  AddHost(builder, "call", HostKind::kApi, 100, 110, {501, 0});
  AddWork(builder, "early", 99, 120, {501, 0});
  AddWork(builder, "on time", 100, 120, {501, 0});
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(trace.log().count("launch_after_start"), 1);
}

TEST(SealGpuTest, CaptureHoldsHostAndGpu) {
  TraceBuilder builder;
  AddHost(builder, "op", HostKind::kOp, 50, 60);
  AddWork(builder, "before", 10, 20);
  AddWork(builder, "after", 55, 90);
  EXPECT_EQ(std::move(builder).Seal().capture(), (Interval{10, 90}));
}

TEST(SealGpuTest, SpansAreInNoSum) {
  TraceBuilder builder;
  GpuSpanRow span;
  span.name = builder.Intern("ProfilerStep#1");
  span.start_ns = 5;
  span.duration_ns = 1000;
  span.kind = GpuSpanKind::kAnnotation;
  span.stream = builder.names().InternStream(0, 7, 1);
  builder.Add(span);
  AddWork(builder, "kernel", 10, 20);
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(trace.gpu().size(), 1u);
  ASSERT_EQ(trace.gpu_spans().size(), 1u);
  EXPECT_EQ(trace.gpu_spans().end_ns[0], 1005);
  EXPECT_EQ(trace.capture(), (Interval{10, 20}));
  EXPECT_EQ(trace.streams()[0].context, 1);
}

}  // namespace
}  // namespace warpsight
