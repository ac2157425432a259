#include "analysis/block_reader.h"

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/loose_parts.h"
#include "analysis/projection_roles.h"

namespace warpsight {
namespace {

struct Core {
  size_t first;
  size_t last;
};

class BlockReader {
 public:
  explicit BlockReader(Tokens tokens) : tokens_(tokens) {}

  int64_t Run() {
    FindCores();
    if (cores_.empty()) {
      DecideWithoutBlocks(tokens_);
    } else {
      for (size_t core = 0; core < cores_.size(); ++core) ReadAfterCore(core);
      ReadFirstProjections();
      ReadPreamble();
    }
    GiveCastsToProducts(tokens_);
    DecideLeftovers(tokens_);
    return static_cast<int64_t>(cores_.size());
  }

 private:
  bool Open(size_t i) const { return !tokens_[i]->decided; }
  bool OpenGemm(size_t i) const { return Open(i) && IsGemm(tokens_[i]->kind); }
  bool IsNorm(size_t i) const { return tokens_[i]->decided && tokens_[i]->part == Part::kNorm; }
  bool IsActivation(size_t i) const {
    return (tokens_[i]->decided && tokens_[i]->part == Part::kActivation) ||
           (Open(i) && tokens_[i]->kind == WorkKind::kTanh);
  }
  // Elementwise work that may belong to whatever stands before it.
  bool IsPlain(size_t i) const {
    const WorkKind kind = tokens_[i]->kind;
    return Open(i) && RankOf(kind) <= 1 && kind != WorkKind::kStepInput;
  }

  std::vector<size_t> Gemms(size_t first, size_t last) const {
    std::vector<size_t> gemms;
    for (size_t i = first; i < last; ++i) {
      if (OpenGemm(i)) gemms.push_back(i);
    }
    return gemms;
  }

  void DecideOpen(size_t first, size_t last, Part part, bool counts) {
    for (size_t i = first; i < last; ++i) {
      if (IsPlain(i)) Decide(*tokens_[i], part, counts);
    }
  }

  // Attention work with no norm and no matrix product in between is one core, counted once.
  void FindCores() {
    bool extends = false;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      WorkToken& token = *tokens_[i];
      if (token.decided && token.part == Part::kAttention) {
        if (extends) {
          token.counts = false;
          cores_.back().last = i;
        } else {
          token.counts = true;
          cores_.push_back({i, i});
        }
        extends = true;
      } else if (OpenGemm(i) || IsNorm(i)) {
        extends = false;
      }
    }
    for (const Core& core : cores_) DecideOpen(core.first, core.last, Part::kAttention, false);
  }

  // Everything from behind a core to the next one or the end.
  void ReadAfterCore(size_t core) {
    const size_t first = cores_[core].last + 1;
    const bool is_last = core + 1 == cores_.size();
    const size_t last = is_last ? tokens_.size() : cores_[core + 1].first;
    const std::vector<size_t> gemms = Gemms(first, last);
    if (gemms.empty()) return;
    const size_t o = gemms[0];
    for (size_t i = first; i < o; ++i) {
      if (Open(i) && RankOf(tokens_[i]->kind) <= 2) Decide(*tokens_[i], Part::kAttention, false);
    }
    Decide(*tokens_[o], Part::kO);
    out_sizes_[core] = SizeOf(*tokens_[o]);
    size_t next = ReadExperts(o, last, gemms);
    if (next == 0) next = ReadFeedForward(o, last, gemms);
    const std::vector<size_t> rest(gemms.begin() + static_cast<std::ptrdiff_t>(std::min(next, gemms.size())), gemms.end());
    const size_t block_end = next > 0 ? gemms[std::min(next, gemms.size()) - 1] : o;
    const size_t region_end = rest.empty() ? last : rest.front();
    DecideResidual(block_end + 1, region_end);
    if (is_last) {
      ReadHead(std::max(block_end, o) + 1, rest);
    } else {
      projections_.push_back({core + 1, rest});
      // Their widths are those of the o behind the next core, which is not read yet.
    }
  }

