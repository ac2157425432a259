#include "analysis/key_averages_pass.h"

#include <gtest/gtest.h>

#include <string>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

// A small recording, written down as it would be read: times in ns.
class Recording {
 public:
  Recording& Host(HostKind kind, std::string_view name, Ns start_ns, Ns end_ns, uint32_t id = 0,
                  std::string_view shapes = "") {
    HostEventRow row;
    row.thread =
        builder_.names().InternThread(kind == HostKind::kOverhead ? "-1" : "1", kind == HostKind::kOverhead ? "0" : "1");
    row.kind = kind;
    row.name = builder_.Intern(name);
    row.start_ns = start_ns;
    row.duration_ns = end_ns - start_ns;
    (kind == HostKind::kApi ? row.correlation : row.external_id) = id;
    row.shapes = builder_.Intern(shapes);
    builder_.Add(row);
    return *this;
  }
  Recording& Kernel(std::string_view name, Ns start_ns, Ns end_ns, uint32_t op_id, int32_t device = 0) {
    GpuWorkRow row;
    row.stream = builder_.names().InternStream(device, 7, kAbsent);
    row.name = builder_.Intern(name);
    row.start_ns = start_ns;
    row.duration_ns = end_ns - start_ns;
    row.external_id = op_id;
    builder_.Add(row);
    return *this;
  }
  Recording& Span(std::string_view name, Ns start_ns, Ns end_ns, uint32_t id) {
    GpuSpanRow row;
    row.stream = builder_.names().InternStream(0, 7, kAbsent);
    row.name = builder_.Intern(name);
    row.kind = GpuSpanKind::kAnnotation;
    row.start_ns = start_ns;
    row.duration_ns = end_ns - start_ns;
    row.external_id = id;
    builder_.Add(row);
    return *this;
  }
  Trace Seal() { return std::move(builder_).Seal(); }

 private:
  TraceBuilder builder_;
};

const KeyAverageRow& RowOf(const KeyAverages& averages, std::string_view name, std::string_view shapes = "") {
  static const KeyAverageRow kMissing;
  for (const KeyAverageRow& row : averages.rows) {
    if (row.name == name && row.shapes == shapes) return row;
  }
  ADD_FAILURE() << "no row " << name;
  return kMissing;
}

TEST(KeyAveragesTest, SelfIsWithoutDirectChildrenAndTotalHoldsAllBelow) {
  const Trace trace = Recording()
                          .Host(HostKind::kOp, "linear", 0, 100, 1)
                          .Host(HostKind::kOp, "mm", 10, 60, 2)
                          .Host(HostKind::kApi, "cudaLaunchKernel", 20, 30, 77)
                          .Kernel("gemm", 40, 90, 2)
                          .Kernel("bias", 90, 95, 1)
                          .Seal();
  const KeyAverages averages = ComputeKeyAverages(trace, {}, {});
  EXPECT_EQ(RowOf(averages, "linear").self_cpu_ns, 50);
  EXPECT_EQ(RowOf(averages, "linear").cpu_ns, 100);
  EXPECT_EQ(RowOf(averages, "linear").self_gpu_ns, 5);
  EXPECT_EQ(RowOf(averages, "linear").gpu_ns, 55);
  EXPECT_EQ(RowOf(averages, "mm").self_cpu_ns, 40);
  EXPECT_EQ(RowOf(averages, "mm").gpu_ns, 50);
  EXPECT_EQ(RowOf(averages, "cudaLaunchKernel").cpu_ns, 10);
  EXPECT_EQ(RowOf(averages, "cudaLaunchKernel").gpu_ns, std::nullopt);
  EXPECT_EQ(RowOf(averages, "gemm").kind, KeyAverageKind::kKernel);
  EXPECT_EQ(RowOf(averages, "gemm").cpu_ns, std::nullopt);
  EXPECT_EQ(averages.total_self_cpu_ns, 100);
  EXPECT_EQ(averages.total_self_gpu_ns, 55);
}

