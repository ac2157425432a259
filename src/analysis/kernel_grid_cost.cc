#include "analysis/kernel_grid_cost.h"

#include <algorithm>
#include <charconv>

namespace warpsight {
namespace {

constexpr double kChunkElements = 65536;

// One argument of a template argument list; moves past it and its comma.
std::string_view TakeArgument(std::string_view& list) {
  int depth = 0;
  size_t at = 0;
  while (at < list.size() && !(depth == 0 && (list[at] == ',' || list[at] == '>'))) {
    if (list[at] == '<') ++depth;
    if (list[at] == '>') --depth;
    ++at;
  }
  std::string_view argument = list.substr(0, at);
  list.remove_prefix(std::min(list.size(), at + 1));
  while (!argument.empty() && argument.front() == ' ') argument.remove_prefix(1);
  return argument;
}

std::optional<int> Number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0 || value > 16) return std::nullopt;
  return value;
}

}  // namespace

std::optional<GridFormula> GridFormulaOf(std::string_view kernel_name) {
  if (kernel_name.find("multi_tensor_apply_kernel<") == std::string_view::npos) return std::nullopt;
  // BinaryOpScalarFunctor<float, depth, lists read, list written, ...>, PointwiseOpScalarListFunctor<...>,
  // FusedAdamMathFunctor<float, 4, ...>
  const size_t functor = kernel_name.find("Functor<");
  if (functor == std::string_view::npos) return std::nullopt;
  const bool adam = kernel_name.substr(0, functor).ends_with("FusedAdamMath");
  std::string_view list = kernel_name.substr(functor + std::string_view("Functor<").size());
  const double element = static_cast<double>(BytesOf(ParseElementType(TakeArgument(list))));
  const std::optional<int> depth = Number(TakeArgument(list));
  const std::optional<int> read = adam ? depth : Number(TakeArgument(list));
  if (element == 0 || !depth || !read || *read == 0 || *read > *depth) return std::nullopt;
  // Adam writes back all lists but the gradients.
  const int written = adam ? *depth - 1 : 1;
  // a += b * c is a square in every optimizer, so b and c may be one list; the bound must not count it twice.
  const bool square = *read == 3 && list.find("multiplies") < list.find('(');
  return GridFormula{kChunkElements, element * (*read - (square ? 1 : 0) + written),
                     adam ? 16.0 : static_cast<double>(*read)};
}

std::optional<OpCost> CostFromGrid(const GridFormula& formula, const LaunchConfig& launch) {
  if (launch.grid[0] <= 0) return std::nullopt;
  const double elements = static_cast<double>(launch.grid[0]) * formula.elements_per_block;
  OpCost cost;
  cost.kind = CostKind::kOptimizer;
  cost.flops = elements * formula.flops_per_element;
  cost.bytes = elements * formula.bytes_per_element;
  cost.from_grid = true;
  return cost;
}

}  // namespace warpsight