  // A router is a matrix product with a top-k behind it, or kernels that say so. Returns the number of matrix products up
  // to the end of the experts, 0 when there are none.
  size_t ReadExperts(size_t o, size_t last, const std::vector<size_t>& gemms) {
    size_t marker = last;
    for (size_t i = o + 1; i < last && marker == last; ++i) {
      const WorkToken& token = *tokens_[i];
      const bool named = token.decided && (token.part == Part::kRouter || token.part == Part::kExperts);
      const bool behind_one = token.kind == WorkKind::kTopk && Open(i) && gemms.size() > 1 && gemms[1] < i &&
                              (gemms.size() == 2 || gemms[2] > i) && HasExpertsAfter(i, last);
      if (named || behind_one) marker = i;
      if (!named && gemms.size() > 2 && i > gemms[2]) break;
    }
    if (marker == last) return 0;
    size_t begin = marker;
    for (const size_t gemm : gemms) {
      if (gemm > o && gemm < marker) begin = gemm;
    }
    const size_t routed = RouterEnd(begin, last);
    size_t end = routed;
    while (end < last && !IsNorm(end)) ++end;
    // The residual add stands right before the next norm, unless the norm's kernel does it.
    size_t experts_end = end;
    if (end < last && end > routed && Open(end - 1) && tokens_[end - 1]->kind == WorkKind::kAdd) --experts_end;
    // A router in float32 converts what it reads first.
    while (begin > o + 1 && Open(begin - 1) && tokens_[begin - 1]->kind == WorkKind::kCast) --begin;
    DecideResidual(o + 1, begin);
    DecideAll(begin, routed, Part::kRouter);
    DecideAll(routed, experts_end, Part::kExperts);
    DecideResidual(experts_end, end);
    size_t used = 0;
    while (used < gemms.size() && gemms[used] < end) ++used;
    return used;
  }

  bool HasExpertsAfter(size_t i, size_t last) const {
    for (++i; i < last; ++i) {
      if (OpenGemm(i) || (Open(i) && tokens_[i]->kind == WorkKind::kBmm)) return true;
      if (tokens_[i]->decided && tokens_[i]->part == Part::kExperts) return true;
    }
    return false;
  }

  size_t RouterEnd(size_t begin, size_t last) const {
    size_t i = begin;
    bool chosen = false;  // the router's top-k was seen
    for (; i < last; ++i) {
      const WorkToken& token = *tokens_[i];
      if (IsNorm(i) || (token.decided && token.part == Part::kExperts)) break;
      const bool product = Open(i) && RankOf(token.kind) >= 2;
      if (chosen && (product || token.kind == WorkKind::kSort)) break;
      chosen |= token.kind == WorkKind::kTopk || (token.decided && token.part == Part::kRouter);
    }
    return i;
  }

  // Experts hold matrix products, activations and moves of their own.
  void DecideAll(size_t first, size_t last, Part part) {
    for (size_t i = first; i < last; ++i) {
      WorkToken& token = *tokens_[i];
      const bool own = token.decided && token.part == Part::kActivation;
      const bool counts = RankOf(token.kind) >= 2;
      if ((Open(i) && token.kind != WorkKind::kMemcpy) || own) Decide(token, part, counts);
    }
  }

  // Returns the number of matrix products up to and with down; 0 when the layer has no feed-forward part here.
  size_t ReadFeedForward(size_t o, size_t last, const std::vector<size_t>& gemms) {
    if (gemms.size() < 2) return 1;
    size_t act = gemms[1] + 1;
    while (act < last && !IsActivation(act)) ++act;
    if (act == last) return 1;
    size_t before = 1;  // index of the first product behind the activation
    while (before < gemms.size() && gemms[before] < act) ++before;
    const size_t down = DownIndex(gemms, before);
    const bool fused = before == 2 && down == before && GateUpAreOne(gemms, act, down);
    for (size_t g = 1; g < down; ++g) {
      const bool only = down == 2;
      Decide(*tokens_[gemms[g]], only ? (fused ? Part::kGateUp : Part::kUp) : g == 1 ? Part::kGate : Part::kUp);
    }
    const size_t end = down < gemms.size() ? gemms[down] : act + 1;
    if (down < gemms.size()) Decide(*tokens_[gemms[down]], Part::kDown);
    DecideResidual(o + 1, gemms[1]);
    DecideOpen(gemms[1], end, Part::kActivation, true);
    return std::min(down + 1, gemms.size());
  }

