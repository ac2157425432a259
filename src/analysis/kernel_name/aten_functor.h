// ReadAtenFunctor: what an ATen functor does ("add") and to what type ("f16"), from the text of the template argument.
// Threads: thread-safe. See aten_grammar.cc for the forms.
#pragma once

#include <string>
#include <string_view>

namespace warpsight {

struct AtenFunctor {
  std::string op;           // empty: no functor
  std::string type;         // of the operands, empty = not told
  std::string result_type;  // where it differs from the operands and the name says it
};

AtenFunctor ReadAtenFunctor(std::string_view argument);

// "silu_kernel_cuda" -> "silu", "GeluCUDAKernelImpl" -> "gelu", "MulFunctor" -> "mul", "MeanOps" -> "mean".
std::string CleanFunctionName(std::string_view name);

}  // namespace warpsight
