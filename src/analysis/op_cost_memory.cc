// Costs of ops that move memory: elementwise, reductions, copies, lookups, optimizers.
#include <algorithm>
#include <span>

#include "analysis/op_cost.h"
#include "analysis/op_cost_operands.h"

namespace warpsight {
namespace {

// All tensors of an op, and what a formula may ask about them.
struct Tensors {
  double bytes = 0;          // of all
  double most_elements = 0;  // of the largest operand; a list counts as one
  double first_elements = 0;
  double first_bytes = 0;
  ElementType type = ElementType::kUnknown;  // of the result when all take part in it
  std::string_view problem;
};

// A scalar that Python passes in is recorded as a 0-dimensional tensor: it weighs nothing and does not widen the result.
bool TakesPart(const TensorShape& tensor) { return tensor.rank() > 0; }

void AddTensor(const OpCall& call, const TensorShape& tensor, double& elements, double& bytes, Tensors& all) {
  const ElementType type = TypeOf(call, tensor);
  if (BytesOf(type) == 0) {
    if (TakesPart(tensor)) all.problem = kNoTypes;
    return;
  }
  elements += tensor.elements();
  bytes += tensor.elements() * static_cast<double>(BytesOf(type));
  if (TakesPart(tensor)) all.type = Promote(all.type, type);
}

// The operands that are read: without a result tensor that the caller passed in, which stands last.
std::span<const Operand> InputsOf(const OpCall& call) {
  const std::span<const Operand> operands = call.operands;
  if (call.entry.inputs == 0) return operands;
  int tensors = 0;
  for (const Operand& operand : operands) tensors += operand.is_tensor() ? 1 : 0;
  return tensors > call.entry.inputs && operands.back().is_tensor() ? operands.first(operands.size() - 1) : operands;
}

Tensors Read(const OpCall& call) {
  Tensors all;
  bool first = true;
  for (const Operand& operand : InputsOf(call)) {
    if (operand.kind == Operand::Kind::kList && operand.tensors.empty()) all.problem = kNoList;
    if (operand.tensors.empty()) continue;
    double elements = 0;
    double bytes = 0;
    for (const TensorShape& tensor : operand.tensors) AddTensor(call, tensor, elements, bytes, all);
    if (first) {
      all.first_elements = elements;
      all.first_bytes = bytes;
      // An op on scalars alone still has a type.
      if (all.type == ElementType::kUnknown) all.type = TypeOf(call, operand.tensors[0]);
    }
    first = false;
    all.bytes += bytes;
    all.most_elements = std::max(all.most_elements, elements);
  }
  if (first && all.problem.empty()) all.problem = kNoShapes;
  return all;
}

CostAnswer Answer(const OpCall& call, const Tensors& all, double elements, double bytes) {
  if (!all.problem.empty()) return {std::nullopt, all.problem};
  OpCost cost;
  cost.kind = call.entry.kind;
  cost.arithmetic = VectorArithmetic(all.type);
  cost.flops = call.entry.flops_per_element * elements;
  cost.bytes = bytes;
  return {cost, {}};
}

// Elements of what all tensors broadcast to; 0 when they do not.
double BroadcastElements(std::span<const Operand> operands) {
  std::vector<int64_t> dims;
  for (const Operand& operand : operands) {
    if (!operand.is_tensor()) continue;
    const auto wider = Broadcast(dims, operand.tensors[0].dims);
    if (!wider) return 0;
    dims = *wider;
  }
  return TensorShape{dims, ElementType::kUnknown}.elements();
}

}  // namespace

CostAnswer ElementwiseCost(const OpCall& call) {
  const Tensors all = Read(call);
  const bool lists = !call.operands.empty() && call.operands[0].kind == Operand::Kind::kList;
  if (lists || IsInPlace(call.name)) return Answer(call, all, all.first_elements, all.bytes + all.first_bytes);
  const double elements = BroadcastElements(InputsOf(call));
  if (elements == 0 && all.most_elements > 0) return {std::nullopt, kNoShapes};
  const ElementType result = call.entry.result == ElementType::kUnknown ? all.type : call.entry.result;
  return Answer(call, all, elements, all.bytes + elements * static_cast<double>(BytesOf(result)));
}

CostAnswer ReadCost(const OpCall& call) {
  const Tensors all = Read(call);
  return Answer(call, all, all.most_elements, all.bytes);
}

CostAnswer ReadWriteCost(const OpCall& call) {
  const Tensors all = Read(call);
  return Answer(call, all, all.most_elements, all.bytes + call.entry.writes * all.first_bytes);
}

CostAnswer EachOnceCost(const OpCall& call) {
  const Tensors all = Read(call);
  return Answer(call, all, all.most_elements, all.bytes);
}

CostAnswer WriteCost(const OpCall& call) {
  const Tensors all = Read(call);
  return Answer(call, all, all.first_elements, all.first_bytes);
}

CostAnswer ConcatenationCost(const OpCall& call) {
  // A tensor after the list is the result.
  const Tensors all = Read(call);
  return Answer(call, all, all.first_elements, 2 * all.first_bytes);
}

CostAnswer EmbeddingCost(const OpCall& call) {
  const TensorShape* table = TensorAt(call.operands, 0);
  const TensorShape* indices = nullptr;
  for (size_t i = 1; i < call.operands.size() && indices == nullptr; ++i)
    indices = TensorAt(call.operands, static_cast<int>(i));
  const Tensors all = Read(call);
  if (table == nullptr || indices == nullptr || table->rank() == 0 || table->dims[0] == 0) return {std::nullopt, kNoShapes};
  const double row = table->elements() / static_cast<double>(table->dims[0]);
  const double moved = indices->elements() * row * ElementBytes(call, *table);
  return Answer(call, all, indices->elements() * row, 2 * moved + indices->elements() * ElementBytes(call, *indices));
}

CostAnswer IndexCost(const OpCall& call) {
  const TensorShape* table = TensorAt(call.operands, 0);
  const bool has_list = call.operands.size() > 1 && call.operands[1].kind == Operand::Kind::kList;
  if (table == nullptr || !has_list || call.operands[1].tensors.empty()) return {std::nullopt, kNoShapes};
  const std::vector<TensorShape>& indices = call.operands[1].tensors;
  std::vector<int64_t> picked;
  double indexed = 1;  // elements of the dimensions that the indices replace
  for (size_t i = 0; i < indices.size(); ++i) {
    const auto wider = Broadcast(picked, indices[i].dims);
    // An index of the tensor's own sizes may be a mask, whose result depends on its values.
    if (!wider || i >= table->rank() || indices[i].rank() > 1 || indices[i].dims.empty()) return {std::nullopt, kByValues};
    picked = *wider;
    indexed *= static_cast<double>(table->dims[i]);
  }
  const double count = TensorShape{picked, ElementType::kInt64}.elements();
  if (indexed == 0 || ElementBytes(call, *table) == 0) return {std::nullopt, kNoTypes};
  const double elements = count * table->elements() / indexed;
  Tensors all;
  all.type = TypeOf(call, *table);
  return Answer(call, all, elements,
                2 * elements * ElementBytes(call, *table) + count * 8 * static_cast<double>(indices.size()));
}

CostAnswer ScatterCost(const OpCall& call) {
  // Values and indices are read, and as much as the values is written; the tensor they go to is not touched elsewhere. A
  // gather is the same the other way round. The values are the smallest tensors, indices apart.
  const TensorShape* first = TensorAt(call.operands, 0);
  if (first == nullptr) return {std::nullopt, kNoShapes};
  const TensorShape* least = nullptr;
  for (const Operand& operand : call.operands) {
    for (const TensorShape& tensor : operand.tensors) {
      if (!operand.is_tensor() || TypeOf(call, tensor) != TypeOf(call, *first)) continue;
      if (least == nullptr || tensor.elements() < least->elements()) least = &tensor;
    }
  }
  Tensors all = Read(call);
  if (all.problem == kNoTypes) all.problem = {};  // an index list has no type
  if (BytesOf(TypeOf(call, *first)) == 0) return {std::nullopt, kNoTypes};
  double elements = least->elements();
  // A gather has no values, only indices: one element each.
  for (const Operand& operand : call.operands) {
    if (least == first && operand.is_tensor() && operand.tensors[0].rank() > 0)
      elements = std::min(elements, operand.tensors[0].elements());
  }
  return Answer(call, all, elements, 2 * elements * ElementBytes(call, *first));
}

CostAnswer PickCost(const OpCall& call) {
  const TensorShape* rows = TensorAt(call.operands, call.entry.first);
  if (rows == nullptr || rows->rank() < 1 || ElementBytes(call, *rows) == 0) return {std::nullopt, kNoShapes};
  const double classes = rows->rank() > 1 ? static_cast<double>(rows->dims[1]) : static_cast<double>(rows->dims[0]);
  const double count = classes == 0 ? 0 : rows->elements() / classes;
  Tensors all;
  all.type = TypeOf(call, *rows);
  return Answer(call, all, count, count * (ElementBytes(call, *rows) + 8));
}

CostAnswer OptimizerCost(const OpCall& call) {
  if (call.operands.empty() || call.operands[0].kind != Operand::Kind::kList) return {std::nullopt, kNoShapes};
  if (call.operands[0].tensors.empty()) return {std::nullopt, kNoList};
  Tensors all = Read(call);
  if (all.problem == kNoList) all.problem = {};  // states that this optimizer does not keep
  return Answer(call, all, all.first_elements, all.bytes + call.entry.writes * all.first_bytes);
}

CostAnswer ValueDependentCost(const OpCall& /*call*/) { return {std::nullopt, kByValues}; }

}  // namespace warpsight