  // Behind the activation stands down, or up and then down: up has the size of the gate, and a product of the two follows.
  size_t DownIndex(const std::vector<size_t>& gemms, size_t behind) const {
    if (behind + 1 >= gemms.size()) return behind;
    const std::optional<LinearSize> gate = SizeOf(*tokens_[gemms[1]]);
    const std::optional<LinearSize> next = SizeOf(*tokens_[gemms[behind]]);
    if (gate && next && gate->in != gate->out) {
      return gate->in == next->in && gate->out == next->out ? behind + 1 : behind;
    }
    for (size_t i = gemms[behind] + 1; i < gemms[behind + 1]; ++i) {
      if (IsNorm(i) || IsActivation(i)) return behind;
      if (Open(i) && tokens_[i]->kind == WorkKind::kMul) return behind + 1;
    }
    return behind;
  }

  bool GateUpAreOne(const std::vector<size_t>& gemms, size_t act, size_t down) const {
    const std::optional<LinearSize> first = SizeOf(*tokens_[gemms[1]]);
    if (down < gemms.size()) {
      const std::optional<LinearSize> last = SizeOf(*tokens_[gemms[down]]);
      if (first && last) return first->out == 2 * last->in;
    }
    if (tokens_[act]->kind == WorkKind::kActivationAndMul) return true;
    return tokens_[act]->decided && act + 1 < tokens_.size() && Open(act + 1) && tokens_[act + 1]->kind == WorkKind::kMul;
  }

  // Work between a block's last product and the next norm or product: the residual add, and what prepares it.
  void DecideResidual(size_t first, size_t last) {
    for (size_t i = first; i < last && i < tokens_.size(); ++i) {
      if (!Open(i)) continue;
      WorkToken& token = *tokens_[i];
      switch (token.kind) {
        case WorkKind::kAdd:
          if (IsBias(token) && i == first && i > 0) {
            Decide(token, tokens_[i - 1]->part, false);
          } else {
            Decide(token, Part::kResidual);
          }
          break;
        case WorkKind::kMul:
        case WorkKind::kSub:
        case WorkKind::kDropout:
        case WorkKind::kCast:
          Decide(token, Part::kResidual, false);
          break;
        case WorkKind::kCopy:
          if (i + 1 < last && tokens_[i + 1]->kind == WorkKind::kAdd) Decide(token, Part::kResidual, false);
          break;
        default:
          break;
      }
    }
  }

  static bool IsBias(const WorkToken& token) {
    const Shape* a = token.shapes == nullptr ? nullptr : token.shapes->at(0);
    const Shape* b = token.shapes == nullptr ? nullptr : token.shapes->at(1);
    return a != nullptr && b != nullptr && a->size() > 1 && b->size() == 1 && a->back() == b->back();
  }

  // The projections in front of each core, the first one last: what stands before it may hold other products too.
  void ReadFirstProjections() {
    std::map<size_t, size_t> counts;
    std::vector<ProjectionKey> known;
    for (const auto& [core, gemms] : projections_) {
      ++counts[gemms.size()];
      for (const size_t gemm : gemms) known.push_back(KeyOf(*tokens_[gemm]));
      ReadProjections(core, gemms);
    }
    size_t usual = 0;
    for (const auto& [size, count] : counts) {
      if (size > 0 && (usual == 0 || count > counts[usual])) usual = size;
    }
    std::vector<size_t> gemms = Gemms(0, cores_[0].first);
    if (usual > 0 && gemms.size() > usual) {
      std::vector<size_t> alike;
      for (const size_t gemm : gemms) {
        if (std::find(known.begin(), known.end(), KeyOf(*tokens_[gemm])) != known.end()) alike.push_back(gemm);
      }
      if (alike.size() < usual) alike.assign(gemms.end() - static_cast<std::ptrdiff_t>(usual), gemms.end());
      if (alike.size() > usual) alike.erase(alike.begin(), alike.end() - static_cast<std::ptrdiff_t>(usual));
      for (const size_t gemm : gemms) {
        if (std::find(alike.begin(), alike.end(), gemm) != alike.end()) continue;
        // A compiler may put the product of positions and frequencies among the projections.
        Decide(*tokens_[gemm], gemm > alike.front() ? Part::kRotary : Part::kLinear);
      }
      gemms = std::move(alike);
    }
    first_projection_ = gemms.empty() ? cores_[0].first : gemms.front();
    ReadProjections(0, gemms);
  }

