#include "analysis/part_patterns.h"

#include <algorithm>

namespace warpsight {
namespace {

constexpr size_t kNoToken = ~size_t{0};

bool Open(const WorkToken& token, WorkKind kind) { return !token.decided && token.kind == kind; }
bool IsMove(const WorkToken& token) { return token.kind == WorkKind::kCast || token.kind == WorkKind::kCopy; }
bool IsOpenMove(const WorkToken& token) { return !token.decided && IsMove(token); }
bool IsProduct(const WorkToken& token) {
  return !token.decided && (token.kind == WorkKind::kBmm || token.kind == WorkKind::kGemm);
}

// A linear layer is known by its shape or by its op; a product of a kernel without an op may be anything.
bool MayBeBatched(const WorkToken& token) {
  return IsProduct(token) && (token.kind == WorkKind::kBmm || (token.anchor == kNoRow && !token.has_linear()));
}

void DecideRange(Tokens tokens, size_t first, size_t last, Part part) {
  bool counts = true;
  for (size_t i = first; i <= last; ++i) {
    if (tokens[i]->decided) continue;
    Decide(*tokens[i], part, counts);
    counts = false;
  }
}

// Whether the scope around a token tells its part: a frame of a module that is a norm holds nothing but the norm's work,
// but products inside of experts, routers and rotary tables are those.
bool ScopeCounts(const WorkToken& token) {
  if (token.kind == WorkKind::kCollective || token.kind == WorkKind::kMemcpy) return false;
  if (RankOf(token.kind) < 2) return true;
  return RankOf(token.kind) < 4 &&
         (*token.scope == WorkKind::kExperts || *token.scope == WorkKind::kRouter || *token.scope == WorkKind::kRotary);
}

size_t FindBack(Tokens tokens, size_t from, size_t steps, WorkKind kind) {
  for (size_t i = from; i > 0 && from - i < steps; --i) {
    if (Open(*tokens[i - 1], kind)) return i - 1;
  }
  return kNoToken;
}

// The end of a norm behind its rsqrt: the product with it, then the weight (w or 1 + w) with the casts around it.
size_t NormEnd(Tokens tokens, size_t rsqrt) {
  size_t end = rsqrt;
  int products = 0;
  bool cast_inside = false;
  for (size_t i = rsqrt + 1; i < tokens.size() && i <= rsqrt + 7; ++i) {
    const WorkToken& token = *tokens[i];
    if (token.decided) break;
    if (token.kind == WorkKind::kMul || token.kind == WorkKind::kDiv) {
      if (products == 2) break;
      ++products;
      end = i;
    } else if (IsMove(token) && products >= 1) {
      if (products == 2) {
        // Gemma: the cast stands behind the weight; there was one of the weight before it.
        const bool casts_weighted =
            token.kind == WorkKind::kCast && token.shapes != nullptr && i >= 3 && tokens[i - 2]->kind == WorkKind::kAdd;
        if (!cast_inside || casts_weighted) end = i;
        break;
      }
      cast_inside = true;
      end = i;
    } else if (token.kind == WorkKind::kAdd && products == 1 && !AddsEqualShapes(token) && i + 1 < tokens.size() &&
               Open(*tokens[i + 1], WorkKind::kMul)) {
      end = i;
    } else {
      break;
    }
  }
  return products > 0 ? end : rsqrt;
}

// mul, neg, cat, mul, add around a neg; nothing when the neg belongs to something else.
bool DecideHalfRotation(Tokens tokens, size_t neg) {
  size_t cat = kNoToken;
  for (size_t i = neg + 1; i < tokens.size() && i <= neg + 2; ++i) {
    if (Open(*tokens[i], WorkKind::kCat)) cat = i;
  }
  if (cat == kNoToken) return false;
  size_t first = neg;
  for (size_t i = neg; i > 0 && neg - i < 2; --i) {
    if (!Open(*tokens[i - 1], WorkKind::kMul) && !IsOpenMove(*tokens[i - 1])) break;
    if (tokens[i - 1]->kind == WorkKind::kMul) first = i - 1;
  }
  size_t last = cat;
  for (size_t i = cat + 1; i < tokens.size() && i <= cat + 4; ++i) {
    if (!Open(*tokens[i], WorkKind::kMul) && !Open(*tokens[i], WorkKind::kAdd) && !Open(*tokens[i], WorkKind::kCast)) break;
    last = i;
    if (tokens[i]->kind == WorkKind::kAdd) break;
  }
  DecideRange(tokens, first, last, Part::kRotary);
  return true;
}

// mul, mul, sub, mul, mul, add and the cat or stack that puts the halves together.
bool DecideInterleavedRotation(Tokens tokens, size_t sub) {
  if (sub < 2 || sub + 3 >= tokens.size()) return false;
  const bool before = Open(*tokens[sub - 1], WorkKind::kMul) && Open(*tokens[sub - 2], WorkKind::kMul);
  const bool after = Open(*tokens[sub + 1], WorkKind::kMul) && Open(*tokens[sub + 2], WorkKind::kMul) &&
                     Open(*tokens[sub + 3], WorkKind::kAdd);
  if (!before || !after) return false;
  const bool cat = sub + 4 < tokens.size() && Open(*tokens[sub + 4], WorkKind::kCat);
  DecideRange(tokens, sub - 2, sub + (cat ? 4 : 3), Part::kRotary);
  return true;
}

bool BelongsToTable(const WorkToken& token) {
  if (token.decided) return false;
  if (IsGemm(token.kind) || token.kind == WorkKind::kBmm) {
    return token.kind == WorkKind::kBmm || token.anchor == kNoRow || (token.has_linear() && (*token.linear)->in == 1);
  }
  return IsMove(token) || token.kind == WorkKind::kCat || token.kind == WorkKind::kMul || token.kind == WorkKind::kTrig;
}

void DecideTable(Tokens tokens, size_t trig) {
  size_t first = trig;
  while (first > 0 && trig - first < 6 && BelongsToTable(*tokens[first - 1])) --first;
  size_t last = trig;
  while (last + 1 < tokens.size() && last - trig < 8 && BelongsToTable(*tokens[last + 1]) && !IsProduct(*tokens[last + 1]))
    ++last;
  DecideRange(tokens, first, last, Part::kRotary);
}

}  // namespace

bool AddsEqualShapes(const WorkToken& token) {
  if (token.shapes == nullptr) return false;
  const Shape* a = token.shapes->at(0);
  const Shape* b = token.shapes->at(1);
  return a != nullptr && b != nullptr && !a->empty() && *a == *b;
}

void DecideByThemselves(Tokens tokens) {
  uint32_t scope_frame = kNoRow;
  for (WorkToken* token : tokens) {
    const std::optional<Part> by_kind = PartOf(token->kind);
    if (token->scope && ScopeCounts(*token)) {
      Decide(*token, *PartOf(*token->scope), token->scope_frame != scope_frame);
      scope_frame = token->scope_frame;
    } else if (by_kind) {
      Decide(*token, *by_kind);
    }
  }
}

void DecideByPaths(Tokens tokens) {
  const WorkToken* last = nullptr;  // the token before, when a path told its part
  for (WorkToken* token : tokens) {
    const bool moves = token->kind == WorkKind::kCollective || token->kind == WorkKind::kMemcpy;
    // An expert's own gate, up and down are experts.
    const bool expert = token->decided && (token->part == Part::kExperts || token->part == Part::kRouter);
    if (!token->path || moves || expert) {
      last = nullptr;
      continue;
    }
    const bool goes_on = last != nullptr && last->part == *token->path && !IsGemm(token->kind);
    if (!token->decided || token->part != *token->path) Decide(*token, *token->path, !goes_on);
    last = token;
  }
}

void DecideSoftmaxAttention(Tokens tokens) {
  constexpr size_t kReach = 14;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i]->kind != WorkKind::kSoftmax || (tokens[i]->decided && tokens[i]->part != Part::kAttention)) continue;
    size_t first = kNoToken;
    for (size_t back = i; back > 0 && i - back < kReach && first == kNoToken; --back) {
      const WorkToken& token = *tokens[back - 1];
      if (MayBeBatched(token)) first = back - 1;
      if (IsGemm(token.kind) && first == kNoToken) break;
      if (token.decided && token.part != Part::kAttention) break;
    }
    size_t last = kNoToken;
    for (size_t next = i + 1; next < tokens.size() && next - i < kReach && last == kNoToken; ++next) {
      const WorkToken& token = *tokens[next];
      if (MayBeBatched(token)) last = next;
      if (token.kind == WorkKind::kTopk || (IsGemm(token.kind) && last == kNoToken)) break;
      if (token.decided && token.part != Part::kAttention) break;
    }
    if (first != kNoToken && last != kNoToken) DecideRange(tokens, first, last, Part::kAttention);
  }
}

