// ProjectionRoles: which of the matrix products in front of an attention core are q, k, v, or several of them in one.
//
// Place in the flow: block_reader.cc asks it for every layer. By size: one product as wide as o reads is q alone (the keys
// and values were computed before), a wider one is qkv; a product that reads another's narrow output is the second half of a
// low-rank pair (multi-head latent attention), q first, then the latent of k and v. Without sizes: by count.
// Also what a concatenation in front of the core is for. Errors: none. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/work_sequence.h"

namespace warpsight {

// `attention_width` is the width of what o reads, heads times head size. `norm_between`: a norm stands between the second
// and the third of three products, which tells a latent pair when sizes are not recorded.
std::vector<Part> ProjectionRoles(const std::vector<const WorkToken*>& products, std::optional<int64_t> attention_width,
                                  bool norm_between);

std::optional<LinearSize> SizeOf(const WorkToken& token);

// What tells that two products play the same role in two layers: their sizes, or that there is none and the kernel.
struct ProjectionKey {
  int64_t in = 0;
  int64_t out = 0;
  StringId kernel = StringId::kEmpty;
  friend bool operator==(const ProjectionKey&, const ProjectionKey&) = default;
};
ProjectionKey KeyOf(const WorkToken& token);

enum class CatUse : uint8_t { kUnknown, kGrowth, kAssembly };
// Growth: all sides but one that is not the last are equal, and that one is longer in the first operand, or the first is
// empty (the first token of a cache). Assembly: the heads' own width is put together.
CatUse CatUseOf(const WorkToken& token);

}  // namespace warpsight