  void ReadProjections(size_t core, const std::vector<size_t>& gemms) {
    if (gemms.empty()) return;
    std::vector<const WorkToken*> products;
    products.reserve(gemms.size());
    bool norm_between = false;
    for (const size_t gemm : gemms) products.push_back(tokens_[gemm]);
    if (gemms.size() == 3) {
      for (size_t i = gemms[1]; i < gemms[2]; ++i) norm_between |= IsNorm(i);
    }
    const std::optional<LinearSize> out = out_sizes_[core];
    const std::vector<Part> roles =
        ProjectionRoles(products, out ? std::optional<int64_t>(out->in) : std::nullopt, norm_between);
    for (size_t g = 0; g < gemms.size(); ++g) Decide(*tokens_[gemms[g]], roles[g]);
    ReadCoreInputs(gemms.front() + 1, cores_[core].first, gemms.back());
  }

  // Between the projections and the core: cache growth, the assembly of rotated heads, masks, scaling, layout changes.
  void ReadCoreInputs(size_t first, size_t last, size_t last_projection) {
    size_t last_rotary = first;
    bool rotary = false;
    bool indexed = false;
    std::vector<size_t> cats;
    for (size_t i = first; i < last; ++i) {
      if (tokens_[i]->decided && tokens_[i]->part == Part::kRotary) {
        rotary = true;
        last_rotary = i;
      }
      if (tokens_[i]->decided && tokens_[i]->part == Part::kEmbedding) Decide(*tokens_[i], Part::kAttention, false);
      indexed |= tokens_[i]->kind == WorkKind::kKvCache || (Open(i) && tokens_[i]->kind == WorkKind::kIndexPut);
      if (Open(i) && tokens_[i]->kind == WorkKind::kCat) cats.push_back(i);
    }
    for (const size_t cat : cats) {
      const bool among_last_two = cats.size() < 2 || cat >= cats[cats.size() - 2];
      const CatUse use = CatUseOf(*tokens_[cat]);
      const bool behind = !rotary || cat > last_rotary;
      const bool grows = use == CatUse::kGrowth || (use == CatUse::kUnknown && behind && among_last_two);
      Decide(*tokens_[cat], grows ? Part::kKvCache : rotary ? Part::kRotary : Part::kAttention, grows);
    }
    size_t last_write = 0;
    for (size_t i = first; i < last; ++i) {
      if (tokens_[i]->kind == WorkKind::kIndexPut && Open(i)) Decide(*tokens_[i], Part::kKvCache);
      if (tokens_[i]->decided && tokens_[i]->part == Part::kKvCache) last_write = i;
    }
    for (size_t i = first; i < last; ++i) {
      if (!Open(i)) continue;
      WorkToken& token = *tokens_[i];
      const bool bias =
          IsBias(token) && token.kind == WorkKind::kAdd && i > 0 && IsAttentionProjection(tokens_[i - 1]->part);
      if (bias) {
        Decide(token, tokens_[i - 1]->part, false);
      } else if (token.direct_copy && last_write == 0 && i > last_projection && token.kind == WorkKind::kCopy) {
        Decide(token, Part::kKvCache);
      } else if (indexed && i < last_write && i > last_rotary && i > last_projection) {
        Decide(token, Part::kKvCache, false);  // the positions that the cache is written at
      } else if (RankOf(token.kind) <= 2 && token.kind != WorkKind::kMemcpy) {
        Decide(token, Part::kAttention, false);
      }
    }
  }

