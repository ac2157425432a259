// cuBLAS and cuBLASLt kernels that are C++ templates: matrix x vector, dot products, and the sum of split-K slices.
//
//   gemvNSP_kernel<IN, IN, OUT, ACC, ...>
//   gemv2T_kernel_val<int, int, A, B, C, ...>
//   internal::gemvx::kernel<int, int, A, ...>
//   [cublasLt::]splitKreduce_kernel<[32, 16,] int, ACC, ...>
//   dot_kernel<T, ...>   reduce_1Block_kernel<T, ...>   gemmk1_kernel<T, ...>
//
// Only the first number type among the arguments is read, since the order of the others is not public. splitKreduce belongs
// to the split-K GEMM before it.
//
// Source: names in public profiles; cuBLAS documentation for what split-K is.
#include <algorithm>

#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

struct Function {
  std::string_view prefix;
  std::string_view kind;
};
constexpr Function kFunctions[] = {
    {"gemv", "gemv"},
    {"splitKreduce_kernel", "split-k reduce"},
    {"dot_kernel", "dot"},
    {"reduce_1Block_kernel", "dot"},
    {"gemmk1_kernel", "gemm"},
    {"gemmSN_", "gemm"},
    {"scal_kernel", "elementwise"},
};

bool DecodeCublasFunction(const KernelNameText& name, DecodedKernelName& decoded) {
  // Nsight Compute drops the namespaces of internal::gemvx::kernel.
  const bool gemvx = name.function() == "internal::gemvx::kernel" || name.function() == "gemvx::kernel" ||
                     (name.base() == "kernel" && name.Has("cublasGemvParams"));
  const std::string_view function = gemvx ? "gemv" : name.base();
  const auto* found = std::ranges::find_if(kFunctions, [&](const Function& f) { return function.starts_with(f.prefix); });
  const bool lt = name.function().starts_with("cublasLt::");
  if (found == std::end(kFunctions) || name.arguments().empty()) return false;
  // A function of that name in somebody's namespace is not cuBLAS's.
  if (!lt && !gemvx && name.function() != name.base()) return false;
  decoded.library = lt ? "cuBLASLt" : "cuBLAS";
  decoded.kind = found->kind;
  decoded.title = "cublas " + std::string(found->kind);
  if (found->kind == "split-k reduce") decoded.split_k = "reduce";
  for (const std::string_view argument : name.arguments()) {
    const std::string type = ValueTypes::Embedded().OfCpp(argument);
    if (type.empty() || type == "i32") continue;
    if (found->kind == "split-k reduce") {
      decoded.accumulate_type = type;
    } else {
      decoded.a_type = type;
    }
    break;
  }
  return true;
}

}  // namespace

extern const KernelNameGrammar kCublasFunctionGrammar = {
    "cublas function", "cublasLt::splitKreduce_kernel<32, 16, int, float, __half, float, __half, ...>",
    "names in public profiles", DecodeCublasFunction};

}  // namespace warpsight
