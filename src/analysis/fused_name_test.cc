#include "analysis/fused_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpsight {
namespace {

using Ops = std::vector<std::string>;

TEST(FusedNameTest, OpsOfTheName) {
  EXPECT_EQ(FusedOps("triton_poi_fused__unsafe_view_mul_silu_9"), (Ops{"_unsafe_view", "mul", "silu"}));
  EXPECT_EQ(FusedOps("triton_red_fused__to_copy_add_embedding_mean_mul_pow_rsqrt_0"),
            (Ops{"_to_copy", "add", "embedding", "mean", "mul", "pow", "rsqrt"}));
  EXPECT_EQ(FusedOps("triton_poi_fused__scaled_dot_product_cudnn_attention__to_copy_add_bitwise_and_cat_4"),
            (Ops{"_scaled_dot_product_cudnn_attention", "_to_copy", "add", "bitwise_and", "cat"}));
  EXPECT_EQ(FusedOps("triton_poi_fused_unheardof_op_7"), (Ops{"unheardof", "op"}));
  EXPECT_EQ(FusedOps("triton_poi_fused_0"), Ops{});
  EXPECT_EQ(FusedOps("nvjet_sm90_tst"), Ops{});
}

struct FusedNameCase {
  const char* name;
  WorkKind kind;
  const char* meaning;
};

class FusedKindTest : public ::testing::TestWithParam<FusedNameCase> {};

TEST_P(FusedKindTest, KindAndMeaning) {
  const Ops ops = FusedOps(GetParam().name);
  EXPECT_EQ(FusedKind(ops), GetParam().kind) << GetParam().name;
  EXPECT_EQ(FusedMeaning(ops), GetParam().meaning) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Names, FusedKindTest,
    ::testing::Values(
        FusedNameCase{"triton_poi_fused__unsafe_view_mul_silu_9", WorkKind::kActivationAndMul, "SiLU, multiply"},
        FusedNameCase{"triton_red_fused__to_copy__unsafe_view_add_mean_mul_pow_rsqrt_12", WorkKind::kNorm,
                      "residual add, RMS norm"},
        FusedNameCase{"triton_red_fused__to_copy_add_embedding_mean_mul_pow_rsqrt_0", WorkKind::kNorm,
                      "embedding, residual add, RMS norm"},
        FusedNameCase{"triton_poi_fused__unsafe_view_add_bmm_cat_cos_mul_neg_sin_slice_transpose_unsqueeze_view_4",
                      WorkKind::kRotary, "rotary"},
        FusedNameCase{"triton_poi_fused__unsafe_view_add_arange_index_copy_transpose_view_3", WorkKind::kKvCache,
                      "KV cache, add"},
        FusedNameCase{"triton_per_fused__log_softmax__to_copy__unsafe_view_clone_nll_loss_forward_slice_sub_view_17",
                      WorkKind::kLoss, "loss"},
        FusedNameCase{"triton_poi_fused_add_copy__16", WorkKind::kAdd, "add"},
        FusedNameCase{"triton_poi_fused__to_copy_t_10", WorkKind::kCopy, "type conversion"},
        FusedNameCase{"triton_per_fused_add_native_layer_norm_3", WorkKind::kNorm, "residual add, layer norm"},
        FusedNameCase{"triton_poi_fused_add_arange_expand_le_scalar_tensor_unsqueeze_where_8", WorkKind::kMask,
                      "mask, add"}));

}  // namespace
}  // namespace warpsight
