#include "analysis/forward_passes.h"

namespace warpsight {
namespace {

bool StartsPass(const WorkToken& token) {
  return token.decided && (token.part == Part::kEmbedding || token.part == Part::kConvolution) &&
         (token.kind == WorkKind::kEmbedding || token.kind == WorkKind::kConvolution);
}

// Where the passes begin, the first included.
std::vector<size_t> Borders(Tokens tokens) {
  std::vector<size_t> borders = {0};
  size_t candidate = 0;  // an embedding behind attention work; 0 = none
  bool attended = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const WorkToken& token = *tokens[i];
    if (i > 0 && token.step != tokens[i - 1]->step) {
      if (borders.back() != i) borders.push_back(i);
      candidate = 0;
      attended = false;
    }
    if (token.decided && token.part == Part::kAttention) {
      attended = true;
      candidate = 0;  // an embedding between the projections and a core: a table of position biases
    } else if (attended && candidate == 0 && StartsPass(token)) {
      candidate = i;
    } else if (candidate != 0 && IsGemm(token.kind)) {
      borders.push_back(candidate);
      candidate = 0;
      attended = false;
    }
  }
  return borders;
}

bool OnlyForward(const WorkToken& token) {
  if (token.backward) return false;
  switch (token.kind) {
    case WorkKind::kAttention:
    case WorkKind::kNorm:
    case WorkKind::kEmbedding:
    case WorkKind::kConvolution:
    case WorkKind::kPooling:
    case WorkKind::kRotary:
    case WorkKind::kKvCache:
      return true;
    default:
      return false;
  }
}

}  // namespace

void TellPhasesByName(Tokens tokens) {
  bool backward = false;
  for (WorkToken* token : tokens) {
    if (token->anchor != kNoRow || token->phase != Phase::kForward) {
      backward = false;
      continue;
    }
    if (token->backward) {
      backward = true;
    } else if (OnlyForward(*token)) {
      backward = false;
    }
    if (backward && token->kind != WorkKind::kMemcpy) token->phase = Phase::kBackward;
  }
}

void GiveThreadToBackward(Tokens tokens) {
  size_t backward = 0;
  for (const WorkToken* token : tokens) backward += token->phase == Phase::kBackward ? 1 : 0;
  if (backward * 10 < tokens.size() * 8) return;
  for (WorkToken* token : tokens) {
    if (token->phase == Phase::kForward && token->anchor != kNoRow) token->phase = Phase::kBackward;
  }
}

void GiveClippingToOptimizer(Tokens tokens) {
  for (size_t i = tokens.size(); i > 0; --i) {
    if (tokens[i - 1]->phase != Phase::kOptimizer) continue;
    for (size_t back = i - 1; back > 0; --back) {
      WorkToken& token = *tokens[back - 1];
      const bool own = token.kind == WorkKind::kOptimizer || token.kind == WorkKind::kForeach;
      const bool plain = RankOf(token.kind) <= 1 || token.kind == WorkKind::kMemcpy || token.kind == WorkKind::kMemset;
      if (token.phase != Phase::kForward || token.step != tokens[i - 1]->step || (!own && !plain)) break;
      if (token.kind != WorkKind::kMemcpy) token.phase = Phase::kOptimizer;
    }
  }
}

void ReadForwardPasses(const WorkSequence& sequence, Tokens tokens, std::vector<ForwardPass>& passes) {
  DecideByThemselves(tokens);
  DecideEagerNorms(tokens);
  DecideSoftmaxAttention(tokens);
  DecideRotary(tokens);
  std::vector<size_t> borders = Borders(tokens);
  borders.push_back(tokens.size());
  for (size_t b = 0; b + 1 < borders.size(); ++b) {
    if (borders[b] == borders[b + 1]) continue;
    const Tokens pass = tokens.subspan(borders[b], borders[b + 1] - borders[b]);
    ForwardPass read;
    const WorkToken* base = sequence.tokens().data();
    read.first_token = static_cast<uint32_t>(pass.front() - base);
    read.end_token = static_cast<uint32_t>(pass.back() - base) + 1;
    read.step = pass.front()->step;
    const WorkToken& middle = *pass[pass.size() / 2];
    read.replayed = middle.replay != kNoRow && middle.anchor == kNoRow;
    read.cores = ReadForwardPass(pass);
    passes.push_back(read);
  }
  DecideByPaths(tokens);
}

}  // namespace warpsight
