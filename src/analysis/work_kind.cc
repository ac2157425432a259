#include "analysis/work_kind.h"

#include <toml++/toml.h>

#include <array>
#include <utility>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kBackwardSuffix = "_backward";

constexpr std::array<std::pair<WorkKind, std::string_view>, 49> kWorkKindNames = {{
    {WorkKind::kNone, "none"},
    {WorkKind::kAdd, "add"},
    {WorkKind::kSub, "sub"},
    {WorkKind::kMul, "mul"},
    {WorkKind::kDiv, "div"},
    {WorkKind::kNeg, "neg"},
    {WorkKind::kPow, "pow"},
    {WorkKind::kMean, "mean"},
    {WorkKind::kSum, "sum"},
    {WorkKind::kRsqrt, "rsqrt"},
    {WorkKind::kTrig, "trig"},
    {WorkKind::kTanh, "tanh"},
    {WorkKind::kSoftmax, "softmax"},
    {WorkKind::kCat, "cat"},
    {WorkKind::kCast, "cast"},
    {WorkKind::kCopy, "copy"},
    {WorkKind::kIndex, "index"},
    {WorkKind::kIndexPut, "index_put"},
    {WorkKind::kMask, "mask"},
    {WorkKind::kFill, "fill"},
    {WorkKind::kScan, "scan"},
    {WorkKind::kTopk, "topk"},
    {WorkKind::kSort, "sort"},
    {WorkKind::kDropout, "dropout"},
    {WorkKind::kQuantise, "quantise"},
    {WorkKind::kForeach, "foreach"},
    {WorkKind::kTriton, "triton"},
    {WorkKind::kStepInput, "step_input"},
    {WorkKind::kGemm, "gemm"},
    {WorkKind::kBmm, "bmm"},
    {WorkKind::kSplitK, "split_k"},
    {WorkKind::kLinear, "linear"},
    {WorkKind::kAttention, "attention"},
    {WorkKind::kNorm, "norm"},
    {WorkKind::kEmbedding, "embedding"},
    {WorkKind::kRotary, "rotary"},
    {WorkKind::kKvCache, "kv_cache"},
    {WorkKind::kActivation, "activation"},
    {WorkKind::kActivationAndMul, "activation_and_mul"},
    {WorkKind::kRouter, "router"},
    {WorkKind::kExperts, "experts"},
    {WorkKind::kConvolution, "convolution"},
    {WorkKind::kPooling, "pooling"},
    {WorkKind::kCollective, "collective"},
    {WorkKind::kSampling, "sampling"},
    {WorkKind::kLoss, "loss"},
    {WorkKind::kOptimizer, "optimizer"},
    {WorkKind::kForeachCopy, "foreach_copy"},
    {WorkKind::kMemcpy, "memcpy"},
}};

// Whether `text` is `pattern`, where each * stands for any text.
bool Matches(std::string_view text, std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  while (true) {
    const size_t next = pattern.find('*');
    const std::string_view piece = pattern.substr(0, next);
    if (next == std::string_view::npos) return text.ends_with(piece);
    const size_t at = text.find(piece);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + piece.size());
    pattern.remove_prefix(next + 1);
  }
}

bool HasText(std::string_view text, std::string_view pattern) {
  size_t at = 0;
  while (true) {
    const size_t star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    at = text.find(piece, at);
    if (at == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    at += piece.size();
    pattern.remove_prefix(star + 1);
  }
}

// Calls use(table, one of its texts under `key`) for every table of the array.
template <typename Use>
void ForEachText(const toml::table& file, std::string_view array, std::string_view key, const Use& use) {
  const toml::array* tables = file[array].as_array();
  CHECK(tables != nullptr);
  for (const toml::node& node : *tables) {
    const toml::table* table = node.as_table();
    CHECK(table != nullptr);
    const toml::array* texts = (*table)[key].as_array();
    CHECK(texts != nullptr && !texts->empty());
    for (const toml::node& text : *texts) {
      const std::optional<std::string> value = text.value<std::string>();
      CHECK(value.has_value() && !value->empty());
      use(*table, *value);
    }
  }
}

WorkKind KindOf(const toml::table& table) {
  const std::optional<WorkKind> kind = ParseWorkKind(table["kind"].value_or(std::string()));
  CHECK(kind.has_value());
  return *kind;
}

KernelKind KernelKindOf(std::string_view family) {
  KernelKind kind;
  kind.backward = family.ends_with(kBackwardSuffix);
  if (kind.backward) family.remove_suffix(kBackwardSuffix.size());
  const std::optional<WorkKind> parsed = ParseWorkKind(family);
  CHECK(parsed.has_value());
  kind.kind = *parsed;
  return kind;
}

}  // namespace

