#include "analysis/operand_shapes.h"

#include <algorithm>

namespace warpsight {
namespace {

// Sides beyond this are damage; products of two of them stay in int64.
constexpr int64_t kLargest = int64_t{1} << 31;

int64_t RowsOf(const Shape& shape) {
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < shape.size(); ++i) rows = shape[i] > 0 && rows < kLargest / shape[i] ? rows * shape[i] : rows;
  return rows;
}

bool HasBias(const Shape* shape) { return shape != nullptr && !shape->empty(); }

// x[..., in] with w[out, in].
std::optional<LinearSize> Transposed(const Shape& x, const Shape& w, bool bias) {
  if (x.empty() || w.size() != 2 || x.back() != w[1]) return std::nullopt;
  return LinearSize{RowsOf(x), w[1], w[0], bias};
}

// x[..., in] with w[in, out].
std::optional<LinearSize> Straight(const Shape& x, const Shape& w, bool bias) {
  if (x.empty() || w.size() != 2 || x.back() != w[0]) return std::nullopt;
  return LinearSize{RowsOf(x), w[0], w[1], bias};
}

}  // namespace

OperandShapes ParseOperandShapes(std::string_view text) {
  OperandShapes shapes;
  int depth = 0;
  bool leaf = false;  // the innermost open bracket holds numbers, or nothing so far
  Shape shape;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[') {
      ++depth;
      leaf = true;
      shape.clear();
    } else if (c == ']') {
      // The outermost bracket is the list of operands; an empty one right inside a list of tensors is a scalar too.
      if (leaf && depth > 1) shapes.operands.push_back(shape);
      leaf = false;
      shape.clear();
      --depth;
    } else if (c >= '0' && c <= '9') {
      int64_t value = 0;
      for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
        value = std::min(kLargest, value * 10 + (text[i] - '0'));
      }
      --i;
      shape.push_back(value);
    }
  }
  return shapes;
}

std::optional<LinearSize> LinearSizeOf(std::string_view op_name, const OperandShapes& shapes) {
  const Shape* a = shapes.at(0);
  const Shape* b = shapes.at(1);
  const Shape* c = shapes.at(2);
  if (a == nullptr || b == nullptr) return std::nullopt;
  if (op_name == "aten::linear") return Transposed(*a, *b, HasBias(c));
  if (op_name == "aten::addmm" || op_name == "aten::addmm_" || op_name == "aten::_addmm_activation") {
    return c == nullptr ? std::nullopt : Straight(*b, *c, true);
  }
  if (op_name == "aten::mm" || op_name == "aten::matmul" || op_name == "aten::_int_mm" || op_name == "aten::_scaled_mm") {
    return Straight(*a, *b, false);
  }
  if (op_name == "aten::bmm") return std::nullopt;
  // Ops that write to an operand give it first: out[tokens, n], x[tokens, k], w.
  if (c != nullptr && a->size() >= 2 && b->size() == a->size() && RowsOf(*a) == RowsOf(*b)) {
    for (const auto& size : {Transposed(*b, *c, false), Straight(*b, *c, false)}) {
      if (size && size->out == a->back()) return size;
    }
  }
  // Ops of serving libraries give activations and weight among their first operands, in either order of the weight's sides.
  for (size_t x = 0; x < shapes.operands.size() && x < 3; ++x) {
    for (size_t w = x + 1; w < shapes.operands.size() && w < 4; ++w) {
      if (shapes.operands[x].size() < 2) continue;
      if (auto size = Transposed(shapes.operands[x], shapes.operands[w], false)) return size;
      if (auto size = Straight(shapes.operands[x], shapes.operands[w], false)) return size;
    }
  }
  return std::nullopt;
}

const OperandShapes& ShapesOf::operands(uint32_t host_row) {
  const StringId text = trace_.host().shapes[host_row];
  const auto [found, added] = by_text_.try_emplace(static_cast<uint32_t>(text));
  if (added) found->second = ParseOperandShapes(trace_.Text(text));
  return found->second;
}

const std::optional<LinearSize>& ShapesOf::linear(uint32_t host_row) {
  const HostEvents& host = trace_.host();
  const uint64_t key =
      uint64_t{static_cast<uint32_t>(host.name[host_row])} << 32 | static_cast<uint32_t>(host.shapes[host_row]);
  const auto [found, added] = by_op_.try_emplace(key);
  if (added) found->second = LinearSizeOf(trace_.Text(host.name[host_row]), operands(host_row));
  return found->second;
}

}  // namespace warpsight
