// WorkKind: what a piece of GPU work is by itself, told from the op that launched it or from the kernel's name: the alphabet
// in which the parts of a model are read (part_patterns.h, block_reader.h). Rules: data/work_kinds.toml.
//
// Place in the flow: names of ops, kernels and Python frames -> kinds -> WorkSequence. Ask once per distinct name.
// Errors: a damaged rule file is our bug (CHECK). Threads: immutable after construction; Embedded() is thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/kernel_family.h"
#include "analysis/part.h"

namespace warpsight {

enum class WorkKind : uint8_t {
  kNone,  // nothing is known
  // Moves, elementwise work and reductions: their neighbours tell what they are for.
  kAdd,
  kSub,
  kMul,
  kDiv,
  kNeg,
  kPow,
  kMean,
  kSum,
  kRsqrt,
  kTrig,
  kTanh,
  kSoftmax,
  kCat,
  kCast,  // copy that changes the type
  kCopy,
  kIndex,
  kIndexPut,
  kMask,
  kFill,
  kScan,
  kTopk,
  kSort,
  kDropout,
  kQuantise,
  kForeach,
  kTriton,  // fused by TorchInductor: fused_name.h says what
  kStepInput,
  // Matrix products. A linear op is the layer as the framework sees it, a gemm the product inside.
  kGemm,
  kBmm,
  kSplitK,
  kLinear,
  // Work that is a part of a model by itself.
  kAttention,
  kNorm,
  kEmbedding,
  kRotary,
  kKvCache,
  kActivation,
  kActivationAndMul,  // gate and up come as one tensor
  kRouter,
  kExperts,
  kConvolution,
  kPooling,
  kCollective,
  kSampling,
  kLoss,
  kOptimizer,
  kForeachCopy,
  kMemcpy,
  kMemset,
};

// "add", "attention", ...: the words of data/work_kinds.toml.
std::string_view WorkKindName(WorkKind kind);
std::optional<WorkKind> ParseWorkKind(std::string_view name);

// Of nested ops the one with the highest rank says what the work is: 0 nothing, 1 elementwise, 2 matrix products, 3 linear
// layers, 4 a part by itself.
int RankOf(WorkKind kind);
// The part that work of this kind is, when the kind alone tells.
std::optional<Part> PartOf(WorkKind kind);
constexpr bool IsGemm(WorkKind kind) { return kind == WorkKind::kGemm || kind == WorkKind::kLinear; }

struct KernelKind {
  WorkKind kind = WorkKind::kNone;
  bool backward = false;  // the name says that it computes gradients
};

class WorkKinds {
 public:
  explicit WorkKinds(std::string_view text);
  static const WorkKinds& Embedded();

  WorkKind OfOp(std::string_view op_name) const;
  KernelKind OfKernel(std::string_view kernel_name) const;
  // What a Python frame or nn.Module is for: nullopt when the frame says nothing, kNone when it ends what outer frames say
  // (an attention module holds no norm of the layer around it).
  std::optional<WorkKind> OfScope(std::string_view frame_name) const;
  // The part that the last component of a module path names: "model.layers.0.self_attn.q_proj".
  std::optional<Part> OfPath(std::string_view range_name) const;

  struct OpRule {
    WorkKind kind;
    std::string pattern;  // a whole name, or with *
    std::string source;
  };
  const std::vector<OpRule>& op_rules() const { return ops_; }
  const KernelFamilies& kernel_rules() const { return kernels_; }

 private:
  struct ScopeRule {
    WorkKind kind;
    std::string pattern;
  };
  struct PathRule {
    Part part;
    std::string name;
  };
  std::vector<OpRule> ops_;
  std::vector<ScopeRule> scopes_;
  std::vector<PathRule> paths_;
  KernelFamilies kernels_;
};

}  // namespace warpsight
