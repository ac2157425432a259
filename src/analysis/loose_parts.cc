#include "analysis/loose_parts.h"

#include <algorithm>

#include "analysis/projection_roles.h"

namespace warpsight {

void DecideWithoutBlocks(Tokens tokens) {
  const bool convolves = std::any_of(tokens.begin(), tokens.end(), [](const WorkToken* token) {
    return token->decided && token->part == Part::kConvolution;
  });
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i]->decided) continue;
    WorkToken& token = *tokens[i];
    const bool beside = (i > 0 && tokens[i - 1]->decided && tokens[i - 1]->part == Part::kActivation) ||
                        (i + 1 < tokens.size() && tokens[i + 1]->decided && tokens[i + 1]->part == Part::kActivation);
    if (RankOf(token.kind) == 2 || RankOf(token.kind) == 3) {
      Decide(token, Part::kLinear);
    } else if (convolves && token.kind == WorkKind::kAdd && (AddsEqualShapes(token) || token.shapes == nullptr)) {
      Decide(token, Part::kResidual);
    } else if (beside && token.kind == WorkKind::kMul) {
      Decide(token, Part::kActivation, false);
    }
  }
}

// A compiler converts weights in kernels of their own, right before the product that reads them.
void GiveCastsToProducts(Tokens tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    WorkToken& token = *tokens[i];
    if (token.kind != WorkKind::kCopy || token.shapes == nullptr || token.shapes->at(0) == nullptr) continue;
    const Shape& converted = *token.shapes->at(0);
    if (converted.size() != 2) continue;
    for (size_t next = i + 1; next < tokens.size() && next < i + 4; ++next) {
      const std::optional<LinearSize> size = SizeOf(*tokens[next]);
      if (!size || !tokens[next]->decided) continue;
      const bool weight =
          (converted[0] == size->in && converted[1] == size->out) || (converted[0] == size->out && converted[1] == size->in);
      if (weight) Decide(token, tokens[next]->part, false);
      break;
    }
  }
}

// What nothing claimed: products are linear layers, moves are copies; the rest stays other.
void DecideLeftovers(Tokens tokens) {
  for (WorkToken* token : tokens) {
    if (token->decided) continue;
    if (RankOf(token->kind) == 2 || RankOf(token->kind) == 3) Decide(*token, Part::kLinear);
    if (token->kind == WorkKind::kMemcpy || token->kind == WorkKind::kCopy || token->kind == WorkKind::kCast)
      Decide(*token, Part::kCopy);
  }
}

}  // namespace warpsight
