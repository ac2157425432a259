// DecodeKernelName: what the name of a GPU kernel says about how the kernel was built (library, architecture, types,
// tensor-core instruction, tile, stages, layout, split-K, epilogue, fused ops, collective ...).
//
// Place in the flow: names of GPU work -> this -> kernels table, roofline (math type), rules ("tensor cores not used").
// Only what the grammar of the name gives is filled in; an empty text, a zero or kNotTold means "the name does not tell",
// never "no". Sizes are elements. The grammars stand in this folder, one file each; docs/kernel-names.md lists them.
// Errors: none, any bytes are taken; a name no grammar knows gives nullopt. Time is linear in the length, of which the first
// 64 KiB are read; decode once per distinct name (DecodedNamesOf). Threads: thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

enum class TensorCoreUse : uint8_t { kNotTold, kUsed, kNotUsed };
enum class PassDirection : uint8_t { kNotTold, kForward, kBackward };

// M x N x K or x, y, z; 0 = not told.
struct KernelExtent {
  int32_t m = 0;
  int32_t n = 0;
  int32_t k = 0;
  bool told() const { return m != 0; }
  bool operator==(const KernelExtent&) const = default;
};

struct DecodedKernelName {
  std::string_view grammar;  // id of the grammar that read the name
  std::string library;       // "cuBLAS", "cuDNN", "FlashAttention 2", ...
  // "gemm", "gemv", "split-k reduce", "convolution", "attention", "elementwise", "reduction", "norm", "collective", ...
  std::string kind;
  // As the name has it: "volta", "ampere", "sm80", "sm90", "gfx942".
  std::string architecture;

  // Canonical type names: "f16", "bf16", "f32", "tf32", "f64", "e4m3", "e5m2", "e2m1", "i8", "i32", ...
  std::string a_type;  // first operand, or the input of kernels that have one
  std::string b_type;
  std::string accumulate_type;
  std::string output_type;
  // What is multiplied, where it is not the type in memory ("tf32" of f32 operands), else as a_type: tells which peak
  // applies.
  std::string math_type;

  std::string instruction;                               // "mma", "wgmma", "wmma", "mfma", "tcgen05"; empty = not told
  KernelExtent instruction_shape;                        // of one tensor-core instruction
  TensorCoreUse tensor_cores = TensorCoreUse::kNotTold;  // AMD's matrix cores count as tensor cores

  // GEMM: block tile. Attention: query rows x key rows (x head dimension).
  KernelExtent tile;
  KernelExtent cluster;
  int32_t stages = 0;
  std::string layout;  // as in the name, lower case: "tn", "tnt", "nhwc"
  std::optional<bool> a_transposed;
  std::optional<bool> b_transposed;
  std::string split_k;  // "slices", "stream-k", "reduce", "split-kv"; empty = not told
  int32_t split_k_slices = 0;
  // Steps that the kernel can do after the multiplication. A library may run a kernel with "relu" in its name and relu off.
  std::vector<std::string> epilogue;
  int32_t vector_width = 0;  // elements of one load or store, or the alignment that it needs

  PassDirection direction = PassDirection::kNotTold;
  int32_t head_dim = 0;
  std::optional<bool> causal;

  std::vector<std::string> ops;  // what is computed: fused ops, the functor, "wgrad"
  std::string collective;        // "all_reduce", "all_gather", ...
  std::string reduction;         // "sum", "avg", ...
  std::string algorithm;         // "RING", "TREE", "NVLS", ...
  std::string protocol;          // "LL", "LL128", "SIMPLE"
  // Words of the name that are known to belong to the grammar but not read further ("h", "bz", "coopA").
  std::vector<std::string> modifiers;

  std::string title;  // head of the label: "nvjet", "triton", "cudnn flash"
};

std::optional<DecodedKernelName> DecodeKernelName(std::string_view name);

// A few words for people: "nvjet f16 64x8x64 TN", "silu f16", "triton add+mean+mul", "cudnn flash fwd 64x64". Not a key.
std::string ShortLabel(const DecodedKernelName& decoded);

// Decoded names of a trace's GPU work by StringId; each distinct name is decoded once, when first asked for.
class DecodedNamesOf {
 public:
  explicit DecodedNamesOf(const Trace& trace) : trace_(trace), by_name_(trace.strings().size()) {}
  // Null when no grammar knows the name, and for copies and sets.
  const DecodedKernelName* decoded(uint32_t gpu_row);

 private:
  using Answer = std::optional<DecodedKernelName>;
  const Trace& trace_;
  std::vector<std::unique_ptr<const Answer>> by_name_;  // by StringId; null = not asked for yet
};

}  // namespace warpsight
