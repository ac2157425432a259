// Op costs: the arithmetic and the least memory traffic of one call of an operator, from its operands' shapes and types.
//
// Place in the flow: Operands -> FindOpCost(name)->cost(...) -> work costs -> roofline. One list, AllOpCosts(), describes
// every operator that is known; adding one is adding an entry. Formulas: docs/roofline.md. Bytes count every operand once
// and every result once, as if all caches were perfect: a lower bound of the traffic. Units: FLOP (a multiply-add is two),
// bytes; doubles, exact to 2^53. Errors: an answer without a cost says why. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/gpu_peaks.h"
#include "analysis/tensor_shapes.h"

namespace warpsight {

enum class CostKind : uint8_t {
  kGemm,
  kConvolution,
  kAttention,
  kNorm,
  kSoftmax,
  kLoss,
  kEmbedding,
  kReduction,
  kElementwise,
  kCopy,
  kOptimizer
};
// "gemm", "convolution", ...
std::string_view CostKindName(CostKind kind);
// An op of a higher rank that encloses another of at least its rank is the same work seen from above (aten::linear around
// aten::mm): 2 = products of matrices, 1 = norms, softmax, losses, embeddings, 0 = the rest.
int CostRank(CostKind kind);

// What the names of an op's kernels add to its operands.
struct KernelHint {
  ElementType element = ElementType::kUnknown;  // of a list, whose element type recorders leave out
  std::optional<bool> causal = std::nullopt;    // attention with the upper triangle left out
  bool tf32 = false;                            // single precision operands, multiplied as TF32

  // What another kernel of the same op adds.
  void Merge(const KernelHint& other);
  uint32_t Packed() const;
};
KernelHint HintOf(std::string_view kernel_name);

struct OpCost {
  CostKind kind = CostKind::kElementwise;
  Arithmetic arithmetic = Arithmetic::kFp32;
  double flops = 0;
  double bytes = 0;
  double weight_bytes = 0;      // second operand of a matrix product when it is one matrix, not a batch
  double key_value_bytes = 0;   // K and V of an attention
  bool causal_unknown = false;  // attention of equal lengths counted in full, though it may be causal
  bool from_grid = false;       // elements told from the launch grid, at most so many
};

struct CostAnswer {
  std::optional<OpCost> cost;
  std::string_view reason;  // static text; why there is no cost
};

struct OpCostEntry;

// One call of an op.
struct OpCall {
  std::string_view name;
  const OpCostEntry& entry;
  const Operands& operands;
  KernelHint hint;
  // Sizes of the result where they depend on more than the operands' shapes (entry.needs_output); empty = not known.
  std::span<const int64_t> output = {};
};

struct OpCostEntry {
  std::string_view name;  // "aten::mm"; with a * at its end every name that begins so
  CostKind kind = CostKind::kElementwise;
  CostAnswer (*cost)(const OpCall& call) = nullptr;
  int first = 0;                 // argument that holds the first operand of the formula
  double flops_per_element = 0;  // where the formula counts elements
  double writes = 1;             // results of the size of the first operand, where the formula asks
  int inputs = 0;                // arguments before the one that an elementwise op may be given to write to; 0 = it has none
  int lengths = -1;              // argument that holds sequence lengths when an attention has variable ones
  bool heads_first = true;       // attention operands are [batch, heads, length, dim], else [batch, length, heads, dim]
  ElementType result = ElementType::kUnknown;  // type of the result when it is not that of the operands
  bool needs_output = false;
};

std::span<const OpCostEntry> AllOpCosts();
// By whole name, then without the underscore of an in-place op, then by its beginning. Null when there is none.
const OpCostEntry* FindOpCost(std::string_view name);
bool IsInPlace(std::string_view op_name);

// Sizes of a convolution's result, looked for in the operands of an op that ran after it: the first tensor that can be its
// result. Empty when there is none.
std::vector<int64_t> ConvolutionOutput(const Operands& convolution, int first, const Operands& later);

// The formulas, by what they need; op_cost_list.cc says which op has which.
CostAnswer ProductCost(const OpCall& call);       // A [M,K], B [K,N]
CostAnswer AddedProductCost(const OpCall& call);  // C, A, B: C is read too
CostAnswer BatchProductCost(const OpCall& call);  // A [B,M,K], B [B,K,N]
CostAnswer AddedBatchProductCost(const OpCall& call);
CostAnswer LinearCost(const OpCall& call);         // X [..., K], W [N,K], bias
CostAnswer MatmulCost(const OpCall& call);         // any ranks, broadcast
CostAnswer TritonProductCost(const OpCall& call);  // A, B, ..., result last
CostAnswer ConvolutionCost(const OpCall& call);    // X [N,C,...], W [O,C/g,...]
CostAnswer TransposedConvolutionCost(const OpCall& call);
CostAnswer ConvolutionBackwardCost(const OpCall& call);            // dY, X, W
CostAnswer InputFirstConvolutionBackwardCost(const OpCall& call);  // X, dY, W
CostAnswer AttentionCost(const OpCall& call);                      // Q, K, V
CostAnswer AttentionBackwardCost(const OpCall& call);              // dO, Q, K, V
CostAnswer ElementwiseCost(const OpCall& call);                    // reads all, writes the broadcast of all
CostAnswer ReadCost(const OpCall& call);                           // reads all; a result smaller than that is left out
CostAnswer ReadWriteCost(const OpCall& call);                      // reads all, writes `writes` times the first operand
CostAnswer EachOnceCost(const OpCall& call);                       // every operand is read or written once
CostAnswer WriteCost(const OpCall& call);                          // writes the first operand
CostAnswer ConcatenationCost(const OpCall& call);                  // reads all, writes as much
CostAnswer EmbeddingCost(const OpCall& call);                      // table, indices: rows read and written
CostAnswer IndexCost(const OpCall& call);                          // tensor, list of index tensors
CostAnswer ScatterCost(const OpCall& call);    // the smallest tensor of the first's type read, and written into the first
CostAnswer PickCost(const OpCall& call);       // one element a row of the first operand (losses)
CostAnswer OptimizerCost(const OpCall& call);  // lists; `writes` of them are written back
CostAnswer RotaryCost(const OpCall& call);     // query, key, both turned in place
CostAnswer ValueDependentCost(const OpCall& call);  // depends on values, not on shapes

}  // namespace warpsight
