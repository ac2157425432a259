// Costs of attention, forward and backward.
#include "analysis/op_cost.h"
#include "analysis/op_cost_operands.h"

namespace warpsight {
namespace {

// Sizes of one attention. Fewer key heads than query heads (grouped queries) change the bytes, not the arithmetic.
struct AttentionSizes {
  double batch = 0;
  double query_heads = 0;
  double key_heads = 0;
  double query_length = 0;
  double key_length = 0;
  double dim = 0;        // of Q and K
  double value_dim = 0;  // of V and O

  double pairs() const { return batch * query_heads * query_length * key_length; }
  double query_elements() const { return batch * query_heads * query_length * dim; }
  double result_elements() const { return batch * query_heads * query_length * value_dim; }
  double key_value_elements() const { return batch * key_heads * key_length * (dim + value_dim); }
};

std::optional<AttentionSizes> ReadSizes(const TensorShape& q, const TensorShape& k, const TensorShape& v, bool heads_first) {
  if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4) return std::nullopt;
  const size_t heads = heads_first ? 1 : 2;
  const size_t length = heads_first ? 2 : 1;
  const auto size = [](const TensorShape& tensor, size_t dim) { return static_cast<double>(tensor.dims[dim]); };
  if (q.dims[3] != k.dims[3] || k.dims[length] != v.dims[length] || k.dims[heads] == 0) return std::nullopt;
  if (q.dims[heads] % k.dims[heads] != 0) return std::nullopt;
  return AttentionSizes{size(q, 0),      size(q, heads), size(k, heads), size(q, length),
                        size(k, length), size(q, 3),     size(v, 3)};
}

// `qkv` products in all: so many over the dimension of Q and K, so many over that of V.
struct ProductCounts {
  double over_dim = 0;
  double over_value_dim = 0;
};

CostAnswer Answer(const OpCall& call, const AttentionSizes& sizes, const TensorShape& q, ProductCounts products,
                  double elements) {
  const double element_bytes = ElementBytes(call, q);
  if (element_bytes == 0) return {std::nullopt, kNoTypes};
  const bool may_be_causal = sizes.query_length == sizes.key_length && sizes.query_length > 1;
  OpCost cost;
  cost.kind = CostKind::kAttention;
  cost.arithmetic = MatrixArithmetic(TypeOf(call, q), call.hint);
  cost.flops = 2 * sizes.pairs() * (products.over_dim * sizes.dim + products.over_value_dim * sizes.value_dim);
  if (may_be_causal && call.hint.causal.value_or(false)) cost.flops /= 2;
  cost.causal_unknown = may_be_causal && !call.hint.causal.has_value();
  cost.bytes = elements * element_bytes;
  cost.key_value_bytes = sizes.key_value_elements() * element_bytes;
  return {cost, {}};
}

}  // namespace

CostAnswer AttentionCost(const OpCall& call) {
  const int first = call.entry.first;
  const TensorShape* q = TensorAt(call.operands, first);
  const TensorShape* k = TensorAt(call.operands, first + 1);
  const TensorShape* v = TensorAt(call.operands, first + 2);
  if (q == nullptr || k == nullptr || v == nullptr) return {std::nullopt, kNoShapes};
  if (q->rank() == 3 || (call.entry.lengths >= 0 && TensorAt(call.operands, call.entry.lengths) != nullptr))
    return {std::nullopt, kByValues};
  const std::optional<AttentionSizes> sizes = ReadSizes(*q, *k, *v, call.entry.heads_first);
  if (!sizes) return {std::nullopt, kNoShapes};
  // Q K^T and P V.
  return Answer(call, *sizes, *q, {1, 1}, sizes->query_elements() + sizes->key_value_elements() + sizes->result_elements());
}

CostAnswer AttentionBackwardCost(const OpCall& call) {
  const int first = call.entry.first;
  const TensorShape* q = TensorAt(call.operands, first + 1);
  const TensorShape* k = TensorAt(call.operands, first + 2);
  const TensorShape* v = TensorAt(call.operands, first + 3);
  if (q == nullptr || k == nullptr || v == nullptr) return {std::nullopt, kNoShapes};
  if (q->rank() == 3 || (call.entry.lengths >= 0 && TensorAt(call.operands, call.entry.lengths) != nullptr))
    return {std::nullopt, kByValues};
  const std::optional<AttentionSizes> sizes = ReadSizes(*q, *k, *v, call.entry.heads_first);
  if (!sizes) return {std::nullopt, kNoShapes};
  // Q K^T again, dQ and dK over the dimension of Q; dP = dO V^T and dV = P^T dO over that of V.
  // Reads dO, O, Q, K, V; writes dQ, dK, dV.
  const double elements = 2 * (sizes->query_elements() + sizes->key_value_elements()) + 2 * sizes->result_elements();
  return Answer(call, *sizes, *q, {3, 2}, elements);
}

}  // namespace warpsight
