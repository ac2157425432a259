// Functions of known libraries that are named after what they do: vllm::rms_norm_kernel<c10::BFloat16, 8, 2>.
//
// The library is told by the namespace or by the start of the name (data/kernel_libraries.toml), the op by the function's
// name, the type by the first floating-point type among the template arguments. Nothing else is read.
//
// Source: the libraries' public sources, named in the data file.
#include "analysis/kernel_name/aten_functor.h"
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/kernel_libraries.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

bool DecodeLibraryFunction(const KernelNameText& name, DecodedKernelName& decoded) {
  const KernelLibrary* library = KernelLibraries::Embedded().Find(name.function());
  if (library == nullptr) return false;
  decoded.library = library->name;
  decoded.title = LowerCase(library->name);
  std::string_view function = name.base();
  // "MIOpenBatchNorm...", "cudnn_bn_...": the library is said already.
  if (LowerCase(function).starts_with(decoded.title)) function.remove_prefix(decoded.title.size());
  while (function.starts_with('_')) function.remove_prefix(1);
  if (const std::string op = CleanFunctionName(function); !op.empty()) decoded.ops.push_back(op);
  decoded.a_type = FirstFloatingType(name.arguments());
  const std::string base = LowerCase(name.base());
  if (Contains(base, "fwd") || Contains(base, "forward") || Contains(base, "fprop"))
    decoded.direction = PassDirection::kForward;
  if (Contains(base, "bwd") || Contains(base, "backward") || Contains(base, "dgrad") || Contains(base, "wgrad")) {
    decoded.direction = PassDirection::kBackward;
  }
  return true;
}

}  // namespace

extern const KernelNameGrammar kLibraryFunctionGrammar = {"library function", "vllm::rms_norm_kernel<c10::BFloat16, 8, 2>",
                                                          "data/kernel_libraries.toml", DecodeLibraryFunction};

}  // namespace warpsight
