// Costs of matrix products and convolutions.
#include <algorithm>

#include "analysis/op_cost.h"
#include "analysis/op_cost_operands.h"

namespace warpsight {
namespace {

// batch x [M,K] x [K,N]; bytes of the three matrices are given by the callers, who know what is broadcast.
struct Product {
  double batch = 1;
  double m = 1;
  double n = 1;
  double k = 1;
};

CostAnswer Answer(const OpCall& call, const Product& product, const TensorShape& a, const TensorShape& b, double added_bytes,
                  bool b_is_one_matrix) {
  const double element_bytes = ElementBytes(call, a);
  const double b_bytes = b.elements() * ElementBytes(call, b);
  const double result_elements = product.batch * product.m * product.n;
  const double result_bytes =
      call.entry.result == ElementType::kUnknown ? element_bytes : static_cast<double>(BytesOf(call.entry.result));
  if (element_bytes == 0 || b_bytes == 0) return {std::nullopt, kNoTypes};
  OpCost cost;
  cost.kind = CostKind::kGemm;
  cost.arithmetic = MatrixArithmetic(TypeOf(call, a), call.hint);
  cost.flops = 2 * result_elements * product.k;
  cost.bytes = a.elements() * element_bytes + b_bytes + result_elements * result_bytes + added_bytes;
  // An outer product has no weights: a compiler writes that of positions and frequencies as one.
  if (b_is_one_matrix && product.k > 1) cost.weight_bytes = b_bytes;
  return {cost, {}};
}

double Size(const TensorShape& tensor, size_t dim) { return static_cast<double>(tensor.dims[dim]); }

// A [M,K] and B [K,N] at argument `first`.
CostAnswer PlainProduct(const OpCall& call, int first, double added_bytes) {
  const TensorShape* a = TensorAt(call.operands, first);
  const TensorShape* b = TensorAt(call.operands, first + 1);
  if (a == nullptr || b == nullptr || a->rank() != 2) return {std::nullopt, kNoShapes};
  if (b->rank() == 1 && a->dims[1] == b->dims[0])  // matrix times vector
    return Answer(call, {1, Size(*a, 0), 1, Size(*a, 1)}, *a, *b, added_bytes, false);
  if (b->rank() != 2 || a->dims[1] != b->dims[0]) return {std::nullopt, kNoShapes};
  return Answer(call, {1, Size(*a, 0), Size(*b, 1), Size(*a, 1)}, *a, *b, added_bytes, true);
}

CostAnswer BatchProduct(const OpCall& call, int first, double added_bytes) {
  const TensorShape* a = TensorAt(call.operands, first);
  const TensorShape* b = TensorAt(call.operands, first + 1);
  if (a == nullptr || b == nullptr || a->rank() != 3 || b->rank() != 3) return {std::nullopt, kNoShapes};
  if (a->dims[0] != b->dims[0] || a->dims[2] != b->dims[1]) return {std::nullopt, kNoShapes};
  return Answer(call, {Size(*a, 0), Size(*a, 1), Size(*b, 2), Size(*a, 2)}, *a, *b, added_bytes, false);
}

// Multiply-adds an element of the result: a channel of the filter.
double FilterElements(const TensorShape& weight) {
  return weight.rank() == 0 || weight.dims[0] == 0 ? 0 : weight.elements() / Size(weight, 0);
}

struct ConvolutionOperands {
  const TensorShape* input = nullptr;
  const TensorShape* weight = nullptr;
};

ConvolutionOperands FindConvolution(const Operands& operands, int first) {
  const TensorShape* input = TensorAt(operands, first);
  const TensorShape* weight = TensorAt(operands, first + 1);
  if (input == nullptr || weight == nullptr || input->rank() < 3 || input->rank() != weight->rank()) return {};
  return {input, weight};
}

CostAnswer ConvolutionAnswer(const OpCall& call, const TensorShape& typed, double flops, double elements) {
  const double element_bytes = ElementBytes(call, typed);
  if (element_bytes == 0) return {std::nullopt, kNoTypes};
  OpCost cost;
  cost.kind = CostKind::kConvolution;
  cost.arithmetic = MatrixArithmetic(TypeOf(call, typed), call.hint);
  cost.flops = flops;
  cost.bytes = elements * element_bytes;
  return {cost, {}};
}

struct BackwardOperands {
  const TensorShape* gradient = nullptr;
  const TensorShape* input = nullptr;
  const TensorShape* weight = nullptr;
};

CostAnswer ConvolutionBackward(const OpCall& call, const BackwardOperands& operands) {
  const auto& [gradient, input, weight] = operands;
  if (gradient == nullptr || input == nullptr || weight == nullptr) return {std::nullopt, kNoShapes};
  if (input->rank() < 3 || gradient->rank() != input->rank() || weight->rank() != input->rank())
    return {std::nullopt, kNoShapes};
  // The filter of a transposed convolution begins with the input's channels.
  const bool result_first = weight->dims[0] == gradient->dims[1];
  const bool input_first = weight->dims[0] == input->dims[1];
  if (!result_first && !input_first) return {std::nullopt, kNoShapes};
  const bool transposed = !result_first || (input_first && gradient->elements() > input->elements());
  const double forward = 2 * (transposed ? input : gradient)->elements() * FilterElements(*weight);
  // One product for the input's gradient, one for the filter's.
  const double elements = gradient->elements() + 2 * input->elements() + 2 * weight->elements();
  return ConvolutionAnswer(call, *input, 2 * forward, elements);
}

}  // namespace

CostAnswer ConvolutionBackwardCost(const OpCall& call) {
  const Operands& all = call.operands;
  return ConvolutionBackward(call, {TensorAt(all, 0), TensorAt(all, 1), TensorAt(all, 2)});
}

CostAnswer InputFirstConvolutionBackwardCost(const OpCall& call) {
  const Operands& all = call.operands;
  return ConvolutionBackward(call, {TensorAt(all, 1), TensorAt(all, 0), TensorAt(all, 2)});
}

CostAnswer ProductCost(const OpCall& call) { return PlainProduct(call, call.entry.first, 0); }

CostAnswer AddedProductCost(const OpCall& call) {
  return PlainProduct(call, call.entry.first + 1, OperandBytes(call, call.entry.first));
}

CostAnswer BatchProductCost(const OpCall& call) { return BatchProduct(call, call.entry.first, 0); }

CostAnswer AddedBatchProductCost(const OpCall& call) {
  return BatchProduct(call, call.entry.first + 1, OperandBytes(call, call.entry.first));
}

CostAnswer LinearCost(const OpCall& call) {
  const TensorShape* x = TensorAt(call.operands, 0);
  const TensorShape* weight = TensorAt(call.operands, 1);
  if (x == nullptr || weight == nullptr || x->rank() == 0 || weight->rank() != 2 || x->dims.back() != weight->dims[1])
    return {std::nullopt, kNoShapes};
  const double k = Size(*weight, 1);
  const double rows = k == 0 ? 0 : x->elements() / k;
  return Answer(call, {1, rows, Size(*weight, 0), k}, *x, *weight, OperandBytes(call, 2), true);
}

CostAnswer MatmulCost(const OpCall& call) {
  const TensorShape* a = TensorAt(call.operands, call.entry.first);
  const TensorShape* b = TensorAt(call.operands, call.entry.first + 1);
  if (a == nullptr || b == nullptr || a->rank() == 0 || b->rank() == 0) return {std::nullopt, kNoShapes};
  const double k = static_cast<double>(a->dims.back());
  const size_t k_of_b = b->rank() == 1 ? 0 : b->rank() - 2;
  if (a->dims.back() != b->dims[k_of_b]) return {std::nullopt, kNoShapes};
  const double m = a->rank() == 1 ? 1 : Size(*a, a->rank() - 2);
  const double n = b->rank() == 1 ? 1 : Size(*b, b->rank() - 1);
  const auto batch_of = [](const TensorShape& t) {
    return std::vector<int64_t>(t.dims.begin(),
                                t.dims.end() - std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(t.rank())));
  };
  const auto batch = Broadcast(batch_of(*a), batch_of(*b));
  if (!batch) return {std::nullopt, kNoShapes};
  return Answer(call, {TensorShape{*batch, a->type}.elements(), m, n, k}, *a, *b, 0, b->rank() == 2);
}

