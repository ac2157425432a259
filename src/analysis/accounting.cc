#include "analysis/accounting.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "analysis/thresholds.h"

namespace warpsight {
namespace {

// Averages of whole numbers are exact; this is for the division.
constexpr double kNear = 1e-6;

class Accountant {
 public:
  Accountant(const WorkParts& parts, const ModelResult& model, size_t steps)
      : parts_(parts), result_(model), model_(model.model()), steps_(steps) {
    Count();
  }

  std::vector<AccountingLine> Run() {
    CompareSizes();
    if (!result_.found) return std::move(lines_);
    if (model_.decoder_layers) {
      EncoderDecoder();
    } else if (!Mixed() || result_.given != nullptr) {
      Linears();
      Cores();
      Norms();
    }
    if (Mixed()) return std::move(lines_);
    Appends();
    TimeRatio();
    if (result_.given == nullptr || !model_.layers || result_.inferred.layers == model_.layers) return std::move(lines_);
    for (AccountingLine& line : lines_) {
      const bool counts_layers =
          line.what == "linear calls" || line.what == "attention cores" || line.what == "norms" || line.what == "KV appends";
      if (!line.ok && counts_layers) line.cause = "follows from the layers of the model given";
    }
    return std::move(lines_);
  }

 private:
  // Forward calls and times per step; without steps per pass like the typical one.
  void Count() {
    double passes = 0;
    for (const ForwardPass& pass : parts_.passes) {
      if (steps_ > 0 ? pass.step < 0 : pass.cores != result_.inferred.layers.value_or(-1)) continue;
      if (steps_ == 0) ++passes;
      for (uint32_t t = pass.first_token; t < pass.end_token; ++t) AddToken(parts_.sequence.tokens()[t]);
    }
    const double units = steps_ > 0 ? static_cast<double>(steps_) : passes;
    if (units <= 0) return;
    for (double& calls : calls_) calls /= units;
    linears_ /= units;
    passes_ = steps_ > 0 ? result_.passes_per_step : 1;
  }

  void AddToken(const WorkToken& token) {
    if (token.phase != Phase::kForward) return;
    const auto part = static_cast<size_t>(token.part);
    if (token.counts) ++calls_[part];
    if (IsGemm(token.kind) && token.part != Part::kRotary && token.part != Part::kAttention) {
      ++linears_;
      const GpuWork& gpu = parts_.sequence.trace().gpu();
      for (uint32_t i = 0; i < token.count; ++i) {
        // Casts of weights and memsets of the op count with it; the products are compared.
        product_ns_[part] = SaturatingAdd(product_ns_[part], gpu.duration_ns(parts_.sequence.row(token, i)));
      }
    }
  }

  double calls(Part part) const { return calls_[static_cast<size_t>(part)]; }
  Ns product_ns(Part part) const { return product_ns_[static_cast<size_t>(part)]; }
  bool Has(Part part) const { return calls(part) > 0; }

  AccountingLine& Add(std::string what, double expected, double seen, std::string how) {
    AccountingLine line;
    line.what = std::move(what);
    line.expected = expected;
    line.seen = seen;
    line.how = std::move(how);
    line.ok = std::abs(expected - seen) < kNear * std::max(1.0, std::abs(expected));
    lines_.push_back(std::move(line));
    return lines_.back();
  }

  void CompareSize(const char* what, const std::optional<int64_t>& given, const std::optional<int64_t>& seen) {
    if (!given || !seen) return;
    AccountingLine& line = Add(what, static_cast<double>(*given), static_cast<double>(*seen), "of the model given");
    if (!line.ok) line.cause = "the model given is not the one that ran";
  }

  // A given model against what the recording shows of it.
  void CompareSizes() {
    if (result_.given == nullptr) return;
    const ModelDescription& seen = result_.inferred;
    if (!model_.decoder_layers) CompareSize("layers", model_.layers, seen.layers);
    CompareSize("hidden size", model_.hidden, seen.hidden);
    if (!model_.experts) CompareSize("FFN size", model_.ffn, seen.ffn);
    CompareSize("KV width", model_.kv, seen.kv);
    CompareSize("experts", model_.experts, seen.experts);
    CompareSize("vocabulary", model_.vocab, seen.vocab);
    for (AccountingLine& line : lines_) {
      // Tensor parallelism cuts widths into equal pieces; padded vocabularies are a little larger.
      const double ratio = line.seen > 0 ? line.expected / line.seen : 0;
      const bool divides = ratio > 1.5 && std::abs(ratio - std::round(ratio)) < kNear;
      if (!line.ok && divides && line.what != "layers" && line.what != "hidden size")
        line.cause = fmt::format("tensor parallel over {:.0f} ranks?", ratio);
      if (!line.ok && line.what == "vocabulary" && ratio < 1 && ratio > 0.95) line.cause = "the vocabulary is padded";
      if (!line.ok && line.what == "layers" && ratio > 1)
        line.cause = "pipeline parallel, or the recording holds a part of the pass";
    }
  }

