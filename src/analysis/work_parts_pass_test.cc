#include "analysis/work_parts_pass.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/eager_trace.h"
#include "analysis/model_pass.h"
#include "analysis/parts_pass.h"

namespace warpsight {
namespace {

constexpr int kH = 64;
constexpr int kKv = 16;
constexpr int kF = 160;
constexpr int kV = 500;

void Norm(EagerTrace& make) {
  make.Op("aten::to", "[[1, 1, 64], []]", "direct_copy_kernel");
  make.Op("aten::pow", "[[1, 1, 64], []]", "pow_tensor_scalar");
  make.Op("aten::mean", "[[1, 1, 64], []]", "MeanOps");
  make.Op("aten::add", "[[1, 1, 1], [], []]", "CUDAFunctorOnSelf_add");
  make.Op("aten::rsqrt", "[[1, 1, 1]]", "rsqrt_kernel");
  make.Op("aten::mul", "[[1, 1, 64], [1, 1, 1]]", "MulFunctor");
  make.Op("aten::to", "[[1, 1, 64], []]", "float16_copy_kernel");
  make.Op("aten::mul", "[[64], [1, 1, 64]]", "MulFunctor");
}
void Rotate(EagerTrace& make) {
  make.Op("aten::mul", "[[1, 4, 1, 16], [1, 1, 1, 16]]", "MulFunctor");
  make.Op("aten::neg", "[[1, 4, 1, 8]]", "neg_kernel");
  make.Op("aten::cat", "[[[1, 4, 1, 8], [1, 4, 1, 8]], []]", "CatArrayBatchedCopy");
  make.Op("aten::mul", "[[1, 4, 1, 16], [1, 1, 1, 16]]", "MulFunctor");
  make.Op("aten::add", "[[1, 4, 1, 16], [1, 4, 1, 16], []]", "CUDAFunctor_add");
}
void Layer(EagerTrace& make) {
  Norm(make);
  make.Linear(1, kH, kH);
  make.Linear(1, kH, kKv);
  make.Linear(1, kH, kKv);
  Rotate(make);
  Rotate(make);
  make.Op("aten::cat", "[[[1, 1, 9, 16], [1, 1, 1, 16]], []]", "CatArrayBatchedCopy");
  make.Op("aten::cat", "[[[1, 1, 9, 16], [1, 1, 1, 16]], []]", "CatArrayBatchedCopy");
  make.Op("aten::scaled_dot_product_attention", "[[1, 4, 1, 16], [1, 1, 10, 16], [1, 1, 10, 16]]", "flash_fwd_kernel");
  make.Linear(1, kH, kH);
  make.Op("aten::add", "[[1, 1, 64], [1, 1, 64], []]", "CUDAFunctor_add");
  Norm(make);
  make.Linear(1, kH, kF);
  make.Op("aten::silu", "[[1, 1, 160]]", "silu_kernel");
  make.Linear(1, kH, kF);
  make.Op("aten::mul", "[[1, 1, 160], [1, 1, 160]]", "MulFunctor");
  make.Linear(1, kF, kH);
  make.Op("aten::add", "[[1, 1, 64], [1, 1, 64], []]", "CUDAFunctor_add");
}
void Decode(EagerTrace& make, int layers) {
  const Ns start = make.now();
  make.Op("aten::embedding", "[[500, 64], [1, 1], [], [], []]", "indexSelectSmallIndex");
  for (int layer = 0; layer < layers; ++layer) Layer(make);
  Norm(make);
  make.Linear(1, kH, kV);
  make.Op("aten::argmax", "[[1, 500], [], []]", "ArgMaxOps");
  make.Range("ProfilerStep#" + std::to_string(start), start, make.now() - start);
}

std::vector<std::string> PartsOf(const Trace& trace, Given given = {}) {
  Analysis analysis(trace, {}, given);
  const WorkParts& parts = *analysis.Get<WorkPartsPass>();
  std::vector<std::string> names;
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) names.emplace_back(PartName(parts.part(row)));
  return names;
}

TEST(WorkPartsPassTest, AnEagerLayerIsReadFromItsOrder) {
  EagerTrace make;
  Decode(make, 2);
  const Trace trace = make.Seal();
  const std::vector<std::string> parts = PartsOf(trace);
  std::vector<std::string> layer(8, "norm");
  for (const char* part : {"q", "k", "v"}) layer.emplace_back(part);
  layer.insert(layer.end(), 10, "rotary");
  for (const char* part : {"kv_cache", "kv_cache", "attention", "o", "residual"}) layer.emplace_back(part);
  layer.insert(layer.end(), 8, "norm");
  for (const char* part : {"gate", "activation", "up", "activation", "down", "residual"}) layer.emplace_back(part);
  std::vector<std::string> expected = {"embedding"};
  for (int i = 0; i < 2; ++i) expected.insert(expected.end(), layer.begin(), layer.end());
  expected.insert(expected.end(), 8, "norm");
  expected.emplace_back("lm_head");
  expected.emplace_back("sampling");
  EXPECT_EQ(parts, expected);
}

// A program that puts a range around each of its modules gets the parts that it gets without: paths name some of the work,
// the order of all of it tells the rest.
TEST(WorkPartsPassTest, ModulePathsInRangesAgreeWithTheOrder) {
  const auto named = [](EagerTrace& make, const char* path, int in, int out) {
    const Ns start = make.now();
    make.Linear(1, in, out);
    make.Range(path, start, make.now() - start);
  };
  EagerTrace make;
  const Ns start = make.now();
  make.Op("aten::embedding", "[[500, 64], [1, 1], [], [], []]", "indexSelectSmallIndex");
  Norm(make);
  named(make, "mod::model.layers.0.self_attn.q_proj", kH, kH);
  named(make, "mod::model.layers.0.self_attn.k_proj", kH, kKv);
  named(make, "mod::model.layers.0.self_attn.v_proj", kH, kKv);
  Rotate(make);
  Rotate(make);
  make.Op("aten::cat", "[[[1, 1, 9, 16], [1, 1, 1, 16]], []]", "CatArrayBatchedCopy");
  make.Op("aten::cat", "[[[1, 1, 9, 16], [1, 1, 1, 16]], []]", "CatArrayBatchedCopy");
  make.Op("aten::scaled_dot_product_attention", "[[1, 4, 1, 16], [1, 1, 10, 16], [1, 1, 10, 16]]", "flash_fwd_kernel");
  named(make, "mod::model.layers.0.self_attn.o_proj", kH, kH);
  make.Op("aten::add", "[[1, 1, 64], [1, 1, 64], []]", "CUDAFunctor_add");
  const Ns norm = make.now();
  Norm(make);
  make.Range("mod::model.layers.0.post_attention_layernorm", norm, make.now() - norm);
  named(make, "mod::model.layers.0.mlp.gate_proj", kH, kF);
  make.Op("aten::silu", "[[1, 1, 160]]", "silu_kernel");
  named(make, "mod::model.layers.0.mlp.up_proj", kH, kF);
  make.Op("aten::mul", "[[1, 1, 160], [1, 1, 160]]", "MulFunctor");
  named(make, "mod::model.layers.0.mlp.c_proj", kF, kH);  // a name that says nothing by itself
  make.Op("aten::add", "[[1, 1, 64], [1, 1, 64], []]", "CUDAFunctor_add");
  Norm(make);
  named(make, "mod::lm_head", kH, kV);
  make.Op("aten::argmax", "[[1, 500], [], []]", "ArgMaxOps");
  make.Range("ProfilerStep#0", start, make.now() - start);
  EagerTrace plain;
  Decode(plain, 1);
  const Trace with = make.Seal();
  EXPECT_EQ(PartsOf(with), PartsOf(plain.Seal()));
  Analysis analysis(with, {});
  const PartsResult& parts = *analysis.Get<PartsPass>();
  for (const auto& row : parts.rows) {
    if (row.part == Part::kNorm) {
      EXPECT_EQ(row.calls, 3u);
    }
  }
}

TEST(WorkPartsPassTest, TheModelAndItsAccounting) {
  EagerTrace make;
  Decode(make, 3);
  Decode(make, 3);
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const ModelResult& model = *analysis.Get<ModelPass>();
  EXPECT_EQ(model.inferred.name, "Llama-like");
  EXPECT_EQ(model.inferred.layers, 3);
  EXPECT_EQ(model.inferred.hidden, kH);
  EXPECT_EQ(model.inferred.kv, kKv);
  EXPECT_EQ(model.inferred.ffn, kF);
  EXPECT_EQ(model.inferred.vocab, kV);
  EXPECT_EQ(model.inferred.heads, 4);
  EXPECT_EQ(model.batch, 1);
  EXPECT_EQ(model.attention_backend, "flash");
  const PartsResult& parts = *analysis.Get<PartsPass>();
  ASSERT_GE(parts.accounting.size(), 4u);
  EXPECT_EQ(parts.accounting[0].what, "linear calls");
  EXPECT_EQ(parts.accounting[0].expected, 22);
  for (size_t line = 0; line < 4; ++line) EXPECT_TRUE(parts.accounting[line].ok) << parts.accounting[line].what;
  Ns sum = 0;
  for (const PartRow& row : parts.rows) sum += row.gpu_ns;
  EXPECT_EQ(sum, parts.gpu_work_ns);
}

TEST(WorkPartsPassTest, AWindowCutsTimesAndCountsStarts) {
  EagerTrace make;
  Decode(make, 1);
  const Ns border = make.now();
  Decode(make, 1);
  const Trace trace = make.Seal();
  Analysis all(trace, {});
  Analysis half(trace, {.range = Interval{0, border}, .device = {}});
  EXPECT_EQ(all.Get<PartsPass>()->gpu_work_ns, 2 * half.Get<PartsPass>()->gpu_work_ns);
  EXPECT_EQ(all.Get<PartsPass>()->rows.size(), half.Get<PartsPass>()->rows.size());
}

TEST(WorkPartsPassTest, AGivenModelThatDidNotRunIsSaid) {
  EagerTrace make;
  Decode(make, 2);
  const Trace trace = make.Seal();
  ModelDescription given;
  given.name = "other";
  given.layers = 4;
  given.hidden = kH;
  Analysis analysis(trace, {}, {.model = &given});
  const PartsResult& parts = *analysis.Get<PartsPass>();
  ASSERT_GE(parts.accounting.size(), 2u);
  EXPECT_EQ(parts.accounting[0].what, "layers");
  EXPECT_FALSE(parts.accounting[0].ok);
  EXPECT_FALSE(parts.accounting[0].cause.empty());
  EXPECT_TRUE(parts.accounting[1].ok);  // hidden size
}

TEST(WorkPartsPassTest, ReplaysTakeTheReferencesParts) {
  EagerTrace eager;
  Decode(eager, 2);
  const Trace reference = eager.Seal();
  EagerTrace graph;
  // One layer's mlp and head, with a kernel more than the reference has, and names of another shape.
  graph.Graph({"something_new", "nvjet_gemm", "silu_kernel", "nvjet_gemm", "MulFunctor", "nvjet_gemm", "CUDAFunctor_add"});
  const Trace trace = graph.Seal();
  Analysis analysis(trace, {}, {.reference = &reference});
  const WorkParts& parts = *analysis.Get<WorkPartsPass>();
  ASSERT_TRUE(parts.alignment.has_value());
  EXPECT_EQ(parts.alignment->replays, 1);
  EXPECT_EQ(parts.alignment->kernels, 7);
  EXPECT_EQ(parts.alignment->aligned, 6);
  EXPECT_EQ(parts.part(2), Part::kActivation);
  EXPECT_EQ(parts.confidence[2], Confidence::kAligned);
  EXPECT_EQ(parts.confidence[0], Confidence::kNone);
}

// The kernels of one layer in their order, with names that say little.
void GraphOfALayer(EagerTrace& make) {
  make.Graph({"k0",      "k1",      "k2",         "k3", "k4",       "k5", "k6",         "k7",
              "nvjet_q", "nvjet_k", "nvjet_v",    "r0", "r1",       "r2", "r3",         "r4",
              "r5",      "r6",      "r7",         "r8", "r9",       "c0", "c1",         "flash_fwd_kernel",
              "nvjet_o", "a",       "n0",         "n1", "n2",       "n3", "n4",         "n5",
              "n6",      "n7",      "nvjet_gate", "s",  "nvjet_up", "m",  "nvjet_down", "b"});
}

TEST(WorkPartsPassTest, ReplaysHaveTheOpsOfTheirCapture) {
  EagerTrace here;
  here.BeginCapture();
  Layer(here);
  here.EndCapture();
  GraphOfALayer(here);
  const Trace same = here.Seal();
  EagerTrace before;
  before.BeginCapture();
  Layer(before);
  before.EndCapture();
  before.Orphan("some_kernel");
  const Trace capture = before.Seal();
  EagerTrace after;
  GraphOfALayer(after);
  const Trace replay = after.Seal();
  for (const auto& [trace, given] : {std::pair<const Trace*, Given>{&same, {}}, {&replay, {.reference = &capture}}}) {
    Analysis analysis(*trace, {}, given);
    const WorkParts& parts = *analysis.Get<WorkPartsPass>();
    ASSERT_TRUE(parts.alignment.has_value());
    EXPECT_EQ(parts.alignment->captured, 40);
    EXPECT_EQ(parts.part(0), Part::kNorm);
    EXPECT_EQ(parts.part(8), Part::kQ);
    EXPECT_EQ(parts.part(11), Part::kRotary);
    EXPECT_EQ(parts.part(22), Part::kKvCache);
    EXPECT_EQ(parts.part(39), Part::kResidual);
    EXPECT_EQ(parts.confidence[0], Confidence::kAligned);
    EXPECT_EQ(analysis.Get<ModelPass>()->inferred.ffn, kF);
  }
}

TEST(WorkPartsPassTest, ACaptureOfSomethingElseIsNotTaken) {
  EagerTrace make;
  make.BeginCapture();
  Layer(make);
  make.EndCapture();
  make.Graph({"nvjet_gemm", "silu_kernel"});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const WorkParts& parts = *analysis.Get<WorkPartsPass>();
  EXPECT_FALSE(parts.alignment.has_value());
  EXPECT_EQ(parts.confidence[0], Confidence::kName);
}

TEST(WorkPartsPassTest, NamesAloneTellAServingLayer) {
  EagerTrace make;
  make.Graph({"indexSelectSmallIndex", "rms_norm_kernel", "nvjet_qkv", "rotary_embedding_kernel",
              "reshape_and_cache_flash_kernel", "paged_attention_v1", "nvjet_o", "fused_add_rms_norm_kernel",
              "nvjet_gate_up", "act_and_mul_kernel", "nvjet_down", "splitKreduce_kernel", "fused_add_rms_norm_kernel",
              "nvjet_head"});
  const Trace trace = make.Seal();
  EXPECT_EQ(PartsOf(trace), (std::vector<std::string>{"embedding", "norm", "qkv", "rotary", "kv_cache", "attention", "o",
                                                      "norm", "gate_up", "activation", "down", "down", "norm", "lm_head"}));
}

TEST(WorkPartsPassTest, MathAttentionAndAnEncoderLayer) {
  EagerTrace make;
  make.Op("aten::embedding", "[[500, 64], [1, 8], [], [], []]", "indexSelectSmallIndex");
  for (int i = 0; i < 3; ++i) make.Linear(8, 64, 64);
  // Lays out an operand of the product that follows.
  make.Op("aten::matmul", "[[1, 4, 8, 16], [1, 4, 16, 8]]", "direct_copy_kernel");
  make.Op("aten::bmm", "[[4, 8, 16], [4, 16, 8]]", "sm80_gemm");
  make.Op("aten::div", "[[4, 8, 8], []]", "DivFunctor");
  make.Op("aten::softmax", "[[4, 8, 8], [], []]", "softmax_warp_forward");
  make.Op("aten::bmm", "[[4, 8, 8], [4, 8, 16]]", "sm80_gemm");
  make.Op("aten::clone", "[[1, 8, 4, 16]]", "direct_copy_kernel");
  make.Linear(8, 64, 64);
  make.Op("aten::add", "[[1, 8, 64], [1, 8, 64], []]", "CUDAFunctor_add");
  make.Op("aten::layer_norm", "[[1, 8, 64], [], [64], [64], []]", "vectorized_layer_norm_kernel");
  make.Linear(8, 64, 256);
  make.Op("aten::gelu", "[[1, 8, 256], []]", "GeluCUDAKernelImpl");
  make.Linear(8, 256, 64);
  const Trace trace = make.Seal();
  EXPECT_EQ(PartsOf(trace),
            (std::vector<std::string>{"embedding", "q", "k", "v", "attention", "attention", "attention", "attention",
                                      "attention", "attention", "o", "residual", "norm", "up", "activation", "down"}));
}

TEST(WorkPartsPassTest, ExpertsBehindARouter) {
  EagerTrace make;
  make.Op("aten::embedding", "[[500, 64], [1, 1], [], [], []]", "indexSelectSmallIndex");
  for (int i = 0; i < 3; ++i) make.Linear(1, 64, 64);
  make.Op("aten::scaled_dot_product_attention", "[[1, 4, 1, 16], [1, 4, 10, 16], [1, 4, 10, 16]]", "flash_fwd_kernel");
  make.Linear(1, 64, 64);
  make.Op("aten::add", "[[1, 1, 64], [1, 1, 64], []]", "CUDAFunctor_add");
  make.Op("aten::rms_norm", "[[1, 1, 64]]", "rms_norm_kernel");
  make.Linear(1, 64, 8);
  make.Op("aten::softmax", "[[1, 8], [], []]", "softmax_warp_forward");
  make.Op("aten::topk", "[[1, 8], [], [], [], []]", "gatherTopK");
  make.Op("aten::sort", "[[2], [], [], []]", "bitonicSortKVInPlace");
  make.Op("aten::_grouped_mm", "[[2, 64], [8, 64, 96], [8]]", "grouped_mm");
  make.Op("aten::silu", "[[2, 48]]", "silu_kernel");
  make.Op("aten::_grouped_mm", "[[2, 48], [8, 48, 64], [8]]", "grouped_mm");
  make.Op("aten::add", "[[1, 1, 64], [1, 1, 64], []]", "CUDAFunctor_add");
  make.Op("aten::rms_norm", "[[1, 1, 64]]", "rms_norm_kernel");
  make.Linear(1, 64, 500);
  const Trace trace = make.Seal();
  EXPECT_EQ(PartsOf(trace),
            (std::vector<std::string>{"embedding", "q", "k", "v", "attention", "o", "residual", "norm", "router", "router",
                                      "router", "experts", "experts", "experts", "experts", "residual", "norm", "lm_head"}));
  Analysis analysis(trace, {});
  const ModelDescription& model = analysis.Get<ModelPass>()->inferred;
  EXPECT_EQ(model.experts, 8);
  EXPECT_EQ(model.moe_ffn, 48);
}

TEST(WorkPartsPassTest, BackwardIsOnePartWithTheForwardPartBeside) {
  EagerTrace make;
  make.WithSequence(10);
  make.Op("aten::conv2d", "[[1, 3, 8, 8], [4, 3, 3, 3]]", "conv2d_kernel");  // 11
  make.Op("aten::relu", "[[1, 4, 8, 8]]", "launch_clamp_scalar");            // 12
  make.OnThread(2);
  make.BackwardOp("autograd::engine::evaluate_function: ReluBackward0", 12, 1, "threshold");
  make.BackwardOp("autograd::engine::evaluate_function: ConvolutionBackward0", 11, 1, "dgrad_engine");
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  const WorkParts& parts = *analysis.Get<WorkPartsPass>();
  EXPECT_EQ(parts.part(0), Part::kConvolution);
  EXPECT_EQ(parts.part(2), Part::kBackward);
  EXPECT_EQ(parts.forward_part[parts.sequence.token_of(2)], Part::kActivation);
  EXPECT_EQ(parts.forward_part[parts.sequence.token_of(3)], Part::kConvolution);
  const PartsResult& result = *analysis.Get<PartsPass>();
  EXPECT_EQ(result.phases.size(), 2u);
  EXPECT_EQ(result.backward.size(), 2u);
}

TEST(WorkPartsPassTest, NothingOfATransformer) {
  EagerTrace make;
  make.Linear(4, 8, 8);
  make.Op("aten::relu", "[[4, 8]]", "launch_clamp_scalar");
  make.Op("aten::frobnicate", "[[4, 8]]", "mystery");
  const Trace trace = make.Seal();
  EXPECT_EQ(PartsOf(trace), (std::vector<std::string>{"linear", "activation", "other"}));
  Analysis analysis(trace, {});
  EXPECT_FALSE(analysis.Get<ModelPass>()->found);
  EXPECT_EQ(analysis.Get<PartsPass>()->other.size(), 1u);
  EXPECT_EQ(analysis.Get<PartsPass>()->other[0].op, "aten::frobnicate");
}

}  // namespace
}  // namespace warpsight