TEST(KeyAveragesTest, AnOnlyChildOfTheSameNameIsOneNodeWithItsParent) {
  const Trace trace = Recording()
                          .Host(HostKind::kOp, "mul", 0, 100, 1, "[[1]]")
                          .Host(HostKind::kOp, "mul", 10, 90, 2, "[[2]]")
                          .Host(HostKind::kOp, "mul", 20, 80, 3)
                          .Host(HostKind::kOp, "empty", 30, 40, 4)
                          .Host(HostKind::kOp, "mul", 40, 50, 5)
                          .Kernel("k", 60, 70, 3)
                          .Seal();
  const KeyAverages averages = ComputeKeyAverages(trace, {}, {});
  EXPECT_EQ(RowOf(averages, "mul").calls, 2);  // the chain, and the one that has a sibling
  EXPECT_EQ(RowOf(averages, "mul").cpu_ns, 110);
  EXPECT_EQ(RowOf(averages, "mul").self_cpu_ns, 90);
  EXPECT_EQ(RowOf(averages, "mul").self_gpu_ns, 10);
  EXPECT_EQ(RowOf(averages, "mul").gpu_ns, 10);
  // By shape the node has the shapes of its outermost event.
  const KeyAverages by_shape = ComputeKeyAverages(trace, {}, {.by_shape = true});
  EXPECT_EQ(RowOf(by_shape, "mul", "[[1]]").self_gpu_ns, 10);
  EXPECT_EQ(RowOf(by_shape, "mul", "[[1]]").self_cpu_ns, 80);
}

TEST(KeyAveragesTest, OverheadIsAChildOfWhatContainsItAndInheritsNothing) {
  const Trace trace = Recording()
                          .Host(HostKind::kOp, "gather", 0, 100, 1)
                          .Host(HostKind::kOverhead, "Activity Buffer Request", 20, 60, 1)
                          .Kernel("k", 100, 130, 1)
                          .Seal();
  const KeyAverages averages = ComputeKeyAverages(trace, {}, {});
  EXPECT_EQ(RowOf(averages, "gather").self_cpu_ns, 60);
  EXPECT_EQ(RowOf(averages, "gather").gpu_ns, 30);
  EXPECT_EQ(RowOf(averages, "Activity Buffer Request").self_cpu_ns, 40);
  EXPECT_EQ(RowOf(averages, "Activity Buffer Request").gpu_ns, std::nullopt);
  EXPECT_EQ(averages.total_self_cpu_ns, 100);
}

TEST(KeyAveragesTest, AnnotationsEnterNoSumAndTheirSpansNoGpuTime) {
  const Trace trace = Recording()
                          .Host(HostKind::kRange, "ProfilerStep#3", 0, 100, 1)
                          .Host(HostKind::kRange, "ProfilerStep#4", 100, 200, 2)
                          .Host(HostKind::kOp, "add", 10, 20, 3)
                          .Kernel("k", 30, 50, 3)
                          .Span("ProfilerStep#3", 30, 50, 1)
                          .Seal();
  const KeyAverages averages = ComputeKeyAverages(trace, {}, {});
  const KeyAverageRow& step = RowOf(averages, "ProfilerStep*");
  EXPECT_EQ(step.calls, 2);
  EXPECT_EQ(step.self_cpu_ns, 190);
  EXPECT_EQ(step.self_gpu_ns, 0);
  EXPECT_EQ(step.gpu_ns, 20);
  EXPECT_EQ(step.gpu_projection_ns, 20);
  EXPECT_EQ(RowOf(averages, "add").gpu_projection_ns, std::nullopt);
  EXPECT_EQ(averages.total_self_cpu_ns, 10);
  EXPECT_EQ(averages.total_self_gpu_ns, 20);
}

TEST(KeyAveragesTest, CallsOfAnyTracedLibraryAreCalls) {
  TraceBuilder builder;
  HostEventRow row;
  row.thread = builder.names().InternThread("1", "1");
  row.kind = HostKind::kOther;
  row.name = builder.Intern("ioctl");
  row.types = builder.Intern("OS runtime");
  row.duration_ns = 5;
  builder.Add(row);
  row.name = builder.Intern("of a category that is not known");
  row.types = StringId::kEmpty;
  row.start_ns = 10;
  builder.Add(row);
  const Trace trace = std::move(builder).Seal();
  const KeyAverages averages = ComputeKeyAverages(trace, {}, {});
  EXPECT_EQ(RowOf(averages, "ioctl").kind, KeyAverageKind::kApi);
  EXPECT_EQ(RowOf(averages, "of a category that is not known").kind, KeyAverageKind::kOp);
}

