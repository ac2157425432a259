// Operands: the shapes and types of an op's arguments, read from the two texts that a recorder writes beside it:
//
//   shapes  [[1, 2048], [], [[2, 3], [4, 5]]]             one entry an argument; a list of tensors nests one deeper
//   types   ["c10::Half", "Scalar", "TensorList"]
//
// Place in the flow: texts of a host event -> Operands -> op costs, shapes in reports. Foreign text: whatever does not fit
// is an argument of kind kNone, or makes the whole unreadable; nothing is guessed. A 0-dimensional tensor has dims [] and a
// type; a scalar, an absent argument and a list that the recorder left out (PyTorch writes lists of up to 30 tensors) have
// no tensors. Units: counts of elements as double, exact to 2^53. Errors: empty optional. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warpsight {

enum class ElementType : uint8_t {
  kUnknown,
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFp8,
  kFp16,
  kBf16,
  kFp32,
  kFp64,
  kComplex
};

// Bytes an element, 0 when unknown.
int64_t BytesOf(ElementType type);
// From a recorder's word: "c10::Half", "long int", "float", "__nv_bfloat16", ...
ElementType ParseElementType(std::string_view word);
// What an elementwise op of the two gives, as PyTorch promotes them.
ElementType Promote(ElementType a, ElementType b);

struct TensorShape {
  std::vector<int64_t> dims;
  ElementType type = ElementType::kUnknown;

  size_t rank() const { return dims.size(); }
  double elements() const;  // 1 for a 0-dimensional tensor
  double bytes() const { return elements() * static_cast<double>(BytesOf(type)); }
};

struct Operand {
  enum class Kind : uint8_t { kNone, kScalar, kTensor, kList };
  Kind kind = Kind::kNone;
  std::vector<TensorShape> tensors;  // one for kTensor, any number for kList

  bool is_tensor() const { return kind == Kind::kTensor; }
};
using Operands = std::vector<Operand>;

// Empty when the shapes can't be read. Without types every tensor has an unknown type.
std::optional<Operands> ParseOperands(std::string_view shapes, std::string_view types);

// The shape that the two broadcast to; empty when they do not.
std::optional<std::vector<int64_t>> Broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b);

}  // namespace warpsight
