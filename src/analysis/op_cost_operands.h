// Reading operands for the cost formulas. Internal to op_cost*.cc.
#pragma once

#include <string_view>

#include "analysis/op_cost.h"

namespace warpsight {

inline constexpr std::string_view kNoShapes = "its operands' shapes are missing or not those of the formula";
inline constexpr std::string_view kNoTypes = "its operands' types are not recorded";
inline constexpr std::string_view kNoList = "the recorder leaves out lists of more than 30 tensors";
inline constexpr std::string_view kByValues = "its work depends on values (lengths, indices), not on shapes";

// The tensor at this argument, null when there is none.
inline const TensorShape* TensorAt(const Operands& operands, int argument) {
  const size_t at = static_cast<size_t>(argument);
  return at < operands.size() && operands[at].is_tensor() ? &operands[at].tensors[0] : nullptr;
}

// As recorded, or as the kernel's name has it.
inline ElementType TypeOf(const OpCall& call, const TensorShape& tensor) {
  return tensor.type == ElementType::kUnknown ? call.hint.element : tensor.type;
}
inline double ElementBytes(const OpCall& call, const TensorShape& tensor) {
  return static_cast<double>(BytesOf(TypeOf(call, tensor)));
}
inline double OperandBytes(const OpCall& call, int argument) {
  const TensorShape* tensor = TensorAt(call.operands, argument);
  return tensor == nullptr ? 0 : tensor->elements() * ElementBytes(call, *tensor);
}

// What a matrix product of this type runs on.
inline Arithmetic MatrixArithmetic(ElementType type, const KernelHint& hint) {
  switch (type) {
    case ElementType::kFp16:
      return Arithmetic::kFp16;
    case ElementType::kBf16:
      return Arithmetic::kBf16;
    case ElementType::kFp8:
      return Arithmetic::kFp8;
    case ElementType::kInt8:
      return Arithmetic::kInt8;
    case ElementType::kFp64:
      return Arithmetic::kFp64Matrix;
    default:
      return hint.tf32 ? Arithmetic::kTf32 : Arithmetic::kFp32Matrix;
  }
}
// What everything else runs on.
inline Arithmetic VectorArithmetic(ElementType type) {
  return type == ElementType::kFp64 ? Arithmetic::kFp64 : Arithmetic::kFp32;
}

}  // namespace warpsight