void DecideEagerNorms(Tokens tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!Open(*tokens[i], WorkKind::kRsqrt)) continue;
    const size_t mean = FindBack(tokens, i, 3, WorkKind::kMean);
    if (mean == kNoToken || mean == 0) continue;
    size_t first = mean;
    if (Open(*tokens[mean - 1], WorkKind::kPow) || Open(*tokens[mean - 1], WorkKind::kMul)) first = mean - 1;
    // A cast to float32 stands before it in half precision.
    if (first > 0 && IsOpenMove(*tokens[first - 1]) && !tokens[first - 1]->direct_copy) --first;
    DecideRange(tokens, first, NormEnd(tokens, i), Part::kNorm);
  }
}

void DecideRotary(Tokens tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (Open(*tokens[i], WorkKind::kNeg)) DecideHalfRotation(tokens, i);
    // Kernels of sub and add carry one name.
    if (Open(*tokens[i], WorkKind::kSub) || Open(*tokens[i], WorkKind::kAdd)) DecideInterleavedRotation(tokens, i);
  }
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (Open(*tokens[i], WorkKind::kTrig)) DecideTable(tokens, i);
    // The outer product of positions and frequencies, wherever a compiler put it.
    if (!tokens[i]->decided && tokens[i]->has_linear() && (*tokens[i]->linear)->in == 1) Decide(*tokens[i], Part::kRotary);
  }
}

}  // namespace warpsight
