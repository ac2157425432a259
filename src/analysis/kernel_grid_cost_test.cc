#include "analysis/kernel_grid_cost.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight {
namespace {

std::string Kernel(const std::string& functor) {
  return "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
         "namespace)::TensorListMetadata<2>, "
         "at::native::(anonymous namespace)::" +
         functor + ">(at::native::(anonymous namespace)::TensorListMetadata<2>)";
}

TEST(KernelGridCostTest, TheFunctorSaysWhatIsReadAndWritten) {
  const auto bytes = [](const std::string& functor) { return GridFormulaOf(Kernel(functor))->bytes_per_element; };
  EXPECT_EQ(bytes("BinaryOpScalarFunctor<float, 1, 1, 0>, std::multiplies<float>, float"), 8);
  EXPECT_EQ(bytes("UnaryOpFunctor<c10::Half, 2, 1, 1>, at::native::Sqrt<float>"), 4);
  EXPECT_EQ(bytes("TernaryOpScalarFunctor<float, 2, 2, 0>, at::native::LerpFunctor<float>, float"), 12);
  EXPECT_EQ(bytes("PointwiseOpScalarListFunctor<float, 3, 3, 0>, std::divides<float>"), 16);
  EXPECT_EQ(bytes("PointwiseOpScalarFunctor<float, 3, 3, 0>, std::multiplies<float>, float"), 12)
      << "v += g * g reads g once";
  EXPECT_EQ(bytes("FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>, float const*"), 28)
      << "4 read, 3 written";
}

TEST(KernelGridCostTest, ABlockIsAChunk) {
  const GridFormula formula = *GridFormulaOf(Kernel("BinaryOpScalarFunctor<float, 1, 1, 0>, std::multiplies<float>, float"));
  LaunchConfig launch;
  EXPECT_FALSE(CostFromGrid(formula, launch).has_value());
  launch.grid = {3, 1, 1};
  const OpCost cost = *CostFromGrid(formula, launch);
  EXPECT_EQ(cost.bytes, 3 * 65536 * 8);
  EXPECT_EQ(cost.flops, 3 * 65536);
  EXPECT_TRUE(cost.from_grid);
}

TEST(KernelGridCostTest, OtherNamesSayNothing) {
  for (const char* name : {"multi_tensor_apply_kernel", "void gemm<float, 1, 1>()", "multi_tensor_apply_kernel<A, XFunctor<",
                           "multi_tensor_apply_kernel<A, CopyFunctor<int, long, 2, 1, 1> >",
                           "multi_tensor_apply_kernel<A, XFunctor<float, 1, 9, 0>>"}) {
    EXPECT_FALSE(GridFormulaOf(name).has_value()) << name;
  }
}

}  // namespace
}  // namespace warpsight
