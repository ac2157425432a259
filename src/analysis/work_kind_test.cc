#include "analysis/work_kind.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight {
namespace {

TEST(WorkKindTest, NamesRoundTrip) {
  for (int i = 0; i <= static_cast<int>(WorkKind::kMemset); ++i) {
    const auto kind = static_cast<WorkKind>(i);
    if (kind != WorkKind::kMemset) {
      EXPECT_EQ(ParseWorkKind(WorkKindName(kind)), kind) << i;
    }
  }
  EXPECT_EQ(ParseWorkKind("no such kind"), std::nullopt);
}

// Every row of data/work_kinds.toml: a source, and examples that classify as the rule says.
TEST(WorkKindTest, EveryKernelRuleHoldsItsExamples) {
  for (const KernelFamilyRule& rule : WorkKinds::Embedded().kernel_rules().rules()) {
    EXPECT_FALSE(rule.source.empty()) << rule.family;
    EXPECT_FALSE(rule.examples.empty()) << rule.family;
    for (const std::string& example : rule.examples) {
      const KernelFamilyRule* match = WorkKinds::Embedded().kernel_rules().Match(example);
      ASSERT_NE(match, nullptr) << example;
      EXPECT_EQ(match->family, rule.family) << example;
    }
  }
}

TEST(WorkKindTest, EveryOpRuleIsReached) {
  for (const WorkKinds::OpRule& rule : WorkKinds::Embedded().op_rules()) {
    EXPECT_FALSE(rule.source.empty()) << rule.pattern;
    if (rule.pattern.find('*') == std::string::npos) {
      EXPECT_EQ(WorkKinds::Embedded().OfOp(rule.pattern), rule.kind) << rule.pattern;
    }
  }
}

TEST(WorkKindTest, Ops) {
  const WorkKinds& kinds = WorkKinds::Embedded();
  EXPECT_EQ(kinds.OfOp("aten::_scaled_dot_product_cudnn_attention_backward"), WorkKind::kAttention);
  EXPECT_EQ(kinds.OfOp("aten::add_"), WorkKind::kAdd);
  EXPECT_EQ(kinds.OfOp("_C_cache_ops::reshape_and_cache_flash"), WorkKind::kKvCache);
  EXPECT_EQ(kinds.OfOp("my_op"), WorkKind::kNone);
}

TEST(WorkKindTest, KernelsThatComputeGradients) {
  const KernelKind kind = WorkKinds::Embedded().OfKernel("cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16");
  EXPECT_EQ(kind.kind, WorkKind::kAttention);
  EXPECT_TRUE(kind.backward);
  EXPECT_FALSE(WorkKinds::Embedded().OfKernel("flash_fwd_kernel").backward);
}

TEST(WorkKindTest, Scopes) {
  const WorkKinds& kinds = WorkKinds::Embedded();
  EXPECT_EQ(kinds.OfScope("nn.Module: LlamaRMSNorm_3"), WorkKind::kNorm);
  EXPECT_EQ(kinds.OfScope("transformers/models/llama/modeling_llama.py(137): apply_rotary_pos_emb"), WorkKind::kRotary);
  EXPECT_EQ(kinds.OfScope("transformers/cache_utils.py(129): update"), WorkKind::kKvCache);
  EXPECT_EQ(kinds.OfScope("nn.Module: LlamaAttention_0"), WorkKind::kNone);
  EXPECT_EQ(kinds.OfScope("torch/nn/functional.py(2375): silu"), std::nullopt);
}

TEST(WorkKindTest, ModulePaths) {
  const WorkKinds& kinds = WorkKinds::Embedded();
  EXPECT_EQ(kinds.OfPath("model.layers.0.self_attn.q_proj"), Part::kQ);
  EXPECT_EQ(kinds.OfPath("model.layers.0.mlp.gate_up_proj"), Part::kGateUp);
  EXPECT_EQ(kinds.OfPath("model.layers.0.self_attn"), std::nullopt);
  EXPECT_EQ(kinds.OfPath("key"), std::nullopt);
}

}  // namespace
}  // namespace warpsight