  double Layers() const { return static_cast<double>(model_.layers.value_or(0)); }

  // Passes of different depth: an encoder and a decoder, a draft model. What a step should hold is then not known, unless
  // the model was given.
  bool Mixed() const {
    for (const ForwardPass& pass : parts_.passes) {
      const bool counted = steps_ == 0 || pass.step >= 0;
      if (counted && pass.cores > 0 && pass.cores != result_.inferred.layers.value_or(pass.cores)) return true;
    }
    return false;
  }

  // A decoder layer attends twice, to itself and to the encoder.
  void EncoderDecoder() {
    if (!model_.layers) return;
    const double encoder = Layers();
    const double decoder = static_cast<double>(*model_.decoder_layers);
    const int dense = model_.gated_mlp.value_or(true) ? 3 : 2;
    const auto heads = result_.calls_in_pass.find(Part::kLmHead);
    const double tail = heads == result_.calls_in_pass.end() ? 0 : static_cast<double>(heads->second);
    const auto add = [&](const char* what, int in_encoder, int in_decoder, double others, double seen) {
      AccountingLine& line = Add(what, in_encoder * encoder + in_decoder * decoder + others, seen,
                                 fmt::format("{} x {:.0f} encoder layers + {} x {:.0f} decoder layers + {:.0f}", in_encoder,
                                             encoder, in_decoder, decoder, others));
      if (!line.ok)
        line.cause = "a step that is not one pass of the encoder and one of the decoder (generation runs the decoder alone)";
    };
    add("linear calls", 4 + dense, 8 + dense, tail, linears_);
    add("attention cores", 1, 2, 0, calls(Part::kAttention));
    if (model_.family != nullptr) add("norms", 2, 3, model_.family->other_norms, calls(Part::kNorm));
  }

  // Linear layers: by what a layer holds, fused as the recording fuses them.
  void Linears() {
    const double layers = Layers();
    if (layers == 0) return;
    const bool latent = calls(Part::kKv) >= 2 * layers - 1;
    const bool q_rank = model_.q_rank.has_value() || calls(Part::kQ) >= 2 * layers - 1;
    int attention = Has(Part::kQkv) ? 2 : latent ? (q_rank ? 5 : 4) : 4;
    if (!Has(Part::kQkv) && !latent && Has(Part::kKv)) attention = 3;
    const bool gated = model_.gated_mlp.value_or(true);
    const int dense = !gated ? 2 : Has(Part::kGateUp) ? 2 : 3;
    const bool experts = Has(Part::kRouter) || Has(Part::kExperts);
    const double heads =
        result_.calls_in_pass.contains(Part::kLmHead) ? static_cast<double>(result_.calls_in_pass.at(Part::kLmHead)) : 0;
    const double tail = heads;
    if (!experts) {
      const int per_layer = attention + dense;
      AccountingLine& line = Add("linear calls", passes_ * (per_layer * layers + tail), linears_,
                                 fmt::format("{} x {:.0f} layers + {:.0f}", per_layer, layers, tail));
      if (!line.ok) line.cause = LinearCause(per_layer);
      return;
    }
    // Experts run as grouped products; a router and, where there are, shared experts are linear layers.
    const double sparse = std::max(0.0, layers - static_cast<double>(model_.dense_layers.value_or(DenseLayersSeen())));
    const bool shared = model_.shared_experts.value_or(SharedSeen() ? 1 : 0) > 0;
    const int per_sparse = attention + 1 + (shared ? dense : 0);
    const double expected = per_sparse * sparse + (attention + dense) * (layers - sparse) + tail;
    AccountingLine& line = Add("linear calls", passes_ * expected, linears_,
                               fmt::format("{} x {:.0f} layers with experts + {} x {:.0f} dense + {:.0f}", per_sparse,
                                           sparse, attention + dense, layers - sparse, tail));
    if (!line.ok) line.cause = "experts or routers run as separate products, or in a kernel that holds them all";
  }

  int64_t DenseLayersSeen() const {
    const double down = calls(Part::kDown) / std::max(1.0, passes_);
    return std::llround(down);
  }
  bool SharedSeen() const {
    for (const WorkToken& token : parts_.sequence.tokens()) {
      if (token.part == Part::kExperts && token.kind == WorkKind::kLinear) return true;
    }
    return false;
  }