// An Inductor template gets A, B, perhaps a bias, and the result last.
CostAnswer TritonProductCost(const OpCall& call) {
  std::vector<const TensorShape*> matrices;
  for (const Operand& operand : call.operands) {
    if (operand.is_tensor() && operand.tensors[0].rank() == 2) matrices.push_back(&operand.tensors[0]);
  }
  if (matrices.size() < 3) return {std::nullopt, kNoShapes};
  const TensorShape& result = *matrices.back();
  for (size_t i = 0; i + 2 < matrices.size(); ++i) {
    const TensorShape& a = *matrices[i];
    const TensorShape& b = *matrices[i + 1];
    if (a.dims[1] == b.dims[0] && a.dims[0] == result.dims[0] && b.dims[1] == result.dims[1])
      return Answer(call, {1, Size(a, 0), Size(b, 1), Size(a, 1)}, a, b, 0, true);
  }
  return {std::nullopt, kNoShapes};
}

CostAnswer ConvolutionCost(const OpCall& call) {
  const auto [input, weight] = FindConvolution(call.operands, call.entry.first);
  if (input == nullptr) return {std::nullopt, kNoShapes};
  if (call.output.empty()) {
    return {std::nullopt, "the size of the result depends on stride and padding, and no later op shows it"};
  }
  double result = 1;
  for (const int64_t size : call.output) result *= static_cast<double>(size);
  const double elements = input->elements() + weight->elements() + result;
  return ConvolutionAnswer(call, *input, 2 * result * FilterElements(*weight), elements);
}

CostAnswer TransposedConvolutionCost(const OpCall& call) {
  const auto [input, weight] = FindConvolution(call.operands, call.entry.first);
  if (input == nullptr) return {std::nullopt, kNoShapes};
  // Every input element meets every element of its channel's filter; the result's size is left out of the bytes.
  return ConvolutionAnswer(call, *input, 2 * input->elements() * FilterElements(*weight),
                           input->elements() + weight->elements());
}

std::vector<int64_t> ConvolutionOutput(const Operands& convolution, int first, const Operands& later) {
  const auto [input, weight] = FindConvolution(convolution, first);
  if (input == nullptr) return {};
  for (const Operand& operand : later) {
    if (!operand.is_tensor()) continue;
    const TensorShape& seen = operand.tensors[0];
    if (seen.rank() != input->rank() || seen.dims[0] != input->dims[0] || seen.dims[1] != weight->dims[0]) continue;
    bool possible = true;
    for (size_t dim = 2; dim < seen.rank(); ++dim) {
      // With a padding below the filter's size no side grows by more than that.
      possible &= seen.dims[dim] < input->dims[dim] + weight->dims[dim] && seen.dims[dim] > 0;
    }
    if (possible) return seen.dims;
  }
  return {};
}

}  // namespace warpsight
