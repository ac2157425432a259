#include "analysis/model_pass.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/attention_backend.h"
#include "analysis/steps_pass.h"

namespace warpsight {
namespace {

class ModelReader {
 public:
  ModelReader(const WorkParts& parts, const std::vector<WorkToken>& tokens) : parts_(parts), tokens_(tokens) {}

  ModelResult Run() {
    const ForwardPass* pass = TypicalPass();
    if (pass == nullptr) return std::move(result_);
    pass_ = {tokens_.data() + pass->first_token, tokens_.data() + pass->end_token};
    result_.found = true;
    CountCalls();
    ModelDescription& model = result_.inferred;
    model.layers = pass->cores;
    ReadWidths(model);
    ReadHeads(model);
    ReadExperts(model);
    ReadKinds(model);
    ReadBatch();
    model.family = FitFamily(model);
    // Keys may be repeated for the attention op; the projection shows how many there are.
    if (model.kv && model.head_dim && !model.fused_qkv.value_or(false) && Has(Part::kK) && *model.head_dim > 0)
      model.kv_heads = *model.kv / *model.head_dim;
    model.name = model.family != nullptr ? model.family->name + "-like" : "transformer";
    if (model.fused_qkv.value_or(false) || model.fused_gate_up.value_or(false)) {
      result_.engine = std::string("projections fused:") + (*model.fused_qkv ? " qkv" : "") +
                       (model.fused_gate_up.value_or(false) ? " gate_up" : "");
    }
    return std::move(result_);
  }

 private:
  // The pass that stands for all: of those with the commonest number of layers the first that has ops, else the first.
  const ForwardPass* TypicalPass() const {
    std::map<int64_t, int64_t> passes;
    for (const ForwardPass& pass : parts_.passes) {
      if (pass.cores > 0) passes[pass.cores] += pass.cores;
    }
    int64_t layers = 0;
    for (const auto& [cores, weight] : passes) {
      if (layers == 0 || weight > passes[layers]) layers = cores;
    }
    const ForwardPass* best = nullptr;
    for (const ForwardPass& pass : parts_.passes) {
      if (pass.cores != layers || layers == 0) continue;
      const bool better = best == nullptr || (best->replayed && !pass.replayed) || (best->step < 0 && pass.step >= 0);
      if (better) best = &pass;
    }
    return best;
  }

  void CountCalls() {
    for (const WorkToken& token : pass_) {
      if (token.phase == Phase::kForward && token.counts) ++result_.calls_in_pass[token.part];
    }
  }

  bool Has(Part part) const { return result_.calls_in_pass.contains(part); }

  // The commonest size among the products of a part.
  std::optional<LinearSize> SizeOf(Part part) const {
    std::map<std::pair<int64_t, int64_t>, int64_t> votes;
    std::optional<LinearSize> best;
    int64_t most = 0;
    for (const WorkToken& token : pass_) {
      if (token.part != part || !token.has_linear()) continue;
      const LinearSize& size = **token.linear;
      const int64_t count = ++votes[{size.in, size.out}];
      if (count > most) {
        most = count;
        best = size;
      }
    }
    return best;
  }

  void ReadWidths(ModelDescription& model) {
    const std::optional<LinearSize> o = SizeOf(Part::kO);
    const std::optional<LinearSize> qkv = SizeOf(Part::kQkv);
    const std::optional<LinearSize> k = SizeOf(Part::kK);
    const std::optional<LinearSize> down = SizeOf(Part::kDown);
    const std::optional<LinearSize> up = SizeOf(Part::kUp);
    const std::optional<LinearSize> gate_up = SizeOf(Part::kGateUp);
    std::optional<LinearSize> head;
    for (const WorkToken& token : pass_) {
      // The head may be several products; the widest writes the vocabulary.
      if (token.part != Part::kLmHead || !token.has_linear()) continue;
      if (!head || (*token.linear)->out > head->out) head = **token.linear;
    }
    if (o) model.hidden = o->out;
    if (!model.hidden && qkv) model.hidden = qkv->in;
    if (!model.hidden && down) model.hidden = down->out;
    if (!model.hidden && head) model.hidden = head->in;
    if (o) attention_width_ = o->in;
    if (k) model.kv = k->out;
    if (!model.kv && qkv && attention_width_ && qkv->out > *attention_width_) model.kv = (qkv->out - *attention_width_) / 2;
    if (const std::optional<LinearSize> latent = FirstOf(Part::kKv); !model.kv && latent) model.kv = latent->out;
    if (down) model.ffn = down->in;
    if (!model.ffn && up) model.ffn = up->out;
    if (!model.ffn && gate_up) model.ffn = gate_up->out / 2;
    if (head) model.vocab = head->out;
    if (!model.vocab || !model.hidden) ReadEmbedding(model);
    const std::optional<LinearSize> q = SizeOf(Part::kQ);
    if (const std::optional<LinearSize>& first = q ? q : qkv) model.bias = first->bias;
  }