  std::string LinearCause(int per_layer) const {
    if (passes_ == 0) return "no step holds a whole forward pass";
    const double extra = linears_ - passes_ * (per_layer * Layers());
    if (calls(Part::kLinear) > 0)
      return fmt::format("{:.4g} outside of the blocks (heads, adapters, routers)", calls(Part::kLinear));
    if (extra < 0) return "layers are missing in the window, or a kernel holds several of them";
    return "more than one output head, adapters, or work of another model";
  }

  void Cores() {
    const double layers = Layers();
    if (layers == 0) return;
    AccountingLine& line = Add("attention cores", passes_ * layers, calls(Part::kAttention), "one a layer");
    if (line.ok) return;
    line.cause = result_.given != nullptr && result_.inferred.layers != model_.layers
                     ? "the recording has another number of layers than the model given"
                     : "passes of different depth in a step (encoder and decoder, draft model), or a pass cut by the window";
  }

  void Norms() {
    const ModelFamily* family = model_.family;
    const double layers = Layers();
    if (layers == 0 || family == nullptr || family->norms_per_layer == 0) return;
    int per_layer = family->norms_per_layer;
    // Latent attention without a low-rank q has one norm less; so has a family whose q is not compressed.
    if (family->latent && !model_.q_rank && calls(Part::kQ) < 2 * layers - 1) --per_layer;
    // A head of several layers has a norm of its own.
    const auto heads = result_.calls_in_pass.find(Part::kLmHead);
    const int others = family->other_norms + (heads != result_.calls_in_pass.end() && heads->second > 1 ? 1 : 0);
    AccountingLine& line = Add("norms", passes_ * (per_layer * layers + others), calls(Part::kNorm),
                               fmt::format("{} x {:.0f} layers + {}", per_layer, layers, others));
    if (line.ok) return;
    line.cause = calls(Part::kNorm) < line.expected
                     ? "some are fused into other kernels (with the residual add, with a projection)"
                     : "more norms than the family has (of q and k, of an output head)";
  }

  // A cache is written for k and for v, or for both by one kernel.
  void Appends() {
    const double layers = Layers();
    if (layers == 0 || !Has(Part::kKvCache)) return;
    const double seen = calls(Part::kKvCache);
    const bool one_kernel = seen <= passes_ * layers * 1.25;
    const double each = one_kernel ? 1 : 2;
    AccountingLine& line = Add("KV appends", passes_ * each * layers, seen,
                               one_kernel ? "k and v by one kernel a layer" : "k and v of every layer");
    if (!line.ok)
      line.cause = "layers without a cache of their own (shared, sliding windows), or a prefill that writes it otherwise";
  }

  // In decode the products read their weights once: their times stand about as the weights do.
  void TimeRatio() {
    if (!model_.hidden || !model_.ffn || !model_.kv || model_.experts) return;
    const double h = static_cast<double>(*model_.hidden);
    const double f = static_cast<double>(*model_.ffn);
    const double kv = static_cast<double>(*model_.kv);
    const double a = static_cast<double>(model_.attention_width().value_or(*model_.hidden));
    if (h <= 0 || f <= 0 || a + kv <= 0) return;  // empty operands: no weights to compare
    Ns ffn = 0;
    Ns attention = 0;
    for (int i = 0; i < kPartCount; ++i) {
      if (IsFeedForward(static_cast<Part>(i))) ffn = SaturatingAdd(ffn, product_ns(static_cast<Part>(i)));
      if (IsAttentionProjection(static_cast<Part>(i)))
        attention = SaturatingAdd(attention, product_ns(static_cast<Part>(i)));
    }
    if (ffn == 0 || attention == 0) return;
    const double matrices = model_.gated_mlp.value_or(true) ? 3 : 2;
    AccountingLine& line = Add("FFN / attention GEMM time", matrices * h * f / (2 * h * a + 2 * h * kv),
                               static_cast<double>(ffn) / static_cast<double>(attention), "ratio of their weights");
    const double allowed = ThresholdRatio("gemm_time_ratio_tolerance");
    line.ok = line.seen > line.expected / allowed && line.seen < line.expected * allowed;
    if (line.ok) return;
    line.cause = line.seen < line.expected
                     ? "the projections are too small to reach the bandwidth of the feed-forward products"
                     : "the feed-forward products run below the efficiency of the projections";
  }

  const WorkParts& parts_;
  const ModelResult& result_;
  const ModelDescription& model_;
  size_t steps_;
  double passes_ = 0;
  double linears_ = 0;
  std::array<double, kPartCount> calls_ = {};
  std::array<Ns, kPartCount> product_ns_ = {};
  std::vector<AccountingLine> lines_;
};

}  // namespace

std::vector<AccountingLine> Account(const WorkParts& parts, const ModelResult& model, size_t steps) {
  return Accountant(parts, model, steps).Run();
}

}  // namespace warpsight
