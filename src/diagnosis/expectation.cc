#include "diagnosis/expectation.h"

#include <algorithm>
#include <utility>

#include "analysis/thresholds.h"

namespace warpsight {
namespace {

// What a family has to do in a step.
struct Work {
  std::string_view family;
  double calls_low = 0;
  double calls_high = 0;
  double bytes = 0;
  double flops = 0;
};

double Product(std::initializer_list<int64_t> factors) {
  double product = 1;
  for (const int64_t factor : factors) product *= static_cast<double>(factor);
  return product;
}

Work Gemms(const ModelFacts& m) {
  const int64_t matrices_a_layer = (m.fused_qkv ? 2 : 4) + (m.gated_mlp && !m.fused_gate_up ? 3 : 2);
  const double layer = Product({m.hidden, 2 * m.attention + 2 * m.kv}) + Product({m.hidden, m.ffn, m.gated_mlp ? 3 : 2});
  const double weights = static_cast<double>(m.layers) * layer + Product({m.hidden, m.vocab});
  const double tokens = Product({m.batch, m.query_tokens});
  const auto calls = static_cast<double>(m.layers * matrices_a_layer + 1);
  // A split-K product is two kernels.
  return {"gemm", calls, 2 * calls, weights * static_cast<double>(m.element_bytes), 2 * tokens * weights};
}

Work Attention(const ModelFacts& m) {
  const double cache = Product({m.layers, m.batch, 2, m.kv, m.context_tokens, m.element_bytes});
  const double queries = Product({m.layers, m.batch, 2, m.attention, m.query_tokens, m.element_bytes});
  // Causal over a prompt: half of the scores.
  const double causal = m.query_tokens > 1 && m.query_tokens == m.context_tokens ? 0.5 : 1;
  const auto layers = static_cast<double>(m.layers);
  return {"attention", layers, 2 * layers, cache + queries,
          causal * Product({4, m.layers, m.batch, m.attention, m.query_tokens, m.context_tokens})};
}

// Bytes of one pass over the activations of all tokens: `widths` elements read and written a token.
double Activations(const ModelFacts& m, int64_t widths) {
  return Product({m.batch, m.query_tokens, widths, m.element_bytes});
}

std::vector<Work> WorkOf(const ModelFacts& m) {
  const auto layers = static_cast<double>(m.layers);
  return {Gemms(m),
          Attention(m),
          {"norm", 2 * layers + 1, 4 * layers + 1, (2 * layers + 1) * Activations(m, 3 * m.hidden), 0},
          {"rotary", layers, 2 * layers, layers * Activations(m, 2 * (m.attention + m.kv)), 0},
          // The activation, and residuals where the norm does not add them.
          {"elementwise", layers, 4 * layers, layers * Activations(m, 3 * m.ffn + 3 * m.hidden), 0},
          {"copy", layers, 2 * layers, layers * Activations(m, 4 * m.kv), 0},
          {"embedding", 1, 2, Activations(m, 2 * m.hidden), 0},
          {"sampling", 1, 4, Product({m.batch, m.vocab, m.element_bytes}), 0}};
}

void SetShares(ExpectedStep& step) {
  for (ExpectedFamily& family : step.families) {
    family.share_low = family.least_ns / (family.least_ns + step.most_busy_ns - family.most_ns);
    family.share_high = family.most_ns / (family.most_ns + step.least_busy_ns - family.least_ns);
  }
  std::stable_sort(step.families.begin(), step.families.end(), [](const ExpectedFamily& a, const ExpectedFamily& b) {
    return a.share_low + a.share_high > b.share_low + b.share_high;
  });
}

// Sides beyond this are damage or a wrong file; a few of them add and multiply within int64.
constexpr int64_t kMostSize = int64_t{1} << 40;

Agreement Judge(double value, double low, double high) {
  if (value < low) return Agreement::kLess;
  return value > high ? Agreement::kMore : Agreement::kAsExpected;
}

}  // namespace

Result<ExpectedStep> Predict(const ModelFacts& given, const DeviceFacts& device) {
  ModelFacts model = given;
  if (model.attention == 0) model.attention = model.hidden;
  for (const auto& [value, name] : {std::pair{model.layers, "number of layers"},
                                    {model.hidden, "hidden size"},
                                    {model.ffn, "FFN size"},
                                    {model.kv, "KV width"},
                                    {model.attention, "attention width"},
                                    {model.vocab, "vocabulary"},
                                    {model.batch, "batch"},
                                    {model.query_tokens, "number of new tokens"},
                                    {model.context_tokens, "context length"},
                                    {model.element_bytes, "element size"}}) {
    if (value <= 0) return LacksError(std::string("nothing can be expected: the ") + name + " of the model is not known");
    if (value > kMostSize)
      return LacksError(std::string("nothing can be expected: the ") + name + " of the model is absurd");
  }
  if (!(device.bytes_per_s > 0) || !(device.flops_per_s > 0)) {
    return LacksError(
        "nothing can be expected: the peaks of the device are not known; give --peak-bandwidth and --peak-flops");
  }
  if (!(model.passes > 0)) return LacksError("nothing can be expected: no forward pass was found in the steps");
  const double best = ThresholdShare("expect_best_efficiency");
  const double worst = ThresholdShare("expect_worst_efficiency");
  const auto floor_ns = static_cast<double>(ThresholdNs("expect_kernel_floor"));
  const auto least_kernel_ns = static_cast<double>(ThresholdNs("expect_least_kernel"));
  ExpectedStep step;
  for (Work work : WorkOf(model)) {
    for (double* sum : {&work.calls_low, &work.calls_high, &work.bytes, &work.flops}) *sum *= model.passes;
    const double bound_ns = 1e9 * std::max(work.bytes / device.bytes_per_s, work.flops / device.flops_per_s);
    ExpectedFamily family;
    family.family = work.family;
    family.calls_low = work.calls_low;
    family.calls_high = work.calls_high;
    family.least_ns = std::max(bound_ns / best, work.calls_low * least_kernel_ns);
    family.most_ns = bound_ns / worst + work.calls_high * floor_ns;
    step.least_busy_ns += family.least_ns;
    step.most_busy_ns += family.most_ns;
    step.families.push_back(family);
  }
  SetShares(step);
  return step;
}

std::vector<ComparedFamily> Compare(const ExpectedStep& expected, const std::vector<MeasuredFamily>& measured) {
  std::vector<ComparedFamily> compared;
  for (const ExpectedFamily& family : expected.families) {
    ComparedFamily row;
    row.family = family.family;
    row.expected = family;
    const auto found = std::ranges::find(measured, family.family, &MeasuredFamily::family);
    if (found == measured.end()) {
      row.share = row.calls = Agreement::kMissing;
    } else {
      row.measured = *found;
      row.share = Judge(found->share, family.share_low, family.share_high);
      row.calls = Judge(found->calls, family.calls_low, family.calls_high);
    }
    compared.push_back(row);
  }
  std::vector<MeasuredFamily> others = measured;
  std::stable_sort(others.begin(), others.end(),
                   [](const MeasuredFamily& a, const MeasuredFamily& b) { return a.share > b.share; });
  for (const MeasuredFamily& family : others) {
    if (std::ranges::find(expected.families, family.family, &ExpectedFamily::family) != expected.families.end()) continue;
    if (family.share < ThresholdShare("expect_unexpected_share")) continue;
    ComparedFamily row;
    row.family = family.family;
    row.measured = family;
    row.share = row.calls = Agreement::kNotExpected;
    compared.push_back(row);
  }
  return compared;
}

}  // namespace warpsight