  // From the first token to the first projection: the embedding and what is added to it.
  void ReadPreamble() {
    bool embedded = false;
    int64_t width = 0;
    for (size_t i = 0; i < first_projection_; ++i) {
      WorkToken& token = *tokens_[i];
      if (token.decided && token.part == Part::kConvolution) Decide(token, Part::kEmbedding);  // patches, audio frames
      if (token.decided && token.part == Part::kEmbedding) {
        embedded = true;
        const Shape* table = token.shapes == nullptr ? nullptr : token.shapes->at(0);
        if (token.kind == WorkKind::kEmbedding && table != nullptr && table->size() == 2) width = (*table)[1];
        continue;
      }
      if (!embedded || !Open(i) || i == 0) continue;
      const bool kind = token.kind == WorkKind::kAdd || token.kind == WorkKind::kMul || token.kind == WorkKind::kCat ||
                        token.kind == WorkKind::kDropout || token.kind == WorkKind::kDiv;
      const Shape* shape = token.shapes == nullptr ? nullptr : token.shapes->at(0);
      const bool wide = shape != nullptr && shape->size() > 2 && (width == 0 || shape->back() == width);
      const bool follows = tokens_[i - 1]->decided && tokens_[i - 1]->part == Part::kEmbedding;
      if (kind && (shape != nullptr ? wide : follows)) Decide(token, Part::kEmbedding, false);
    }
  }

  // Behind the last block: the output head, then the choice of the next token.
  void ReadHead(size_t first, const std::vector<size_t>& gemms) {
    if (gemms.empty()) return;
    for (const size_t gemm : gemms) Decide(*tokens_[gemm], Part::kLmHead);
    for (size_t i = first; i < gemms.back(); ++i) {
      // The last token's row is picked before the head.
      if (Open(i) && (tokens_[i]->kind == WorkKind::kIndex || tokens_[i]->kind == WorkKind::kCopy)) {
        Decide(*tokens_[i], Part::kLmHead, false);
      }
    }
    size_t sampled = 0;
    bool lost = false;
    for (size_t i = gemms.back() + 1; i < tokens_.size(); ++i) {
      const bool chooses = tokens_[i]->kind == WorkKind::kTopk || tokens_[i]->kind == WorkKind::kSort;
      if ((tokens_[i]->decided && tokens_[i]->part == Part::kSampling) || chooses) sampled = i;
      lost |= tokens_[i]->decided && tokens_[i]->part == Part::kLoss;
    }
    for (size_t i = gemms.back() + 1; i < tokens_.size(); ++i) {
      if (!Open(i) || tokens_[i]->kind == WorkKind::kMemcpy || tokens_[i]->kind == WorkKind::kStepInput) continue;
      const WorkKind kind = tokens_[i]->kind;
      if (lost) {
        Decide(*tokens_[i], Part::kLoss, false);
      } else if (i <= sampled || kind == WorkKind::kSoftmax) {
        Decide(*tokens_[i], Part::kSampling, kind == WorkKind::kTopk || kind == WorkKind::kSort);
      } else if (i < gemms.back() + 5 && (kind == WorkKind::kCast || kind == WorkKind::kDiv || kind == WorkKind::kMul ||
                                          kind == WorkKind::kTanh || kind == WorkKind::kAdd)) {
        Decide(*tokens_[i], Part::kLmHead, false);  // soft capping, the cast to float32
      }
    }
  }

  struct Projections {
    size_t core;
    std::vector<size_t> gemms;
  };

  Tokens tokens_;
  std::vector<Core> cores_;
  std::map<size_t, std::optional<LinearSize>> out_sizes_;  // of o, by core
  std::vector<Projections> projections_;
  size_t first_projection_ = 0;
};

}  // namespace

int64_t ReadForwardPass(Tokens tokens) { return BlockReader(tokens).Run(); }

}  // namespace warpsight
