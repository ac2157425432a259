#include "analysis/attribution_pass.h"

#include <gtest/gtest.h>

#include "analysis/eager_trace.h"

namespace warpsight {
namespace {

std::string_view NameOf(const Trace& trace, uint32_t host_row) {
  return host_row == kNoRow ? std::string_view() : trace.Text(trace.host().name[host_row]);
}

TEST(AttributionPassTest, OpModuleRangeAndStep) {
  EagerTrace make;
  make.Range("ProfilerStep#1", 0, 1000);
  make.Range("mine", 0, 190);
  make.Frame("nn.Module: LlamaAttention_0", 0, 900);
  make.Frame("nn.Module: Linear_4", 0, 150);
  make.Frame("torch/nn/modules/linear.py(130): forward", 10, 120);
  make.Linear(1, 8, 8);
  make.Op("aten::add", "[[1, 8], [1, 8], []]", "add");
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Attribution& attribution = *analysis.Get<AttributionPass>();
  ASSERT_EQ(trace.gpu().size(), 2u);
  EXPECT_EQ(NameOf(trace, attribution.op[0]), "aten::mm");
  EXPECT_EQ(NameOf(trace, attribution.frame[0]), "torch/nn/modules/linear.py(130): forward");
  EXPECT_EQ(NameOf(trace, attribution.module[0]), "nn.Module: Linear_4");
  EXPECT_EQ(NameOf(trace, attribution.range[0]), "mine");
  EXPECT_EQ(attribution.step[0], 0);
  EXPECT_EQ(attribution.confidence[0], Confidence::kContainment);
  EXPECT_EQ(NameOf(trace, attribution.module[1]), "nn.Module: LlamaAttention_0");
  EXPECT_EQ(attribution.range[1], kNoRow);
  EXPECT_EQ(attribution.counts[static_cast<size_t>(Confidence::kContainment)], 2);
}

TEST(AttributionPassTest, ExternalIdsThatAgreeAndThatDoNot) {
  EagerTrace make;
  const auto op = [&](Ns start, uint32_t id) {
    HostEventRow row;
    row.kind = HostKind::kOp;
    row.name = make.builder().Intern("aten::add");
    row.thread = make.builder().names().InternThread("1", "1");
    row.start_ns = start;
    row.duration_ns = 50;
    row.external_id = id;
    make.builder().Add(row);
  };
  const auto launch = [&](Ns start, uint32_t correlation, uint32_t id) {
    HostEventRow call;
    call.kind = HostKind::kApi;
    call.name = make.builder().Intern("cudaLaunchKernel");
    call.thread = make.builder().names().InternThread("1", "1");
    call.start_ns = start;
    call.duration_ns = 5;
    call.correlation = correlation;
    make.builder().Add(call);
    GpuWorkRow work;
    work.name = make.builder().Intern("kernel");
    work.stream = make.builder().names().InternStream(0, 7, kAbsent);
    work.start_ns = start + 20;
    work.duration_ns = 5;
    work.correlation = correlation;
    work.external_id = id;
    make.builder().Add(work);
  };
  op(0, 11);
  op(100, 12);
  launch(10, 1, 11);
  launch(110, 2, 11);  // stands in op 12, says op 11
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Attribution& attribution = *analysis.Get<AttributionPass>();
  EXPECT_EQ(attribution.confidence[0], Confidence::kExact);
  EXPECT_EQ(attribution.confidence[1], Confidence::kContainment);
  EXPECT_EQ(attribution.op[1], attribution.op[0]);
  EXPECT_EQ(attribution.disagreements, 1);
}

TEST(AttributionPassTest, BackwardWorkFindsItsForwardOp) {
  EagerTrace make;
  make.WithSequence(100);
  make.Op("aten::mul", "[[4], [4]]", "mul");  // 101
  make.Op("aten::silu", "[[4]]", "silu");     // 102
  make.OnThread(2);
  make.BackwardOp("autograd::engine::evaluate_function: SiluBackward0", 102, 1, "silu_backward");
  make.BackwardOp("autograd::engine::evaluate_function: MulBackward0", 101, 1, "mul");
  make.BackwardOp("autograd::engine::evaluate_function: AddBackward0", 77, 1, "add");
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Attribution& attribution = *analysis.Get<AttributionPass>();
  EXPECT_EQ(attribution.phase[0], Phase::kForward);
  EXPECT_EQ(attribution.phase[2], Phase::kBackward);
  EXPECT_EQ(NameOf(trace, attribution.forward_op[2]), "aten::silu");
  EXPECT_EQ(NameOf(trace, attribution.forward_op[3]), "aten::mul");
  EXPECT_EQ(attribution.forward_op[4], kNoRow);
  EXPECT_EQ(attribution.backward, 3);
  EXPECT_EQ(attribution.backward_joined, 2);
}

TEST(AttributionPassTest, AReplayHasNoOpOfItsOwn) {
  EagerTrace make;
  make.Range("decode", 0, 1000);
  make.Graph({"nvjet_gemm", "flash_fwd_kernel", "mystery"});
  make.Orphan("nvjet_gemm");
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Attribution& attribution = *analysis.Get<AttributionPass>();
  EXPECT_EQ(attribution.replayed[0], 1);
  EXPECT_EQ(attribution.op[0], kNoRow);
  EXPECT_EQ(NameOf(trace, attribution.range[0]), "decode");
  EXPECT_EQ(attribution.confidence[0], Confidence::kName);
  EXPECT_EQ(attribution.confidence[2], Confidence::kNone);
  EXPECT_EQ(attribution.replayed[3], 0);
  EXPECT_EQ(attribution.order.back(), 3u);  // work without a launch stands last
}

// The k-th kernel of a replay was launched by the k-th launch of the capture.
TEST(AttributionPassTest, AReplayHasTheOpsAndRangesOfItsCapture) {
  EagerTrace make;
  make.BeginCapture();
  const Ns attention = make.now();
  make.Op("aten::mm", "[[2, 4], [4, 8]]", "captured");
  make.Op("aten::softmax", "[[2, 8]]", "captured");
  make.Range("attention", attention, make.now() - attention);
  make.Op("aten::add", "[[2, 8]]", "captured");
  make.EndCapture();
  const Ns replay = make.now();
  make.Graph({"nvjet_gemm", "softmax_kernel", "elementwise_kernel"});
  make.Range("decode", replay, 1000);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Attribution& attribution = *analysis.Get<AttributionPass>();
  const auto of = [&](std::string_view kernel) {
    for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
      if (attribution.replayed[row] != 0 && trace.Text(trace.gpu().name[row]) == kernel)
        return std::pair(std::string(NameOf(trace, attribution.op[row])),
                         std::string(NameOf(trace, attribution.range[row])));
    }
    return std::pair<std::string, std::string>();
  };
  EXPECT_EQ(of("nvjet_gemm"), std::pair(std::string("aten::mm"), std::string("attention")));
  EXPECT_EQ(of("softmax_kernel"), std::pair(std::string("aten::softmax"), std::string("attention")));
  EXPECT_EQ(of("elementwise_kernel"), std::pair(std::string("aten::add"), std::string("decode")));
}

// Also where a replay runs them in another order than they were captured in, as branches of a graph do.
TEST(AttributionPassTest, AReplayIsToldByTheNodesOfItsGraph) {
  EagerTrace make;
  make.BeginCapture();
  const Ns attention = make.now();
  make.GraphNode(attention + 52, 101);
  make.Op("aten::mm", "[[2, 4], [4, 8]]", "captured");
  make.Range("attention", attention, make.now() - attention);
  make.GraphNode(make.now() + 52, 102);
  make.Op("aten::add", "[[2, 8]]", "captured");
  make.EndCapture();
  // Clones come up twice, and clones of clones lead to the same node.
  make.GraphNode(make.now(), 201);
  make.GraphNode(make.now(), 201, 101);
  make.GraphNode(make.now(), 202, 102);
  make.GraphNode(make.now(), 302, 202);
  make.GraphNode(make.now(), 401, 402);  // damage: one another's originals
  make.GraphNode(make.now(), 402, 401);
  make.Graph({"elementwise_kernel", "nvjet_gemm", "of_no_node", "of_unknown_node", "of_a_circle"}, {302, 201, 0, 999, 401});
  const Trace trace = make.Seal();
  EXPECT_EQ(trace.graph_nodes().size(), 8u);
  Analysis analysis(trace, {});
  const Attribution& attribution = *analysis.Get<AttributionPass>();
  const auto row_of = [&](std::string_view kernel) {
    uint32_t row = 0;
    while (trace.Text(trace.gpu().name[row]) != kernel) ++row;
    return row;
  };
  const uint32_t gemm = row_of("nvjet_gemm");
  EXPECT_EQ(NameOf(trace, attribution.op[gemm]), "aten::mm");
  EXPECT_EQ(NameOf(trace, attribution.range[gemm]), "attention");
  EXPECT_EQ(attribution.confidence[gemm], Confidence::kGraphNode);
  const uint32_t add = row_of("elementwise_kernel");
  EXPECT_EQ(NameOf(trace, attribution.op[add]), "aten::add");
  EXPECT_EQ(attribution.range[add], kNoRow);
  for (const std::string_view kernel : {"of_no_node", "of_unknown_node", "of_a_circle"})
    EXPECT_EQ(attribution.op[row_of(kernel)], kNoRow) << kernel;
}

// Rows of two recordings would be read in the columns of one.
TEST(AttributionPassTest, NodesAndAReferenceAreNotMixed) {
  EagerTrace captured;
  captured.BeginCapture();
  captured.Op("aten::mm", "[[2, 4], [4, 8]]", "captured");
  captured.EndCapture();
  const Trace reference = captured.Seal();
  EagerTrace make;
  make.GraphNode(make.now() + 52, 101);
  make.Op("aten::add", "[[2, 8]]", "add");
  make.Graph({"elementwise_kernel"}, {101});
  make.Graph({"nvjet_gemm"}, {999});
  const Trace trace = make.Seal();
  Given given;
  given.reference = &reference;
  Analysis analysis(trace, {}, given);
  const Attribution& attribution = *analysis.Get<AttributionPass>();
  EXPECT_EQ(attribution.capture, &trace);
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
    if (trace.Text(trace.gpu().name[row]) == "nvjet_gemm") EXPECT_EQ(attribution.captured[row], 0);
    if (trace.Text(trace.gpu().name[row]) == "elementwise_kernel")
      EXPECT_EQ(NameOf(trace, attribution.op[row]), "aten::add");
  }
}

TEST(AttributionPassTest, TheOptimizerIsAPhase) {
  EagerTrace make;
  make.Range("Optimizer.step#AdamW.step", 0, 150);
  make.Op("aten::add_", "[[4], [4], []]", "add");
  make.Orphan("multi_tensor_apply_kernel<AdamFunctor>");
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const Attribution& attribution = *analysis.Get<AttributionPass>();
  EXPECT_EQ(attribution.phase[0], Phase::kOptimizer);
  EXPECT_EQ(attribution.phase[1], Phase::kOptimizer);
}

TEST(AttributionPassTest, LacksGpuWork) {
  EagerTrace make;
  make.Range("x", 0, 10);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(analysis.Get<AttributionPass>().status().kind(), StatusKind::kLacks);
}

}  // namespace
}  // namespace warpsight
