// CUTLASS kernels whose configuration stands in template arguments (vLLM, SGLang, TensorRT-LLM, FBGEMM and own builds).
//
//   CUTLASS 3: CollectiveMma<MainloopSmNN...<stages, cluster, schedule>, tile M x N x K, A, stride A, B, stride B,
//              TiledMMA<MMA_Atom<...>>...>
//   CUTLASS 2: threadblock::MmaMultistage<GemmShape<M, N, K>, ..., stages>, arch::Mma<GemmShape<m, n, k>, 32, A, ...>
//
// The instruction of CUTLASS 3 is in the atom: SM90_64x128x16_F32BF16BF16_SS = wgmma 64x128x16, f32 accumulator, bf16
// operands. A stride of <long, 1, long> means that K is contiguous: row major for A (t), column major for B (n).
// An arch::Mma of 1x1x1 is SIMT.
//
// Source: CUTLASS include/cutlass/gemm/collective, gemm/threadblock, arch/mma.h and include/cute/atom.
#include <cctype>

#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

constexpr size_t kAbsent = std::string_view::npos;

std::string_view IdentifierAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
  return text.substr(at, end - at);
}

// The atom's last identifier: "SM90_64x128x16_F32BF16BF16_SS", "MMA_64x64x16_F32BF16BF16_SS", "SM100_MMA_F16BF16_SS".
void ReadAtom(std::string_view text, DecodedKernelName& decoded) {
  const std::vector<std::string_view> atom = TemplateArguments(text, "MMA_Atom");
  if (atom.empty()) return;
  const std::string_view head = atom[0].substr(0, atom[0].find('<'));
  const size_t colon = head.rfind("::");
  const std::string_view name = colon == kAbsent ? head : head.substr(colon + 2);
  if (Contains(name, "UniversalFMA")) {
    decoded.tensor_cores = TensorCoreUse::kNotUsed;
    return;
  }
  decoded.tensor_cores = TensorCoreUse::kUsed;
  if (Contains(head, "SM90")) decoded.instruction = "wgmma";
  if (Contains(head, "SM100")) decoded.instruction = "tcgen05";
  if (Contains(head, "SM80") || Contains(head, "SM75") || Contains(head, "SM89") || Contains(head, "SM120"))
    decoded.instruction = "mma";
  for (const std::string_view word : SplitWords(name)) {
    if (const auto shape = ParseExtent(word); shape && shape->k != 0) decoded.instruction_shape = *shape;
    const std::vector<std::string> types = ValueTypes::Embedded().OfWordRun(LowerCase(word));
    if (types.size() < 3) continue;
    decoded.accumulate_type = types[0];
    decoded.math_type = types[1];
  }
}

// 't' or 'n' of a stride, 0 when it has no constant 1.
char Major(std::string_view stride, char k_contiguous, char k_strided) {
  const size_t open = stride.find('<');
  if (open == kAbsent) return 0;
  const std::vector<std::string_view> sides = SplitArguments(stride.substr(open + 1));
  if (sides.size() < 2) return 0;
  if (IntegerArgument(sides[1]) == 1) return k_contiguous;
  return IntegerArgument(sides[0]) == 1 ? k_strided : '\0';
}

void ReadCollective(std::string_view text, DecodedKernelName& decoded) {
  const std::vector<std::string_view> collective = TemplateArguments(text, "CollectiveMma");
  if (collective.size() < 6) return;
  if (const auto tile = TupleArgument(collective[1]); tile) decoded.tile = *tile;
  decoded.a_type = ValueTypes::Embedded().OfCpp(collective[2]);
  decoded.b_type = ValueTypes::Embedded().OfCpp(collective[4]);
  const char a = Major(collective[3], 't', 'n');
  const char b = Major(collective[5], 'n', 't');
  if (a != 0 && b != 0) ReadLayout(std::string{a, b}, decoded);
}

bool DecodeTemplate3(const KernelNameText& name, size_t mainloop, DecodedKernelName& decoded) {
  const std::string_view text = name.text();
  const std::string_view identifier = IdentifierAt(text, mainloop);
  decoded.library = "CUTLASS 3";
  const std::string_view after = identifier.substr(std::string_view("MainloopSm").size());
  decoded.architecture = "sm" + std::string(after.substr(0, after.find_first_not_of("0123456789")));
  const std::vector<std::string_view> arguments = TemplateArguments(text, identifier);
  if (!arguments.empty()) decoded.stages = IntegerArgument(arguments[0]).value_or(0);
  for (const std::string_view argument : arguments) {
    if (!Contains(argument.substr(0, argument.find('<')), "tuple")) continue;
    if (const auto cluster = TupleArgument(argument); cluster) decoded.cluster = *cluster;
    break;
  }
  ReadAtom(text, decoded);
  ReadCollective(text, decoded);
  if (name.Has("GroupProblemShape") || name.Has("PtrArray")) decoded.ops.emplace_back("grouped");
  if (name.Has("StreamK")) decoded.split_k = "stream-k";
  return true;
}

bool DecodeTemplate2(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::string_view text = name.text();
  decoded.library = "CUTLASS 2";
  for (const std::string_view mainloop : {"MmaMultistage", "MmaPipelined", "ImplicitGemmMultistage"}) {
    const std::vector<std::string_view> arguments = TemplateArguments(text, mainloop);
    if (arguments.empty()) continue;
    if (const auto tile = TupleArgument(arguments[0]); tile) decoded.tile = *tile;
    if (mainloop == "MmaPipelined") decoded.stages = 2;  // what the class is
    if (mainloop == "MmaMultistage" && arguments.size() > 10) decoded.stages = IntegerArgument(arguments[10]).value_or(0);
  }
  std::vector<std::string_view> mma = TemplateArguments(text, "cutlass::arch::Mma");
  if (mma.empty()) mma = TemplateArguments(text, "cutlass::Mma");  // as Nsight Compute writes it
  if (mma.size() > 6) {
    const std::optional<KernelExtent> shape = TupleArgument(mma[0]);
    const bool simt = shape == KernelExtent{1, 1, 1};
    decoded.tensor_cores = simt ? TensorCoreUse::kNotUsed : TensorCoreUse::kUsed;
    if (shape && !simt) decoded.instruction_shape = *shape;
    if (!simt) decoded.instruction = "mma";
    decoded.a_type = decoded.math_type = ValueTypes::Embedded().OfCpp(mma[2]);
    decoded.b_type = ValueTypes::Embedded().OfCpp(mma[4]);
    decoded.accumulate_type = ValueTypes::Embedded().OfCpp(mma[6]);
  }
  if (name.Has("StreamK") || name.Has("Streamk")) decoded.split_k = "stream-k";
  if (name.Has("SplitKParallel")) decoded.split_k = "slices";
  return decoded.tile.told() || mma.size() > 6 || name.Has("cutlass::gemm::kernel::") || name.Has("cutlass::conv::kernel::");
}

bool DecodeCutlassTemplate(const KernelNameText& name, DecodedKernelName& decoded) {
  if (!name.Has("cutlass::")) return false;
  decoded.kind = name.Has("cutlass::conv::") ? "convolution" : "gemm";
  decoded.title = "cutlass";
  const size_t mainloop = name.text().find("MainloopSm");
  return mainloop == kAbsent ? DecodeTemplate2(name, decoded) : DecodeTemplate3(name, mainloop, decoded);
}

}  // namespace

extern const KernelNameGrammar kCutlassTemplateGrammar = {
    "cutlass template", "cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<...>>", "CUTLASS headers",
    DecodeCutlassTemplate};

}  // namespace warpsight
