// OperandShapes: the operand shapes of an op as numbers, and the sizes of matrix products and linear layers among them.
//
// Place in the flow: the text of a host event ("[[1, 2048], [2048, 2048], []]") -> shapes -> parts, model, accounting.
// A list of tensors counts as its tensors: cat([[1, 4, 203, 64], [1, 4, 1, 64]]) has two. Scalars are empty shapes.
// Parse once per distinct text (ShapesOf). Errors: damaged text gives the shapes before the damage. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

using Shape = std::vector<int64_t>;

struct OperandShapes {
  std::vector<Shape> operands;
  const Shape* at(size_t index) const { return index < operands.size() ? &operands[index] : nullptr; }
};

OperandShapes ParseOperandShapes(std::string_view text);

// y[tokens, out] = x[tokens, in] w[in, out] (+ bias)
struct LinearSize {
  int64_t tokens = 0;
  int64_t in = 0;
  int64_t out = 0;
  bool bias = false;
  friend bool operator==(const LinearSize&, const LinearSize&) = default;
};

// The size of the product that an op computes from operands of these shapes; nullopt when they do not say.
std::optional<LinearSize> LinearSizeOf(std::string_view op_name, const OperandShapes& shapes);

// Shapes of a trace's host events by text id, each distinct text parsed once, when first asked for.
class ShapesOf {
 public:
  explicit ShapesOf(const Trace& trace) : trace_(trace) {}
  const OperandShapes& operands(uint32_t host_row);
  const std::optional<LinearSize>& linear(uint32_t host_row);

 private:
  const Trace& trace_;
  std::unordered_map<uint32_t, OperandShapes> by_text_;
  std::unordered_map<uint64_t, std::optional<LinearSize>> by_op_;  // name and text
};

}  // namespace warpsight
