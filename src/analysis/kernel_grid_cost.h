// Costs told from a kernel's own name and launch grid, for work whose op keeps no shapes: ATen's multi-tensor kernels, which
// run the foreach optimizers. Their functor says how many lists are read and which is written, and every block handles one
// chunk of 65,536 elements (ATen/native/cuda/ForeachFunctors.cuh, MultiTensorApply.cuh): the count of elements is at most
// that, and nearly that when the tensors are large. Units: bytes, FLOP an element. Pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "analysis/op_cost.h"
#include "trace/rows.h"

namespace warpsight {

// What a kernel of this name does with one element of the launch; empty when the name does not say.
struct GridFormula {
  double elements_per_block = 0;
  double bytes_per_element = 0;
  double flops_per_element = 0;
};
std::optional<GridFormula> GridFormulaOf(std::string_view kernel_name);

// Empty without a recorded grid.
std::optional<OpCost> CostFromGrid(const GridFormula& formula, const LaunchConfig& launch);

}  // namespace warpsight
