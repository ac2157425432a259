// The list of operators with a known cost, and finding one by name.
#include <unordered_map>
#include <vector>

#include "analysis/op_cost.h"

namespace warpsight {
namespace {

using enum CostKind;

constexpr OpCostEntry Elementwise(std::string_view name, double flops = 1, int inputs = 2) {
  return {.name = name, .kind = kElementwise, .cost = ElementwiseCost, .flops_per_element = flops, .inputs = inputs};
}
constexpr OpCostEntry Unary(std::string_view name, double flops = 1) { return Elementwise(name, flops, 1); }
constexpr OpCostEntry Ternary(std::string_view name, double flops = 1) { return Elementwise(name, flops, 3); }
constexpr OpCostEntry Compare(std::string_view name) {
  return {.name = name,
          .kind = kElementwise,
          .cost = ElementwiseCost,
          .flops_per_element = 1,
          .inputs = 2,
          .result = ElementType::kBool};
}
constexpr OpCostEntry Reduction(std::string_view name) {
  return {.name = name, .kind = kReduction, .cost = ReadCost, .flops_per_element = 1};
}
constexpr OpCostEntry Fill(std::string_view name) { return {.name = name, .kind = kCopy, .cost = WriteCost}; }
constexpr OpCostEntry Norm(std::string_view name, double flops = 8) {
  return {.name = name, .kind = kNorm, .cost = ReadWriteCost, .flops_per_element = flops};
}
constexpr OpCostEntry Attention(std::string_view name, bool heads_first = true, int lengths = -1) {
  return {.name = name, .kind = kAttention, .cost = AttentionCost, .lengths = lengths, .heads_first = heads_first};
}
constexpr OpCostEntry AttentionBackward(std::string_view name, bool heads_first = true, int lengths = -1) {
  return {.name = name, .kind = kAttention, .cost = AttentionBackwardCost, .lengths = lengths, .heads_first = heads_first};
}
constexpr OpCostEntry Convolution(std::string_view name) {
  return {.name = name, .kind = kConvolution, .cost = ConvolutionCost, .needs_output = true};
}
constexpr OpCostEntry ByValues(std::string_view name, CostKind kind) {
  return {.name = name, .kind = kind, .cost = ValueDependentCost};
}

constexpr OpCostEntry kEntries[] = {
    // Matrix products.
    {.name = "aten::mm", .kind = kGemm, .cost = ProductCost},
    {.name = "aten::_scaled_mm", .kind = kGemm, .cost = ProductCost, .result = ElementType::kBf16},
    {.name = "aten::_int_mm", .kind = kGemm, .cost = ProductCost, .result = ElementType::kInt32},
    {.name = "aten::mv", .kind = kGemm, .cost = MatmulCost},
    {.name = "aten::dot", .kind = kGemm, .cost = MatmulCost},
    {.name = "aten::vdot", .kind = kGemm, .cost = MatmulCost},
    {.name = "aten::matmul", .kind = kGemm, .cost = MatmulCost},
    {.name = "aten::addmm", .kind = kGemm, .cost = AddedProductCost},
    {.name = "aten::_addmm_activation", .kind = kGemm, .cost = AddedProductCost},
    {.name = "aten::addmv", .kind = kGemm, .cost = AddedProductCost},
    {.name = "aten::bmm", .kind = kGemm, .cost = BatchProductCost},
    {.name = "aten::baddbmm", .kind = kGemm, .cost = AddedBatchProductCost},
    {.name = "aten::linear", .kind = kGemm, .cost = LinearCost},
    {.name = "triton_tem_fused*mm", .kind = kGemm, .cost = TritonProductCost},
    {.name = "triton_mm*", .kind = kGemm, .cost = TritonProductCost},

    // Convolutions.
    Convolution("aten::convolution"),
    Convolution("aten::_convolution"),
    Convolution("aten::cudnn_convolution"),
    Convolution("aten::cudnn_convolution_relu"),
    Convolution("aten::cudnn_convolution_add_relu"),
    Convolution("aten::miopen_convolution"),
    Convolution("aten::miopen_convolution_relu"),
    Convolution("aten::_conv_depthwise2d"),
    Convolution("aten::conv_depthwise3d"),
    Convolution("aten::miopen_depthwise_convolution"),
    Convolution("aten::_slow_conv2d_forward"),
    Convolution("aten::conv1d"),
    Convolution("aten::conv2d"),
    Convolution("aten::conv3d"),
    {.name = "aten::cudnn_convolution_transpose", .kind = kConvolution, .cost = TransposedConvolutionCost},
    {.name = "aten::miopen_convolution_transpose", .kind = kConvolution, .cost = TransposedConvolutionCost},
    {.name = "aten::convolution_backward", .kind = kConvolution, .cost = ConvolutionBackwardCost},
    // Before PyTorch 1.11; the ops below them do not show all sizes.
    {.name = "aten::cudnn_convolution_backward", .kind = kConvolution, .cost = InputFirstConvolutionBackwardCost},
    {.name = "aten::miopen_convolution_backward", .kind = kConvolution, .cost = InputFirstConvolutionBackwardCost},

    // Attention: PyTorch's own, by backend, and the FlashAttention package's.
    Attention("aten::scaled_dot_product_attention"),
    Attention("aten::_scaled_dot_product_flash_attention"),
    Attention("aten::_scaled_dot_product_efficient_attention"),
    Attention("aten::_scaled_dot_product_cudnn_attention"),
    Attention("aten::_scaled_dot_product_fused_attention_overrideable"),
    Attention("aten::_scaled_dot_product_attention_math"),
    Attention("aten::_cudnn_attention_forward"),
    Attention("aten::_flash_attention_forward", false, 3),
    Attention("aten::_efficient_attention_forward", false, 4),
    Attention("flash_attn::_flash_attn_forward", false),
    ByValues("flash_attn::_flash_attn_varlen_forward", kAttention),
    AttentionBackward("aten::_scaled_dot_product_flash_attention_backward"),
    AttentionBackward("aten::_scaled_dot_product_efficient_attention_backward"),
    AttentionBackward("aten::_scaled_dot_product_cudnn_attention_backward"),
    AttentionBackward("aten::_scaled_dot_product_fused_attention_overrideable_backward"),
    AttentionBackward("aten::_cudnn_attention_backward"),
    AttentionBackward("aten::_flash_attention_backward", false, 6),
    AttentionBackward("aten::_efficient_attention_backward", false, 6),
    AttentionBackward("flash_attn::_flash_attn_backward", false),
    ByValues("flash_attn::_flash_attn_varlen_backward", kAttention),
    ByValues("vllm::unified_attention*", kAttention),

    // Normalisation. A training batch norm needs two passes when the channel does not fit the chip; the bound counts one.
    Norm("aten::native_layer_norm"),
    Norm("aten::layer_norm"),
    Norm("aten::_fused_rms_norm", 6),
    Norm("aten::rms_norm", 6),
    Norm("aten::native_group_norm"),
    Norm("aten::native_batch_norm"),
    Norm("aten::_native_batch_norm_legit"),
    Norm("aten::cudnn_batch_norm"),
    Norm("aten::miopen_batch_norm"),
    Norm("aten::batch_norm"),
    Norm("aten::_batch_norm_impl_index"),
    Norm("aten::_batch_norm_with_update"),
    Norm("aten::native_layer_norm_backward", 14),
    Norm("aten::_fused_rms_norm_backward", 12),
    Norm("aten::native_group_norm_backward", 14),
    Norm("aten::native_batch_norm_backward", 14),
    Norm("aten::cudnn_batch_norm_backward", 14),
    Norm("aten::miopen_batch_norm_backward", 14),
    Norm("aten::batch_norm_backward", 14),
    {.name = "_C::rms_norm", .kind = kNorm, .cost = EachOnceCost, .flops_per_element = 6},
    {.name = "_C::fused_add_rms_norm", .kind = kNorm, .cost = ReadWriteCost, .flops_per_element = 7, .writes = 2},
    {.name = "sgl_kernel::rmsnorm", .kind = kNorm, .cost = EachOnceCost, .flops_per_element = 6},
    {.name = "sgl_kernel::fused_add_rmsnorm", .kind = kNorm, .cost = ReadWriteCost, .flops_per_element = 7, .writes = 2},

    // Softmax and losses.
    {.name = "aten::_softmax", .kind = kSoftmax, .cost = ReadWriteCost, .flops_per_element = 5},
    {.name = "aten::_log_softmax", .kind = kSoftmax, .cost = ReadWriteCost, .flops_per_element = 5},
    {.name = "aten::_safe_softmax", .kind = kSoftmax, .cost = ReadWriteCost, .flops_per_element = 5},
    {.name = "aten::_masked_softmax", .kind = kSoftmax, .cost = ReadWriteCost, .flops_per_element = 5},
    {.name = "aten::_softmax_backward_data", .kind = kSoftmax, .cost = ReadWriteCost, .flops_per_element = 4},
    {.name = "aten::_log_softmax_backward_data", .kind = kSoftmax, .cost = ReadWriteCost, .flops_per_element = 4},
    {.name = "aten::nll_loss_forward", .kind = kLoss, .cost = PickCost},
    {.name = "aten::nll_loss2d_forward", .kind = kLoss, .cost = PickCost},
    {.name = "aten::nll_loss_backward", .kind = kLoss, .cost = PickCost, .first = 1},
    {.name = "aten::nll_loss2d_backward", .kind = kLoss, .cost = PickCost, .first = 1},
    {.name = "aten::cross_entropy_loss", .kind = kLoss, .cost = ReadCost, .flops_per_element = 5},
    {.name = "aten::mse_loss", .kind = kLoss, .cost = ReadCost, .flops_per_element = 3},
    {.name = "aten::binary_cross_entropy_with_logits", .kind = kLoss, .cost = ReadCost, .flops_per_element = 8},

    // Tables, gathers and scatters: what is read is told by the number of indices.
    {.name = "aten::embedding", .kind = kEmbedding, .cost = EmbeddingCost},
    {.name = "aten::index_select", .kind = kEmbedding, .cost = EmbeddingCost},
    {.name = "aten::embedding_dense_backward", .kind = kEmbedding, .cost = ReadWriteCost, .flops_per_element = 1},
    {.name = "aten::gather", .kind = kEmbedding, .cost = ScatterCost},
    {.name = "aten::index", .kind = kEmbedding, .cost = IndexCost},
    {.name = "aten::scatter", .kind = kCopy, .cost = ScatterCost},
    {.name = "aten::scatter_add", .kind = kCopy, .cost = ScatterCost},
    {.name = "aten::index_put", .kind = kCopy, .cost = ScatterCost},
    {.name = "aten::_index_put_impl", .kind = kCopy, .cost = ScatterCost},
    {.name = "aten::index_add", .kind = kCopy, .cost = ScatterCost},
    {.name = "aten::index_copy", .kind = kCopy, .cost = ScatterCost},
    {.name = "_C_cache_ops::reshape_and_cache_flash", .kind = kCopy, .cost = ScatterCost},
    {.name = "_C_cache_ops::reshape_and_cache", .kind = kCopy, .cost = ScatterCost},

    // Copies.
    {.name = "aten::copy_", .kind = kCopy, .cost = EachOnceCost},
    {.name = "aten::clone", .kind = kCopy, .cost = ReadWriteCost},
    {.name = "aten::cat", .kind = kCopy, .cost = ConcatenationCost},
    {.name = "aten::stack", .kind = kCopy, .cost = ConcatenationCost},
    {.name = "aten::flip", .kind = kCopy, .cost = ReadWriteCost},
    {.name = "aten::roll", .kind = kCopy, .cost = ReadWriteCost},
    {.name = "aten::repeat_interleave", .kind = kCopy, .cost = ReadCost},
    {.name = "aten::constant_pad_nd", .kind = kCopy, .cost = ReadWriteCost},
    Fill("aten::fill_"),
    Fill("aten::zero_"),
    Fill("aten::normal_"),
    Fill("aten::uniform_"),
    Fill("aten::random_"),
    Fill("aten::bernoulli_"),
    Fill("aten::exponential_"),
    {.name = "aten::_foreach_copy", .kind = kCopy, .cost = EachOnceCost},

    // Reductions, scans, searches. Sorting reads and writes its input at least once.
    Reduction("aten::sum"),
    Reduction("aten::mean"),
    Reduction("aten::prod"),
    Reduction("aten::amax"),
    Reduction("aten::amin"),
    Reduction("aten::max"),
    Reduction("aten::min"),
    Reduction("aten::argmax"),
    Reduction("aten::argmin"),
    Reduction("aten::any"),
    Reduction("aten::all"),
    Reduction("aten::norm"),
    Reduction("aten::linalg_vector_norm"),
    Reduction("aten::var"),
    Reduction("aten::std"),
    Reduction("aten::var_mean"),
    Reduction("aten::logsumexp"),
    Reduction("aten::count_nonzero"),
    Reduction("aten::nonzero"),
    Reduction("aten::topk"),
    Reduction("aten::_local_scalar_dense"),
    Reduction("aten::multinomial"),
    Reduction("aten::max_pool2d_with_indices"),
    Reduction("aten::avg_pool2d"),
    Reduction("aten::_adaptive_avg_pool2d"),
    Reduction("aten::_foreach_norm"),
    {.name = "aten::cumsum", .kind = kReduction, .cost = ReadWriteCost, .flops_per_element = 1},
    {.name = "aten::sort", .kind = kReduction, .cost = ReadWriteCost, .flops_per_element = 1},
    {.name = "aten::max_pool2d_with_indices_backward", .kind = kElementwise, .cost = EachOnceCost, .flops_per_element = 1},

    // Optimizers in one kernel: parameters and states are read, all but the gradients written back.
    {.name = "aten::_fused_adamw_", .kind = kOptimizer, .cost = OptimizerCost, .flops_per_element = 16, .writes = 3},
    {.name = "aten::_fused_adam_", .kind = kOptimizer, .cost = OptimizerCost, .flops_per_element = 16, .writes = 3},
    {.name = "aten::_fused_adagrad_", .kind = kOptimizer, .cost = OptimizerCost, .flops_per_element = 7, .writes = 2},
    {.name = "aten::_fused_sgd_", .kind = kOptimizer, .cost = OptimizerCost, .flops_per_element = 5, .writes = 2},
    {.name = "aten::_amp_foreach_non_finite_check_and_unscale_",
     .kind = kOptimizer,
     .cost = OptimizerCost,
     .flops_per_element = 1},
    {.name = "aten::_foreach_*", .kind = kOptimizer, .cost = ElementwiseCost, .flops_per_element = 1},

    // Elementwise, with the derivatives that are ops of their own.
    Elementwise("aten::add"),
    Elementwise("aten::sub"),
    Elementwise("aten::rsub"),
    Elementwise("aten::mul"),
    Elementwise("aten::div"),
    Elementwise("aten::true_divide"),
    Elementwise("aten::floor_divide"),
    Elementwise("aten::remainder"),
    Elementwise("aten::fmod"),
    Elementwise("aten::pow"),
    Unary("aten::square"),
    Unary("aten::neg"),
    Unary("aten::abs"),
    Unary("aten::sign"),
    Unary("aten::exp"),
    Unary("aten::exp2"),
    Unary("aten::expm1"),
    Unary("aten::log"),
    Unary("aten::log2"),
    Unary("aten::log1p"),
    Unary("aten::sqrt"),
    Unary("aten::rsqrt"),
    Unary("aten::reciprocal"),
    Unary("aten::sin"),
    Unary("aten::cos"),
    Unary("aten::tanh"),
    Unary("aten::sigmoid"),
    Unary("aten::erf"),
    Unary("aten::floor"),
    Unary("aten::ceil"),
    Unary("aten::round"),
    Unary("aten::trunc"),
    Unary("aten::relu"),
    Unary("aten::relu6"),
    Unary("aten::leaky_relu"),
    Unary("aten::elu"),
    Unary("aten::silu", 4),
    Unary("aten::gelu", 8),
    Unary("aten::mish", 8),
    Unary("aten::hardswish", 4),
    Unary("aten::hardsigmoid", 3),
    Unary("aten::hardtanh"),
    Unary("aten::softplus", 3),
    Ternary("aten::clamp"),
    Elementwise("aten::clamp_min"),
    Elementwise("aten::clamp_max"),
    Elementwise("aten::maximum"),
    Elementwise("aten::minimum"),
    Ternary("aten::where"),
    Ternary("aten::masked_fill"),
    Ternary("aten::lerp", 3),
    Ternary("aten::addcmul", 3),
    Ternary("aten::addcdiv", 3),
    Unary("aten::tril"),
    Unary("aten::triu"),
    Unary("aten::nan_to_num"),
    Unary("aten::threshold"),
    Elementwise("aten::threshold_backward"),
    Elementwise("aten::silu_backward", 6),
    Elementwise("aten::gelu_backward", 12),
    Elementwise("aten::tanh_backward", 3),
    Elementwise("aten::sigmoid_backward", 3),
    Elementwise("aten::leaky_relu_backward"),
    Elementwise("aten::elu_backward", 3),
    Elementwise("aten::hardswish_backward", 4),
    Elementwise("aten::native_dropout_backward", 2),
    Ternary("aten::mse_loss_backward", 3),
    Elementwise("aten::bitwise_and"),
    Elementwise("aten::bitwise_or"),
    Elementwise("aten::bitwise_xor"),
    Unary("aten::bitwise_not"),
    Unary("aten::native_dropout", 3),
    Compare("aten::eq"),
    Compare("aten::ne"),
    Compare("aten::lt"),
    Compare("aten::le"),
    Compare("aten::gt"),
    Compare("aten::ge"),
    Compare("aten::logical_and"),
    Compare("aten::logical_or"),
    Compare("aten::logical_not"),
    Compare("aten::logical_xor"),
    Compare("aten::isnan"),
    Compare("aten::isinf"),
    Compare("aten::isfinite"),
    {.name = "aten::glu", .kind = kElementwise, .cost = ReadCost, .flops_per_element = 3},
    {.name = "_C::rotary_embedding", .kind = kElementwise, .cost = RotaryCost, .first = 1, .flops_per_element = 3},
    {.name = "_C::static_scaled_fp8_quant", .kind = kElementwise, .cost = EachOnceCost, .flops_per_element = 1},
    {.name = "_C::dynamic_scaled_fp8_quant", .kind = kElementwise, .cost = EachOnceCost, .flops_per_element = 2},
    {.name = "_C::dynamic_per_token_scaled_fp8_quant", .kind = kElementwise, .cost = EachOnceCost, .flops_per_element = 2},
    {.name = "_C::silu_and_mul", .kind = kElementwise, .cost = EachOnceCost, .flops_per_element = 3},
    {.name = "_C::gelu_and_mul", .kind = kElementwise, .cost = EachOnceCost, .flops_per_element = 5},
    {.name = "sgl_kernel::silu_and_mul", .kind = kElementwise, .cost = EachOnceCost, .flops_per_element = 3},

    // TorchInductor hands a kernel its inputs and its results; one that reads rows of a table hides how many.
    ByValues("triton_*embedding", kEmbedding),
    {.name = "triton_poi_*", .kind = kElementwise, .cost = EachOnceCost, .flops_per_element = 1},
    {.name = "triton_red_*", .kind = kReduction, .cost = EachOnceCost, .flops_per_element = 1},
    {.name = "triton_per_*", .kind = kReduction, .cost = EachOnceCost, .flops_per_element = 1},
};

// A pattern's pieces between stars, in order; the first at the beginning, the rest anywhere after.
bool MatchesOpName(std::string_view pattern, std::string_view name) {
  size_t star = pattern.find('*');
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  size_t at = star;
  while (star != std::string_view::npos) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    at = name.find(piece, at);
    if (at == std::string_view::npos) return false;
    at += piece.size();
  }
  return true;
}

struct Index {
  std::unordered_map<std::string_view, const OpCostEntry*> whole;
  std::vector<const OpCostEntry*> patterns;
};

const Index& Entries() {
  static const Index& index = *[] {
    auto* made = new Index;
    for (const OpCostEntry& entry : kEntries) {
      if (entry.name.find('*') != std::string_view::npos) {
        made->patterns.push_back(&entry);
      } else {
        made->whole.emplace(entry.name, &entry);
      }
    }
    return made;
  }();
  return index;
}

}  // namespace

std::span<const OpCostEntry> AllOpCosts() { return kEntries; }

bool IsInPlace(std::string_view op_name) {
  return op_name.size() > 1 && op_name.back() == '_' && op_name[op_name.size() - 2] != '_';
}

const OpCostEntry* FindOpCost(std::string_view name) {
  const Index& index = Entries();
  if (const auto found = index.whole.find(name); found != index.whole.end()) return found->second;
  if (IsInPlace(name)) {
    const auto found = index.whole.find(name.substr(0, name.size() - 1));
    if (found != index.whole.end()) return found->second;
  }
  for (const OpCostEntry* entry : index.patterns) {
    if (MatchesOpName(entry->name, name)) return entry;
  }
  return nullptr;
}

std::string_view CostKindName(CostKind kind) {
  constexpr std::string_view kNames[] = {"gemm",      "convolution", "attention",   "norm", "softmax",  "loss",
                                         "embedding", "reduction",   "elementwise", "copy", "optimizer"};
  return kNames[static_cast<size_t>(kind)];
}

int CostRank(CostKind kind) {
  if (kind <= kAttention) return 2;
  return kind <= kEmbedding ? 1 : 0;
}

}  // namespace warpsight
