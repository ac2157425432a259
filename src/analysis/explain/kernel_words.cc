#include "analysis/explain/kernel_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/explain/text_entries.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

using KernelFactList = std::vector<std::pair<std::string, std::string>>;

struct KindWords {
  std::string_view kind;
  std::string_view words;
};
constexpr KindWords kKindWords[] = {
    {"gemm", "matrix product (GEMM)"},
    {"gemv", "matrix-vector product (GEMV)"},
    {"split-k reduce", "sum of the slices of a split-K matrix product"},
    {"attention", "attention kernel"},
    {"convolution", "convolution"},
    {"collective", "collective"},
    {"elementwise", "elementwise kernel"},
    {"reduction", "reduction"},
    {"norm", "normalisation"},
    {"copy", "copy"},
    {"moe", "kernel of a mixture of experts"},
    {"optimizer", "optimizer step"},
    {"rotary", "rotary position embedding"},
    {"sampling", "choice of the next token"},
    {"embedding", "gather of table rows"},
};

std::string JoinWords(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string ExtentWords(const KernelExtent& extent) {
  std::string text = std::to_string(extent.m);
  if (extent.n != 0) text += fmt::format(" x {}", extent.n);
  if (extent.k != 0) text += fmt::format(" x {}", extent.k);
  return text;
}

std::string ArchitectureWords(const std::string& architecture) {
  for (const TextEntry& entry : ReadTextEntries(EmbeddedFile("data/explain_model.toml"))) {
    if (entry.table != "architecture") continue;
    const std::string words = entry.Text(architecture);
    return words.empty() ? architecture : fmt::format("{}: {}", architecture, words);
  }
  return architecture;
}

std::string TypeWords(const DecodedKernelName& decoded) {
  std::vector<std::string> words;
  if (!decoded.a_type.empty()) {
    words.push_back(decoded.b_type.empty() || decoded.b_type == decoded.a_type
                        ? decoded.a_type + " operands"
                        : fmt::format("{} times {} operands", decoded.a_type, decoded.b_type));
  }
  if (!decoded.math_type.empty() && decoded.math_type != decoded.a_type)
    words.push_back("multiplied as " + decoded.math_type);
  if (!decoded.accumulate_type.empty()) words.push_back(decoded.accumulate_type + " accumulation");
  if (!decoded.output_type.empty()) words.push_back(decoded.output_type + " result");
  return JoinWords(words);
}

std::string TensorCoreWords(const DecodedKernelName& decoded) {
  if (decoded.tensor_cores == TensorCoreUse::kNotUsed) return "not used: ordinary arithmetic units";
  if (decoded.tensor_cores == TensorCoreUse::kNotTold) return "";
  std::string words = "used";
  if (!decoded.instruction.empty()) words += ": " + decoded.instruction;
  if (decoded.instruction_shape.told()) words += ", " + ExtentWords(decoded.instruction_shape) + " an instruction";
  return words;
}

std::string LayoutWords(const DecodedKernelName& decoded) {
  if (decoded.layout.empty()) return "";
  std::string words = decoded.layout;
  if (decoded.a_transposed && decoded.b_transposed) {
    words += fmt::format(": first operand {}transposed, second {}transposed", *decoded.a_transposed ? "" : "not ",
                         *decoded.b_transposed ? "" : "not ");
  }
  return words;
}

std::string SplitWords(const DecodedKernelName& decoded) {
  if (decoded.split_k.empty()) return "";
  if (decoded.split_k == "reduce") return "this kernel adds the slices of the product before it";
  if (decoded.split_k == "stream-k") return "stream-K: blocks share tiles, so that no wave is left part full";
  if (decoded.split_k == "split-kv") return "the keys are divided between blocks";
  return decoded.split_k_slices > 0 ? fmt::format("{} slices of the inner dimension", decoded.split_k_slices)
                                    : "the inner dimension is divided between blocks";
}

std::string DirectionWords(const DecodedKernelName& decoded) {
  if (decoded.direction == PassDirection::kNotTold) return "";
  return decoded.direction == PassDirection::kForward ? "forward" : "backward";
}

std::string TileWords(const DecodedKernelName& decoded) {
  if (!decoded.tile.told()) return "";
  return ExtentWords(decoded.tile) + (decoded.kind == "attention" ? " (query rows x key rows)" : " a block");
}

bool IsProduct(const DecodedKernelName& decoded) {
  return decoded.kind == "gemm" || decoded.kind == "gemv" || decoded.kind == "convolution" || decoded.kind == "attention";
}

// What one would like to know of a product and its name does not say.
std::string NotToldWords(const DecodedKernelName& decoded) {
  if (!IsProduct(decoded)) return "";
  std::vector<std::string> words;
  const auto add = [&](bool told, std::string_view what) {
    if (!told) words.emplace_back(what);
  };
  add(!decoded.a_type.empty() || !decoded.math_type.empty(), "types");
  add(decoded.tensor_cores != TensorCoreUse::kNotTold, "tensor cores");
  add(decoded.tile.told(), "tile");
  if (decoded.kind == "gemm") {
    add(decoded.stages != 0, "stages");
    add(!decoded.layout.empty(), "layout");
  }
  return JoinWords(words);
}

std::string CountWords(int32_t count, std::string_view what) {
  return count == 0 ? std::string() : fmt::format("{}{}", count, what);
}

bool IsVowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o'; }

}  // namespace