TEST(KeyAveragesTest, AWindowCutsTimeAndCountsWhatStartsInIt) {
  const Trace trace = Recording()
                          .Host(HostKind::kOp, "a", 0, 100, 1)
                          .Host(HostKind::kOp, "b", 40, 60, 2)
                          .Host(HostKind::kOp, "late", 200, 300, 3)
                          .Kernel("k", 45, 75, 2)
                          .Seal();
  const KeyAverages averages = ComputeKeyAverages(trace, {Interval{50, 150}, {}}, {});
  EXPECT_EQ(averages.rows.size(), 3u);
  EXPECT_EQ(RowOf(averages, "a").calls, 0);
  EXPECT_EQ(RowOf(averages, "a").cpu_ns, 50);
  EXPECT_EQ(RowOf(averages, "a").self_cpu_ns, 40);
  EXPECT_EQ(RowOf(averages, "b").cpu_ns, 10);
  EXPECT_EQ(RowOf(averages, "k").gpu_ns, 25);
  EXPECT_EQ(RowOf(averages, "k").calls, 0);
  // Consecutive windows add up.
  const KeyAverages before = ComputeKeyAverages(trace, {Interval{0, 50}, {}}, {});
  EXPECT_EQ(*RowOf(before, "a").self_cpu_ns + *RowOf(averages, "a").self_cpu_ns, 80);
  EXPECT_EQ(RowOf(before, "a").calls, 1);
}

TEST(KeyAveragesTest, ADeviceCutsGpuWorkOnly) {
  const Trace trace =
      Recording().Host(HostKind::kOp, "a", 0, 100, 1).Kernel("k", 10, 20, 1, 0).Kernel("k", 10, 40, 1, 1).Seal();
  const KeyAverages averages = ComputeKeyAverages(trace, {{}, 1}, {});
  EXPECT_EQ(RowOf(averages, "a").cpu_ns, 100);
  EXPECT_EQ(RowOf(averages, "a").gpu_ns, 30);
  EXPECT_EQ(RowOf(averages, "k").calls, 1);
}

TEST(KeyAveragesTest, StacksTellRowsApartByTheInnermostFrames) {
  const Trace trace = Recording()
                          .Host(HostKind::kPythonFrame, "main", 0, 1000)
                          .Host(HostKind::kPythonFrame, "q_proj", 10, 100)
                          .Host(HostKind::kPythonFrame, "k_proj", 100, 200)
                          .Host(HostKind::kOp, "linear", 20, 30, 1)
                          .Host(HostKind::kOp, "linear", 110, 120, 2)
                          .Host(HostKind::kOp, "linear", 300, 310, 3)
                          .Kernel("gemm", 20, 40, 2)
                          .Seal();
  const KeyAverages by_one = ComputeKeyAverages(trace, {}, {.stack_frames = 1});
  ASSERT_EQ(by_one.rows.size(), 4u);
  EXPECT_EQ(by_one.rows[0].frames, std::vector<std::string_view>{"k_proj"});  // GPU work is summed first
  EXPECT_EQ(by_one.rows[0].self_gpu_ns, 20);
  const KeyAverages by_two = ComputeKeyAverages(trace, {}, {.stack_frames = 2});
  const std::vector<std::string_view> expected = {"k_proj", "main"};
  EXPECT_EQ(by_two.rows[0].frames, expected);
}

TEST(KeyAveragesTest, AbsentIsNotZero) {
  const Trace host_only = Recording().Host(HostKind::kOp, "a", 0, 100, 1).Seal();
  const KeyAverages averages = ComputeKeyAverages(host_only, {}, {});
  EXPECT_EQ(RowOf(averages, "a").gpu_ns, std::nullopt);
  EXPECT_EQ(averages.total_self_gpu_ns, std::nullopt);
  EXPECT_FALSE(CheckKeyAverages(host_only, {.by_shape = true}).ok());
  EXPECT_FALSE(CheckKeyAverages(host_only, {.stack_frames = 1}).ok());
  EXPECT_FALSE(CheckKeyAverages(Recording().Seal(), {}).ok());
  EXPECT_TRUE(CheckKeyAverages(host_only, {}).ok());
}

}  // namespace
}  // namespace warpsight
