// AMD's composable kernel (ck) and ck_tile.
//
//   ck::...kernel_...<ck::GridwiseGemm..._{xdl|wmma|dl}...<[layout A, B, C,] types..., element operations...,
//       enumerator, [stages,] block size, M, N, K per block, AK1, BK1, M, N per instruction, ...>>
//
// xdl = MFMA and wmma = WMMA matrix instructions, dl and dpp = neither. The numbers follow the first enumerator of
// GemmSpecialization (block size first) or of InMemoryDataOperationEnum (prefetch stages first). bf16 is unsigned short
// there. Only these two forms are read; of others the library, the operand type and the matrix unit are told.
//
// Source: ROCm/composable_kernel include/ck/tensor_operation/gpu/grid, include/ck_tile/ops.
#include <algorithm>

#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

std::string TypeOf(std::string_view argument) {
  const std::string type = ValueTypes::Embedded().OfCpp(argument);
  return type == "u16" ? "bf16" : type;
}

// The identifier that begins with "GridwiseGemm".
std::string_view GridwiseName(std::string_view text) {
  const size_t at = std::min(text.find("GridwiseGemm"), text.find("GridwiseMoeGemm"));
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at);
  return rest.substr(0, rest.find_first_of("<>, (:"));
}

void ReadMatrixUnit(const KernelNameText& name, DecodedKernelName& decoded) {
  if (name.Has("_xdl")) {
    decoded.instruction = "mfma";
    decoded.tensor_cores = TensorCoreUse::kUsed;
  } else if (name.Has("_wmma")) {
    decoded.instruction = "wmma";
    decoded.tensor_cores = TensorCoreUse::kUsed;
  } else if (name.Has("_dl_") || name.Has("_dpp")) {
    decoded.tensor_cores = TensorCoreUse::kNotUsed;
  }
}

void ReadLayouts(const std::vector<std::string_view>& arguments, DecodedKernelName& decoded) {
  if (arguments.size() < 2) return;
  const auto row_major = [](std::string_view text) -> std::optional<bool> {
    if (text.ends_with("RowMajor")) return true;
    if (text.ends_with("ColumnMajor")) return false;
    return std::nullopt;
  };
  const std::optional<bool> a = row_major(arguments[0]);
  const std::optional<bool> b = row_major(arguments[1]);
  if (a && b) ReadLayout(std::string{*a ? 't' : 'n', *b ? 't' : 'n'}, decoded);
}

// The numbers of the two forms that are read, from the block size on.
void ReadNumbers(std::string_view gridwise, const std::vector<std::string_view>& arguments, DecodedKernelName& decoded) {
  size_t at = 0;
  while (at < arguments.size() && !Contains(arguments[at], "GemmSpecialization") &&
         !Contains(arguments[at], "InMemoryDataOperation"))
    ++at;
  if (at >= arguments.size()) return;
  const bool prefetch_first = Contains(arguments[at], "InMemoryDataOperation");
  at += prefetch_first ? 2 : 1;
  std::vector<int32_t> numbers;
  for (; at < arguments.size() && numbers.size() < 13; ++at) {
    const std::optional<int32_t> number = IntegerArgument(arguments[at]);
    if (!number) break;
    numbers.push_back(*number);
  }
  // Block size, M, N, K, AK1, BK1, M and N of the instruction. Block scales put their M, N, K after the block size.
  const bool scaled = Contains(gridwise, "ABScale") || Contains(gridwise, "BlockScale");
  if (scaled && numbers.size() > 4) numbers.erase(numbers.begin() + 1, numbers.begin() + 4);
  if (numbers.size() < 8) return;
  decoded.tile = {numbers[1], numbers[2], numbers[3]};
  decoded.vector_width = numbers[4];
  decoded.instruction_shape = {numbers[6], numbers[7], 0};
}

bool DecodeOld(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::string_view gridwise = GridwiseName(name.text());
  const std::vector<std::string_view> arguments = TemplateArguments(name.text(), gridwise);
  decoded.library = "composable kernel";
  decoded.title = "ck";
  decoded.kind = Contains(name.base(), "conv") || Contains(name.base(), "bwd_weight") ? "convolution" : "gemm";
  if (gridwise.empty()) decoded.kind.clear();
  if (Contains(name.base(), "conv_fwd")) decoded.direction = PassDirection::kForward;
  if (Contains(name.base(), "bwd")) decoded.direction = PassDirection::kBackward;
  ReadMatrixUnit(name, decoded);
  ReadLayouts(arguments, decoded);
  for (const std::string_view argument : arguments) {
    if (decoded.a_type = TypeOf(argument); !decoded.a_type.empty()) break;
  }
  decoded.math_type = decoded.a_type;
  ReadNumbers(gridwise, arguments, decoded);
  return true;
}

bool DecodeTile(const KernelNameText& name, DecodedKernelName& decoded) {
  decoded.library = "composable kernel";
  decoded.title = "ck_tile";
  if (name.Has("FmhaFwd")) decoded.direction = PassDirection::kForward;
  if (name.Has("FmhaBwd")) decoded.direction = PassDirection::kBackward;
  if (name.Has("Fmha")) decoded.kind = "attention";
  if (name.Has("Rmsnorm2dFwd")) decoded.ops.emplace_back("rms_norm");
  if (name.Has("Layernorm2dFwd")) decoded.ops.emplace_back("layer_norm");
  if (name.Has("GemmKernel")) decoded.kind = "gemm";
  for (const std::string_view problem :
       {"Rmsnorm2dFwdPipelineProblem", "Layernorm2dFwdPipelineProblem", "BlockFmhaPipelineProblem"}) {
    const std::vector<std::string_view> arguments = TemplateArguments(name.text(), problem);
    if (!arguments.empty()) decoded.a_type = TypeOf(arguments[0]);
  }
  return true;
}

bool DecodeComposableKernel(const KernelNameText& name, DecodedKernelName& decoded) {
  if (name.function().starts_with("ck_tile::")) return DecodeTile(name, decoded);
  return name.function().starts_with("ck::") && DecodeOld(name, decoded);
}

}  // namespace

extern const KernelNameGrammar kComposableKernelGrammar = {
    "composable kernel", "ck::kernel_gemm_xdl_cshuffle_v3<ck::GridwiseGemm_xdl_cshuffle_v3<...>>",
    "ROCm/composable_kernel headers", DecodeComposableKernel};

}  // namespace warpsight
