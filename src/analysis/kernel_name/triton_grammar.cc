// Triton kernels: those that TorchInductor writes, and the matmul of triton_kernels.
//
//   triton_{poi|red|per|tem|for}_fused_OP_OP_..._INDEX
//   _matmul_ogs_LAYOUT_RESULTxAxB_MxNxKxSPLIT[_EPILOGUE]            (LAYOUT in the same order: result, A, B)
//
// poi = pointwise, red = reduction, per = reduction that keeps its row in registers, tem = template (mm, convolution,
// attention), for = foreach. OPs are ATen names joined by "_", many of which hold "_" themselves (_to_copy,
// native_layer_norm): data/aten_op_names.toml lists those, the longest that fits is taken. Names of views and the like
// (expand, unsqueeze, slice) are kept, they were fused too.
//
// Source: PyTorch torch/_inductor/utils.py (get_fused_kernel_name) and codegen/triton.py; triton-lang
// triton_kernels/matmul_ogs.py.
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/op_names.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

std::string_view KindOf(std::string_view code) {
  if (code == "poi" || code == "for") return "elementwise";
  if (code == "red" || code == "per") return "reduction";
  return {};
}

// A template multiplies or attends by what it is made for.
void ReadTemplateKind(DecodedKernelName& decoded) {
  for (const std::string& op : decoded.ops) {
    if (op == "mm" || op == "bmm" || op == "addmm" || op == "baddbmm" || op == "_scaled_mm" || op == "_int_mm")
      decoded.kind = "gemm";
    if (op == "convolution") decoded.kind = "convolution";
    if (Contains(op, "attention")) decoded.kind = "attention";
    if (Contains(op, "attention_backward")) decoded.direction = PassDirection::kBackward;
  }
}

bool DecodeInductor(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::string_view text = name.base();
  const std::optional<std::string_view> rest = AfterPrefix(text, "triton_");
  if (!rest) return false;
  decoded.library = "Triton";
  decoded.title = "triton";
  const std::string_view code = rest->substr(0, rest->find('_'));
  const size_t fused = rest->find("fused");
  decoded.kind = KindOf(code);
  if (fused == std::string_view::npos) return true;  // triton_mm and own names
  decoded.library = "Triton (TorchInductor)";
  std::string_view ops = rest->substr(fused + 5);
  const size_t index = ops.rfind('_');
  if (index != std::string_view::npos && ParseNumber(ops.substr(index + 1))) ops = ops.substr(0, index);
  if (ops.starts_with('_')) ops.remove_prefix(1);
  decoded.ops = OpNames::Embedded().Split(ops);
  if (code == "tem") ReadTemplateKind(decoded);
  return true;
}

bool DecodeMatmulOgs(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> words = SplitWords(name.base());
  if (words.size() < 6 || words[1] != "matmul" || words[2] != "ogs") return false;
  decoded.library = "Triton (triton_kernels)";
  decoded.kind = "gemm";
  decoded.title = "triton matmul_ogs";
  if (words[3].size() == 3) ReadLayout(words[3].substr(1), decoded);
  const std::vector<std::string_view> types = SplitWords(words[4], 'x');
  if (types.size() >= 3) {
    // "mxfp4" holds the separator.
    const std::string_view b = words[4].substr(types[0].size() + types[1].size() + 2);
    decoded.output_type = ValueTypes::Embedded().OfWord(types[0]);
    decoded.a_type = ValueTypes::Embedded().OfWord(types[1]);
    decoded.b_type = ValueTypes::Embedded().OfWord(b);
  }
  const size_t split = words[5].rfind('x');
  if (split != std::string_view::npos && ParseExtent(words[5].substr(0, split))) {
    decoded.tile = *ParseExtent(words[5].substr(0, split));
    if (const int32_t slices = ParseNumber(words[5].substr(split + 1)).value_or(0); slices > 1) {
      decoded.split_k = "slices";
      decoded.split_k_slices = slices;
    }
  }
  for (size_t at = 6; at < words.size(); ++at) decoded.epilogue.emplace_back(words[at]);
  return true;
}

bool DecodeTriton(const KernelNameText& name, DecodedKernelName& decoded) {
  return DecodeInductor(name, decoded) || DecodeMatmulOgs(name, decoded);
}

}  // namespace

extern const KernelNameGrammar kTritonGrammar = {"triton", "triton_poi_fused_add_mul_silu_9", "PyTorch torch/_inductor",
                                                 DecodeTriton};

}  // namespace warpsight
