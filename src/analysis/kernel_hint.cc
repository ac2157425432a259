// What kernel names say about the cost of the op that launched them.
#include "analysis/kernel_name/decoded_kernel_name.h"
#include "analysis/op_cost.h"

namespace warpsight {
namespace {

bool HasWord(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The `index`-th of the booleans that follow `after` in a template argument list.
std::optional<bool> BooleanAfter(std::string_view name, std::string_view after, int index) {
  size_t at = name.find(after);
  if (at == std::string_view::npos) return std::nullopt;
  at += after.size();
  for (int seen = 0; at < name.size(); ++at) {
    const bool is_true = name.substr(at, 4) == "true";
    if (!is_true && name.substr(at, 5) != "false") continue;
    if (seen++ == index) return is_true;
    at += 3;
  }
  return std::nullopt;
}

// The end of the template argument list that begins after `begin`, or npos.
size_t EndOfArguments(std::string_view name, size_t begin) {
  int depth = 1;
  for (size_t at = begin; at < name.size(); ++at) {
    if (name[at] == '<') ++depth;
    if (name[at] == '>' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

// FlashAttention 2: flash_fwd_kernel<Traits<...>, Is_dropout, Is_causal, ...>, flash_fwd_splitkv_kernel<Traits<...>,
// Is_causal, ...>, flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Traits<...>, Is_dropout, Is_causal, ...>. FlashAttention 3:
// CollectiveMainloop{Fwd,Bwd}Sm90<..., cutlass::arch::Sm90, Is_causal, ...>.
std::optional<bool> Causal(std::string_view name) {
  if (const size_t main = name.find("CollectiveMainloop"); main != std::string_view::npos)
    return BooleanAfter(name.substr(main), "arch::Sm90", 0);
  const size_t traits = name.find("_kernel_traits<");
  if (traits == std::string_view::npos || !HasWord(name, "flash_")) return std::nullopt;
  const size_t end = EndOfArguments(name, traits + std::string_view("_kernel_traits<").size());
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view rest = name.substr(end);
  if (HasWord(name, "flash_fwd_splitkv_kernel")) return BooleanAfter(rest, "", 0);
  if (HasWord(name, "flash_fwd_kernel") || HasWord(name, "flash_bwd_dq_dk_dv")) return BooleanAfter(rest, "", 1);
  return std::nullopt;
}

// The first element type named. Copies of ATen name the size only.
ElementType Element(std::string_view name) {
  constexpr std::pair<std::string_view, ElementType> kOpaque[] = {{"OpaqueType<1u>", ElementType::kInt8},
                                                                  {"OpaqueType<2u>", ElementType::kFp16},
                                                                  {"OpaqueType<4u>", ElementType::kFp32},
                                                                  {"OpaqueType<8u>", ElementType::kInt64}};
  for (const auto& [word, type] : kOpaque) {
    if (HasWord(name, word)) return type;
  }
  ElementType first = ElementType::kUnknown;
  size_t first_at = std::string_view::npos;
  for (const std::string_view word : {"c10::Half", "c10::BFloat16", "float", "double", "c10::Float8_e4m3fn"}) {
    const size_t at = name.find(word);
    const char before = at == 0 || at == std::string_view::npos ? ' ' : name[at - 1];
    if (at >= first_at || (before != '<' && before != ' ' && before != ',' && before != '(')) continue;
    first_at = at;
    first = ParseElementType(word);
  }
  return first;
}

ElementType OfDecoded(std::string_view type) {
  constexpr std::pair<std::string_view, ElementType> kTypes[] = {
      {"f16", ElementType::kFp16}, {"bf16", ElementType::kBf16}, {"f32", ElementType::kFp32}, {"tf32", ElementType::kFp32},
      {"f64", ElementType::kFp64}, {"e4m3", ElementType::kFp8},  {"e5m2", ElementType::kFp8}, {"i8", ElementType::kInt8}};
  for (const auto& [word, element] : kTypes) {
    if (type == word) return element;
  }
  return ElementType::kUnknown;
}

// Libraries name types in words of their own ("hsh"). The reduction behind a split-K product names its accumulator first:
// there the result counts.
ElementType ElementOf(std::string_view name) {
  const bool reduces = HasWord(name, "splitKreduce");
  if (const ElementType named = Element(name); named != ElementType::kUnknown && !reduces) return named;
  const std::optional<DecodedKernelName> decoded = DecodeKernelName(name);
  return decoded ? OfDecoded(reduces ? decoded->output_type : decoded->a_type) : ElementType::kUnknown;
}

}  // namespace

void KernelHint::Merge(const KernelHint& other) {
  if (element == ElementType::kUnknown) element = other.element;
  if (!causal) causal = other.causal;
  tf32 = tf32 || other.tf32;
}

uint32_t KernelHint::Packed() const {
  const uint32_t causal_bits = causal ? (*causal ? 2u : 1u) : 0u;
  return static_cast<uint32_t>(element) | causal_bits << 8 | (tf32 ? 1u : 0u) << 10;
}

KernelHint HintOf(std::string_view kernel_name) {
  KernelHint hint;
  hint.element = ElementOf(kernel_name);
  hint.causal = Causal(kernel_name);
  // cuBLAS and cuDNN name the type; s1688 is the shape of the TF32 instruction, unless another type stands beside it; nvjet
  // kernels run on tensor cores only.
  hint.tf32 = HasWord(kernel_name, "tf32") || HasWord(kernel_name, "nvjet") ||
              (HasWord(kernel_name, "s1688") && !HasWord(kernel_name, "16_s1688") && !HasWord(kernel_name, "h1688"));
  return hint;
}

}  // namespace warpsight
