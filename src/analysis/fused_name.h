// FusedOps: what TorchInductor fused into a Triton kernel, read from the kernel's name.
//
//   triton_red_fused__to_copy_add_embedding_mean_mul_pow_rsqrt_0 -> _to_copy add embedding mean mul pow rsqrt
//
// The generator joins op names, sorted, with "_", which op names hold themselves: known names are matched longest first
// (data/work_kinds.toml and the view ops that fusion absorbs), anything else is cut at the next "_".
// Long lists are cut off in the name by the generator itself. Errors: none. Threads: thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/work_kind.h"

namespace warpsight {

// Empty when the name is not one of TorchInductor's fused kernels.
std::vector<std::string> FusedOps(std::string_view kernel_name);

// What a fused kernel is by itself. Where it holds several parts of a model the one counts that the others serve: the loss,
// the activation, the norm (an embedding or residual add in front of it is read along), the rotary embedding, the cache.
WorkKind FusedKind(const std::vector<std::string>& ops);

// Those ops in a reader's words: "embedding, residual add, RMS norm". Empty when nothing but moves is left.
std::string FusedMeaning(const std::vector<std::string>& ops);

}  // namespace warpsight
