// NCCL and RCCL device kernels, and the custom all-reduces of vLLM, SGLang, FlashInfer and PyTorch.
//
//   nccl{Dev}Kernel_COLLECTIVE[_REDUCTION_TYPE]_ALGORITHM_PROTOCOL   since 2.19 (AllReduce_Sum_bf16_RING_LL)
//   ncclKernel_COLLECTIVE_ALGORITHM_PROTOCOL_REDUCTION_TYPE          before
//   ncclCOLLECTIVEALGORITHMPROTOCOLKernel_REDUCTION_TYPE             the oldest (ncclAllReduceRingLLKernel_sum_f32)
//   nccl{Dev}Kernel_Generic[_N]                                      what runs is not told; with a number it is RCCL's
//   ncclSym[k]DevKernel_COLLECTIVE_HOW_REDUCTION_TYPE                symmetric memory; HOW is told as the algorithm
//
// Words are recognised by what they are, not by their place. RCCL shares NCCL's names, so "NCCL" may be RCCL on AMD GPUs.
//
// Source: NCCL src/device/generate.py and common.h, src/include/device.h; RCCL likewise; vllm custom_all_reduce.cuh;
// PyTorch CUDASymmetricMemoryOps.cu.
#include <algorithm>

#include "analysis/kernel_name/aten_functor.h"
#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/kernel_libraries.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

struct Spelling {
  std::string_view in_name;
  std::string_view told;
};
constexpr Spelling kCollectives[] = {
    {"allreduce", "all_reduce"},
    {"allgather", "all_gather"},
    {"reducescatter", "reduce_scatter"},
    {"broadcast", "broadcast"},
    {"reduce", "reduce"},
    {"sendrecv", "send_recv"},
    {"alltoall", "all_to_all"},
    {"alltoallpivot", "all_to_all"},
};
constexpr std::string_view kReductions[] = {"sum", "prod", "min", "max", "minmax", "avg", "premulsum", "sumpostdiv"};
constexpr std::string_view kAlgorithms[] = {"TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT"};
constexpr std::string_view kProtocols[] = {"LL", "LL128", "SIMPLE"};

// Not NCCL: functions that are known by a piece of their name.
constexpr Spelling kCustom[] = {
    {"cross_device_reduce", "all_reduce"}, {"multimem_all_reduce", "all_reduce"}, {"one_shot_all_reduce", "all_reduce"},
    {"two_shot_all_reduce", "all_reduce"}, {"allreduce_fusion", "all_reduce"},    {"multimem_all_gather", "all_gather"},
};

void ReadNcclWord(std::string_view word, DecodedKernelName& decoded) {
  const std::string lower = LowerCase(word);
  std::string upper(word);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto* collective = std::ranges::find(kCollectives, lower, &Spelling::in_name);
  if (collective != std::end(kCollectives) && decoded.collective.empty()) {
    decoded.collective = collective->told;
  } else if (std::ranges::find(kReductions, lower) != std::end(kReductions)) {
    decoded.reduction = lower;
  } else if (std::ranges::find(kProtocols, upper) != std::end(kProtocols)) {
    decoded.protocol = upper;
  } else if (std::ranges::find(kAlgorithms, decoded.algorithm + "_" + upper) != std::end(kAlgorithms)) {
    decoded.algorithm += "_" + upper;
  } else if (std::ranges::find(kAlgorithms, upper) != std::end(kAlgorithms) || upper == "COLLNET") {
    decoded.algorithm = upper;
  } else if (std::string type = ValueTypes::Embedded().OfWord(lower); !type.empty()) {
    decoded.a_type = decoded.output_type = type;
  }
}

// "AllReduceRingLL" of the oldest names, word by word.
void ReadJoined(std::string_view joined, DecodedKernelName& decoded) {
  constexpr std::string_view kWords[] = {"AllReduce", "AllGather", "ReduceScatter", "Broadcast", "Reduce",
                                         "SendRecv",  "Ring",      "Tree",          "LL128",     "LL"};
  while (!joined.empty()) {
    const auto* word = std::ranges::find_if(kWords, [&](std::string_view w) { return joined.starts_with(w); });
    if (word == std::end(kWords)) return;
    ReadNcclWord(*word, decoded);
    joined.remove_prefix(word->size());
  }
}

bool DecodeNccl(const KernelNameText& name, DecodedKernelName& decoded) {
  const std::vector<std::string_view> words = SplitWords(name.base());
  const std::string_view head = words[0];
  const bool joined = head.starts_with("nccl") && head.ends_with("Kernel") && head.size() > 14 &&
                      head != "ncclSymDevKernel" && head != "ncclSymkDevKernel";
  const bool symmetric = head.starts_with("ncclSym");
  if (!joined && head != "ncclDevKernel" && head != "ncclKernel" && head != "ncclSymDevKernel" &&
      head != "ncclSymkDevKernel" && head != "mscclKernel" && !head.starts_with("rccl")) {
    return false;
  }
  const bool numbered = words.size() == 3 && words[1] == "Generic" && ParseNumber(words[2]);
  const bool rccl = numbered || head.starts_with("rccl") || head.starts_with("mscc");
  decoded.library = rccl ? "RCCL" : "NCCL";
  decoded.title = rccl ? "rccl" : "nccl";
  if (joined) ReadJoined(head.substr(4, head.size() - 10), decoded);
  for (size_t at = 1; at < words.size(); ++at) {
    if (symmetric && at > 1 && (Contains(words[at], "x") || decoded.algorithm.empty()) && words[at] != "max") {
      decoded.algorithm += (decoded.algorithm.empty() ? "" : "_") + std::string(words[at]);
      continue;
    }
    // "int8_t", "uint64_t": the old names spell types as C does.
    if (words[at] != "t") ReadNcclWord(words[at], decoded);
  }
  // Of a send or a receive nothing is reduced: the old names carry a filler.
  if (decoded.collective == "send_recv" || decoded.collective == "all_gather") decoded.reduction.clear();
  return true;
}

bool DecodeCustom(const KernelNameText& name, DecodedKernelName& decoded) {
  const auto* custom = std::ranges::find_if(kCustom, [&](const Spelling& s) { return Contains(name.base(), s.in_name); });
  if (custom == std::end(kCustom)) return false;
  decoded.collective = custom->told;
  decoded.ops.push_back(CleanFunctionName(name.base()));
  if (const KernelLibrary* library = KernelLibraries::Embedded().Find(name.function()); library != nullptr) {
    decoded.library = library->name;
    decoded.title = LowerCase(library->name);
  }
  for (const std::string_view argument : name.arguments()) {
    if (const std::string type = ValueTypes::Embedded().OfCpp(argument); !type.empty()) {
      decoded.a_type = decoded.output_type = type;
      break;
    }
  }
  return true;
}

bool DecodeCollective(const KernelNameText& name, DecodedKernelName& decoded) {
  decoded.kind = "collective";
  return DecodeNccl(name, decoded) || DecodeCustom(name, decoded);
}

}  // namespace

extern const KernelNameGrammar kNcclGrammar = {"nccl",
                                               "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                                               "NCCL src/device/generate.py", DecodeCollective};

}  // namespace warpsight