  std::optional<LinearSize> FirstOf(Part part) const {
    for (const WorkToken& token : pass_) {
      if (token.part == part && token.has_linear()) return **token.linear;
    }
    return std::nullopt;
  }

  void ReadEmbedding(ModelDescription& model) {
    for (const WorkToken& token : pass_) {
      if (token.kind != WorkKind::kEmbedding || token.shapes == nullptr) continue;
      const Shape* table = token.shapes->at(0);
      if (table == nullptr || table->size() != 2) continue;
      if (!model.hidden) model.hidden = (*table)[1];
      if (!model.vocab || *model.vocab < (*table)[0]) model.vocab = (*table)[0];
    }
  }

  // Heads stand in the operands of the attention op: [batch, heads, tokens, size], or [tokens, heads, size] in serving.
  void ReadHeads(ModelDescription& model) {
    for (const WorkToken& token : pass_) {
      if (token.part != Part::kAttention || token.kind != WorkKind::kAttention || token.shapes == nullptr) continue;
      const Shape* q = token.shapes->at(0);
      const Shape* k = token.shapes->at(1);
      if (q == nullptr || k == nullptr || q->size() < 3 || q->size() != k->size()) continue;
      // The side of the heads is the one whose product with the last is the width that o reads.
      for (size_t side = q->size() - 1; side-- > 0;) {
        if (attention_width_ && (*q)[side] * q->back() != *attention_width_) continue;
        model.heads = (*q)[side];
        model.kv_heads = (*k)[side];
        model.head_dim = q->back();
        if (attention_width_) break;
      }
      // Heads whose values are narrower than their keys (latent attention): by the second side alone.
      if (!model.heads && q->size() == 4) {
        model.heads = (*q)[1];
        model.kv_heads = (*k)[1];
        model.head_dim = q->back();
      }
      if (model.heads) break;
    }
    if (model.heads) return;
    for (const WorkToken& token : pass_) {
      // Growing caches show the heads of k and v.
      if (token.part != Part::kKvCache || token.shapes == nullptr || token.shapes->at(1) == nullptr) continue;
      const Shape& cache = *token.shapes->at(1);
      if (cache.size() != 4 || cache.back() == 0 || !attention_width_) continue;
      model.head_dim = cache.back();
      model.kv_heads = cache[1];
      model.heads = *attention_width_ / cache.back();
      return;
    }
  }

  void ReadExperts(ModelDescription& model) {
    if (!Has(Part::kExperts) && !Has(Part::kRouter)) return;
    for (const WorkToken& token : pass_) {
      if (token.part == Part::kRouter && token.has_linear() && !model.experts) model.experts = (*token.linear)->out;
      if (token.part != Part::kExperts || token.kind != WorkKind::kExperts || token.shapes == nullptr) continue;
      const Shape* weight = token.shapes->at(1);
      if (weight == nullptr || weight->size() != 3 || !model.hidden) continue;
      model.experts = (*weight)[0];
      // The second product reads one expert's feed-forward size and writes the hidden size.
      if ((*weight)[2] == *model.hidden && (*weight)[1] != *model.hidden) model.moe_ffn = (*weight)[1];
      if ((*weight)[1] == *model.hidden && (*weight)[2] != *model.hidden && !model.moe_ffn) model.moe_ffn = (*weight)[2] / 2;
    }
    if (!model.ffn) model.ffn = model.moe_ffn;
  }

  void ReadKinds(ModelDescription& model) {
    const bool dense = Has(Part::kUp) || Has(Part::kGateUp);
    if (dense) model.gated_mlp = Has(Part::kGate) || Has(Part::kGateUp);
    model.fused_qkv = Has(Part::kQkv);
    if (dense) model.fused_gate_up = Has(Part::kGateUp);
  }

