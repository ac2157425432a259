// PyTorch's own kernels (at::native): elementwise, reductions, foreach, softmax, and functions named after what they do.
//
//   {vectorized|unrolled|...}_elementwise_kernel<[width,] FUNCTOR, ...>
//   elementwise_kernel<128, 4, gpu_kernel_impl_nocast<FUNCTOR>(...)...>
//   reduce_kernel<threads, outputs a thread, ReduceOp<type, OPS, index, result, width...>>
//   multi_tensor_apply_kernel<TensorListMetadata<n>, FUNCTOR<type, ...>, [std::operation<type>], ...>
//   softmax_warp_{forward|backward}<in, out, accumulate, log2, is log, masked>
//
// FUNCTOR: CUDAFunctor_add<T>; {A|B}UnaryFunctor and BinaryFunctor<types..., F> wrap another; a lambda inside of
// silu_kernel(...) is silu, with the operand type in its parameters; FillFunctor<T> is fill. OpaqueType<n> (n bytes) tells
// no type.
//
// Source: PyTorch aten/src/ATen/native/cuda (CUDALoops.cuh, Loops.cuh, Reduce.cuh, MultiTensorApply.cuh,
// PersistentSoftmax.cuh).
#include "analysis/kernel_name/aten_functor.h"
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

bool DecodeElementwise(const KernelNameText& name, DecodedKernelName& decoded) {
  if (!Contains(name.base(), "elementwise_kernel") && !Contains(name.base(), "elementwise_grid_stride")) return false;
  if (name.arguments().empty()) return false;
  if (Contains(name.base(), "vectorized")) decoded.vector_width = IntegerArgument(name.arguments()[0]).value_or(0);
  for (const std::string_view argument : name.arguments()) {
    if (IntegerArgument(argument) || BoolArgument(argument) || !ValueTypes::Embedded().OfCpp(argument).empty()) continue;
    const AtenFunctor functor = ReadAtenFunctor(argument);
    if (functor.op.empty()) continue;
    decoded.ops = {functor.op};
    decoded.a_type = functor.type;
    decoded.output_type = functor.result_type;
    break;
  }
  return true;
}

bool DecodeReduce(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> arguments = TemplateArguments(name.text(), "ReduceOp");
  const std::vector<std::string_view> qualified = TemplateArguments(name.text(), "at::native::ReduceOp");
  const std::vector<std::string_view>& op = qualified.empty() ? arguments : qualified;
  if (name.base() != "reduce_kernel" || op.size() < 4) return false;
  decoded.a_type = ValueTypes::Embedded().OfCpp(op[0]);
  decoded.output_type = ValueTypes::Embedded().OfCpp(op[3]);
  decoded.ops = {ReadAtenFunctor(op[1]).op};
  if (name.arguments().size() > 2) decoded.vector_width = IntegerArgument(op.size() > 4 ? op[4] : "").value_or(0);
  return true;
}

bool DecodeMultiTensor(const KernelNameText& name, DecodedKernelName& decoded) {
  if (name.base() != "multi_tensor_apply_kernel" || name.arguments().size() < 2) return false;
  decoded.title = "foreach";
  const AtenFunctor functor = ReadAtenFunctor(name.arguments()[1]);
  decoded.a_type = functor.type;
  decoded.ops = {functor.op};
  // What a general functor applies stands after it: std::multiplies<float>, Copy<int, long>.
  if (name.arguments().size() > 2 && Contains(name.arguments()[2], "<")) {
    if (const AtenFunctor applied = ReadAtenFunctor(name.arguments()[2]); !applied.op.empty()) decoded.ops = {applied.op};
  }
  return true;
}

bool DecodeSoftmax(const KernelNameText& name, DecodedKernelName& decoded) {
  if (!name.base().starts_with("softmax_warp_") || name.arguments().size() < 5) return false;
  const ValueTypes& types = ValueTypes::Embedded();
  decoded.a_type = types.OfCpp(name.arguments()[0]);
  decoded.output_type = types.OfCpp(name.arguments()[1]);
  decoded.accumulate_type = types.OfCpp(name.arguments()[2]);
  const bool log = BoolArgument(name.arguments()[4]).value_or(false);
  decoded.ops.emplace_back(log ? "log_softmax" : "softmax");
  decoded.direction = name.base().ends_with("backward") ? PassDirection::kBackward : PassDirection::kForward;
  return true;
}

// Any other function: its name is what it does. The type is the first argument; where numbers come first an integer type is
// one of indices.
bool DecodeFunction(const KernelNameText& name, DecodedKernelName& decoded) {
  if (!name.function().starts_with("at::")) return false;
  decoded.ops = {CleanFunctionName(name.base())};
  if (name.arguments().empty()) return true;
  decoded.a_type = ValueTypes::Embedded().OfCpp(name.arguments()[0]);
  if (decoded.a_type.empty() && IntegerArgument(name.arguments()[0])) decoded.a_type = FirstFloatingType(name.arguments());
  return true;
}

bool DecodeAten(const KernelNameText& name, DecodedKernelName& decoded) {
  decoded.library = "ATen";
  const std::string_view function = name.function();
  const bool aten =
      function.starts_with("at::") || function.starts_with("(anonymous namespace)::") || function.starts_with("<unnamed>::");
  if (!aten) return false;
  if (!DecodeElementwise(name, decoded) && !DecodeReduce(name, decoded) && !DecodeMultiTensor(name, decoded) &&
      !DecodeSoftmax(name, decoded) && !DecodeFunction(name, decoded)) {
    return false;
  }
  for (const std::string& op : decoded.ops) {
    if (Contains(LowerCase(op), "backward")) decoded.direction = PassDirection::kBackward;
  }
  return true;
}

}  // namespace

extern const KernelNameGrammar kAtenGrammar = {
    "aten", "at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::Half>, std::array<char*, 3ul> >",
    "PyTorch aten/src/ATen/native/cuda", DecodeAten};

}  // namespace warpsight