std::string KernelKindWords(std::string_view kind) {
  const auto found = std::ranges::find(kKindWords, kind, &KindWords::kind);
  return std::string(found == std::end(kKindWords) ? kind : found->words);
}

std::string KernelSentence(const DecodedKernelName& decoded) {
  const std::string kind = decoded.kind.empty() ? "kernel" : KernelKindWords(decoded.kind);
  std::string text = fmt::format("By its name {} {}", IsVowel(kind.front()) ? "an" : "a", kind);
  if (!decoded.library.empty()) text += " of " + decoded.library;
  if (!decoded.architecture.empty()) text += ", built for " + decoded.architecture;
  if (decoded.direction == PassDirection::kBackward) text += ", backward pass";
  text += '.';
  const std::string types = TypeWords(decoded);
  if (!types.empty()) text += fmt::format(" It has {}.", types);
  const std::string tensor = TensorCoreWords(decoded);
  if (!tensor.empty()) text += fmt::format(" Tensor cores are {}.", tensor);
  if (!decoded.ops.empty()) text += fmt::format(" It computes {}.", JoinWords(decoded.ops));
  return text;
}

std::vector<std::pair<std::string, std::string>> KernelFacts(const DecodedKernelName& decoded) {
  KernelFactList facts;
  const auto add = [&](std::string_view label, std::string value) {
    if (!value.empty()) facts.emplace_back(label, std::move(value));
  };
  add("Kind", KernelKindWords(decoded.kind));
  add("Library", decoded.library);
  add("Architecture", ArchitectureWords(decoded.architecture));
  add("Types", TypeWords(decoded));
  add("Tensor cores", TensorCoreWords(decoded));
  add("Tile", TileWords(decoded));
  add("Cluster", decoded.cluster.told() ? ExtentWords(decoded.cluster) + " blocks" : "");
  add("Stages", CountWords(decoded.stages, " pieces of the operands in flight"));
  add("Layout", LayoutWords(decoded));
  add("Split-K", SplitWords(decoded));
  add("Epilogue", decoded.epilogue.empty() ? "" : "can do " + JoinWords(decoded.epilogue));
  add("Access width", CountWords(decoded.vector_width, " elements"));
  add("Direction", DirectionWords(decoded));
  add("Head size", CountWords(decoded.head_dim, ""));
  add("Mask", !decoded.causal ? "" : *decoded.causal ? "causal" : "not causal");
  add("Operations", JoinWords(decoded.ops));
  add("Collective", decoded.collective);
  add("Reduction", decoded.reduction);
  add("Algorithm", decoded.algorithm);
  add("Protocol", decoded.protocol);
  add("Not read", JoinWords(decoded.modifiers));
  add("Not told", NotToldWords(decoded));
  return facts;
}

}  // namespace warpsight
