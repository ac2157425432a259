// ForwardPartsOfBackward: which part of the forward pass backward work computes the gradient of.
//
// The forward op that autograd joined (forward_join.h) stands in a token, holds tokens of one part, or launched no work of
// its own: a view. A slice belongs to what reads it, the next token; any other view to what it looks at, the one before.
// Work whose forward op holds several parts (a compiled region) or was not recorded has none.
// Place in the flow: WorkSequence with decided forward parts -> by token. Cost: n log n in forward tokens.
// Thread-compatible.
#pragma once

#include <optional>
#include <vector>

#include "analysis/work_sequence.h"

namespace warpsight {

std::vector<std::optional<Part>> ForwardPartsOfBackward(const WorkSequence& sequence);

}  // namespace warpsight