  void ReadBatch() {
    for (const WorkToken& token : pass_) {
      if (token.kind != WorkKind::kEmbedding || token.shapes == nullptr) continue;
      const Shape* ids = token.shapes->at(1);
      if (ids == nullptr || ids->empty()) continue;
      if (ids->size() == 2) {
        result_.batch = (*ids)[0];
        result_.tokens = (*ids)[0] * (*ids)[1];
      } else {
        result_.tokens = ids->back();
      }
      return;
    }
    const std::optional<LinearSize> o = SizeOf(Part::kO);
    if (o) result_.tokens = o->tokens;
    for (const WorkToken& token : pass_) {
      if (token.part == Part::kAttention && token.shapes != nullptr && token.shapes->at(0) != nullptr &&
          token.shapes->at(0)->size() == 4) {
        result_.batch = token.shapes->at(0)->front();
        return;
      }
    }
  }

  const ModelFamily* FitFamily(const ModelDescription& model) const {
    const auto calls = [&](Part part) {
      const auto found = result_.calls_in_pass.find(part);
      return found == result_.calls_in_pass.end() ? int64_t{0} : found->second;
    };
    int64_t layer_norms = 0;
    int64_t tables = 0;
    bool convolutional = false;
    for (const WorkToken& token : pass_) {
      if (token.part == Part::kNorm && token.kind == WorkKind::kNorm && IsLayerNorm(token)) ++layer_norms;
      if (token.part == Part::kEmbedding && token.kind == WorkKind::kEmbedding) ++tables;
      convolutional |= token.part == Part::kEmbedding && token.kind == WorkKind::kConvolution;
    }
    const int64_t layers = std::max<int64_t>(1, model.layers.value_or(1));
    const int64_t norms = calls(Part::kNorm) / layers;
    const bool latent = calls(Part::kKv) >= 2 * layers - 1;
    const bool experts = Has(Part::kExperts) || Has(Part::kRouter);
    const bool gated = experts || model.gated_mlp.value_or(true);
    for (const ModelFamily& family : ModelFamilies()) {
      if (family.latent != latent || family.experts != experts || family.gated_mlp != gated) continue;
      if (family.rotary != Has(Part::kRotary) || family.convolutional != convolutional) continue;
      if (!family.rotary && !family.layer_norm && tables == 0) continue;  // a piece of some model
      if (family.layer_norm != (layer_norms * 2 > calls(Part::kNorm))) continue;
      if (family.norms_per_layer != norms || (!latent && family.qk_norm != NormsHeads())) continue;
      // How a serving engine fuses says nothing about the model; plain layers are told apart by it.
      if (!gated && family.fused_qkv != model.fused_qkv.value_or(false)) continue;
      if (!gated && !family.rotary && !convolutional && (family.embeddings > 2) != (tables > 2)) continue;
      return &family;
    }
    return nullptr;
  }

  bool IsLayerNorm(const WorkToken& token) const {
    const Trace& trace = parts_.sequence.trace();
    const std::string_view op =
        token.anchor == kNoRow ? std::string_view() : token.ops->Text(token.ops->host().name[token.anchor]);
    const std::string_view name = trace.Text(token.kernel);
    return op.find("layer_norm") != std::string_view::npos || name.find("layer_norm") != std::string_view::npos;
  }

  // Whether a norm stands between the projections of a layer and its core.
  bool NormsHeads() const {
    bool projected = false;
    for (const WorkToken& token : pass_) {
      if (IsAttentionProjection(token.part) && token.part != Part::kO) projected = true;
      if (token.part == Part::kAttention && token.counts) projected = false;
      if (projected && token.part == Part::kNorm) return true;
    }
    return false;
  }

  const WorkParts& parts_;
  const std::vector<WorkToken>& tokens_;
  std::span<const WorkToken> pass_;
  std::optional<int64_t> attention_width_;
  ModelResult result_;
};

}  // namespace

Result<ModelResult> ModelPass::Run(Analysis& analysis) {
  const Result<WorkParts>& parts = analysis.Get<WorkPartsPass>();
  if (!parts.ok()) return parts.status();
  ModelResult result = ModelReader(*parts, parts->sequence.tokens()).Run();
  result.given = analysis.given().model;
  result.attention_backend = AttentionBackend(*parts);
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  if (steps.ok() && !steps->steps.empty() && result.found) {
    int64_t passes = 0;
    for (const ForwardPass& pass : parts->passes) {
      if (pass.step >= 0 && pass.cores == result.inferred.layers.value_or(-1)) ++passes;
    }
    result.passes_per_step = static_cast<double>(passes) / static_cast<double>(steps->steps.size());
  }
  return result;
}

}  // namespace warpsight