std::string_view WorkKindName(WorkKind kind) {
  for (const auto& [value, name] : kWorkKindNames) {
    if (value == kind) return name;
  }
  return "memset";
}

std::optional<WorkKind> ParseWorkKind(std::string_view name) {
  for (const auto& [value, text] : kWorkKindNames) {
    if (text == name) return value;
  }
  return std::nullopt;
}

int RankOf(WorkKind kind) {
  if (kind >= WorkKind::kAttention) return 4;
  if (kind == WorkKind::kLinear) return 3;
  if (kind >= WorkKind::kGemm) return 2;
  return kind == WorkKind::kNone ? 0 : 1;
}

std::optional<Part> PartOf(WorkKind kind) {
  switch (kind) {
    case WorkKind::kAttention:
      return Part::kAttention;
    case WorkKind::kNorm:
      return Part::kNorm;
    case WorkKind::kEmbedding:
      return Part::kEmbedding;
    case WorkKind::kRotary:
      return Part::kRotary;
    case WorkKind::kKvCache:
      return Part::kKvCache;
    case WorkKind::kActivation:
    case WorkKind::kActivationAndMul:
      return Part::kActivation;
    case WorkKind::kRouter:
      return Part::kRouter;
    case WorkKind::kExperts:
      return Part::kExperts;
    case WorkKind::kConvolution:
      return Part::kConvolution;
    case WorkKind::kPooling:
      return Part::kPooling;
    case WorkKind::kCollective:
      return Part::kCollective;
    case WorkKind::kSampling:
      return Part::kSampling;
    case WorkKind::kLoss:
      return Part::kLoss;
    case WorkKind::kOptimizer:
      return Part::kOptimizer;
    case WorkKind::kForeachCopy:
      return Part::kCopy;
    default:
      return std::nullopt;
  }
}

WorkKinds::WorkKinds(std::string_view text) : kernels_(text, "kernel") {
  const toml::table file = toml::parse(text, std::string_view("data/work_kinds.toml"));
  ForEachText(file, "op", "names", [&](const toml::table& table, const std::string& name) {
    ops_.push_back({KindOf(table), name, table["source"].value_or(std::string())});
  });
  ForEachText(file, "scope", "patterns", [&](const toml::table& table, const std::string& pattern) {
    const WorkKind kind = KindOf(table);
    CHECK(kind == WorkKind::kNone || PartOf(kind).has_value());
    scopes_.push_back({kind, pattern});
  });
  ForEachText(file, "path", "names", [&](const toml::table& table, const std::string& name) {
    const std::optional<Part> part = ParsePart(table["part"].value_or(std::string()));
    CHECK(part.has_value());
    paths_.push_back({*part, name});
  });
  for (const KernelFamilyRule& rule : kernels_.rules()) (void)KernelKindOf(rule.family);
}

const WorkKinds& WorkKinds::Embedded() {
  static const WorkKinds& kinds = *new WorkKinds(EmbeddedFile("data/work_kinds.toml"));
  return kinds;
}

WorkKind WorkKinds::OfOp(std::string_view op_name) const {
  for (const OpRule& rule : ops_) {
    if (Matches(op_name, rule.pattern)) return rule.kind;
  }
  return WorkKind::kNone;
}

KernelKind WorkKinds::OfKernel(std::string_view kernel_name) const {
  const KernelFamilyRule* rule = kernels_.Match(kernel_name);
  return rule == nullptr ? KernelKind{} : KernelKindOf(rule->family);
}

std::optional<WorkKind> WorkKinds::OfScope(std::string_view frame_name) const {
  for (const ScopeRule& rule : scopes_) {
    if (HasText(frame_name, rule.pattern)) return rule.kind;
  }
  return std::nullopt;
}

std::optional<Part> WorkKinds::OfPath(std::string_view range_name) const {
  const size_t dot = range_name.rfind('.');
  // A single word is no module path: "key" and "norm" are ordinary names.
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view last = range_name.substr(dot + 1);
  for (const PathRule& rule : paths_) {
    if (rule.name == last) return rule.part;
  }
  return std::nullopt;
}

}  // namespace warpsight
