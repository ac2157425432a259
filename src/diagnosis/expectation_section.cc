#include "diagnosis/expectation_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "analysis/attribution_pass.h"
#include "analysis/gpu_peaks.h"
#include "analysis/model_pass.h"
#include "analysis/roofline_pass.h"
#include "base/rounded_ns.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

// The measured table is that of the top families.
constexpr size_t kTop = 5;

std::string_view AgreementName(Agreement agreement) {
  constexpr std::string_view kNames[] = {"as expected", "more", "less", "missing", "not expected"};
  return kNames[static_cast<size_t>(agreement)];
}

std::string Range(const std::string& low, const std::string& high) { return low == high ? low : low + " - " + high; }

// Whole percents, rounded outwards: "41 - 97 %".
std::string ShareRange(const ExpectedFamily& family) {
  return fmt::format("{:.0f} - {:.0f} %", std::floor(100 * family.share_low), std::ceil(100 * family.share_high));
}
std::string CallRange(const ExpectedFamily& family) {
  return Range(FormatNumber(family.calls_low), FormatNumber(family.calls_high));
}

Column Right(Column column) {
  column.align = Align::kRight;
  return column;
}

Table ExpectedTable(const ExpectedStep& expected) {
  Table table;
  table.title = "Expected of a step";
  table.columns = {TextColumn("family", "Family"), Right(TextColumn("share", "Share of GPU time")),
                   Right(TextColumn("calls", "Calls")), Right(TextColumn("time", "GPU time"))};
  for (const ExpectedFamily& family : expected.families) {
    table.rows.push_back({std::string(family.family), ShareRange(family), CallRange(family),
                          Range(FormatDuration(RoundedNs(family.least_ns)), FormatDuration(RoundedNs(family.most_ns)))});
  }
  return table;
}

std::string Deviation(const ComparedFamily& row) {
  if (row.share == Agreement::kMissing) return "no kernels of its own";
  if (row.share == Agreement::kNotExpected) return "not expected";
  std::string text;
  if (row.share != Agreement::kAsExpected) text = fmt::format("{} time", AgreementName(row.share));
  if (row.calls != Agreement::kAsExpected)
    text += fmt::format("{}{} calls", text.empty() ? "" : ", ", row.calls == Agreement::kMore ? "more" : "fewer");
  return text;
}

Table ComparedTable(const std::vector<ComparedFamily>& compared) {
  Table table;
  table.title = "Expected and measured";
  table.columns = {TextColumn("family", "Family"),
                   Right(TextColumn("expected_share", "Expected")),
                   ShareColumn("measured_share", "Measured"),
                   Right(TextColumn("expected_calls", "Calls expected")),
                   NumberColumn("measured_calls", "Measured"),
                   TextColumn("deviation", "Deviation")};
  for (const ComparedFamily& row : compared) {
    table.rows.push_back({std::string(row.family), row.expected ? Cell(ShareRange(*row.expected)) : Cell(),
                          row.measured ? Cell(row.measured->share) : Cell(),
                          row.expected ? Cell(CallRange(*row.expected)) : Cell(),
                          row.measured ? Cell(row.measured->calls) : Cell(), Deviation(row)});
  }
  return table;
}

ordered_json ExpectedJson(const ExpectedFamily& family) {
  return {{"family", family.family},
          {"calls_low", family.calls_low},
          {"calls_high", family.calls_high},
          {"least_ns", RoundedNs(family.least_ns)},
          {"most_ns", RoundedNs(family.most_ns)},
          {"low_share", family.share_low},
          {"high_share", family.share_high}};
}

ordered_json ComparedJson(const ComparedFamily& row) {
  return {{"family", row.family},
          {"measured_share", row.measured ? ordered_json(row.measured->share) : ordered_json(nullptr)},
          {"measured_calls_per_step", row.measured ? ordered_json(row.measured->calls) : ordered_json(nullptr)},
          {"share", AgreementName(row.share)},
          {"calls", AgreementName(row.calls)}};
}

}  // namespace

std::vector<MeasuredFamily> MeasureFamilies(const KernelsResult& kernels, int32_t device) {
  std::vector<MeasuredFamily> families;
  double all_ns = 0;
  for (const KernelRow& row : kernels.rows) {
    if (row.device == device) all_ns += static_cast<double>(row.total_ns);
  }
  for (const KernelRow& row : kernels.rows) {
    if (row.device != device || !row.calls_per_step || all_ns == 0) continue;
    auto family = std::ranges::find(families, row.family, &MeasuredFamily::family);
    if (family == families.end()) family = families.insert(families.end(), {row.family, 0, 0});
    family->calls += *row.calls_per_step;
    family->share += static_cast<double>(row.total_ns) / all_ns;
  }
  std::stable_sort(families.begin(), families.end(),
                   [](const MeasuredFamily& a, const MeasuredFamily& b) { return a.share > b.share; });
  return families;
}

namespace {

// Sizes of elements and context from what a step's products and attention read: they are not the model's own.
void FillFromRoofline(Analysis& analysis, int32_t device, ModelFacts& facts) {
  const Result<RooflineResult>& roofline = analysis.Get<RooflinePass>();
  if (!roofline.ok()) return;
  for (const RooflineDevice& one : roofline->devices) {
    if (one.step.device != device || facts.passes <= 0) continue;
    const double elements = facts.passes * 2.0 * static_cast<double>(facts.layers) * static_cast<double>(facts.batch) *
                            static_cast<double>(facts.kv);
    const double weights =
        facts.passes * (static_cast<double>(facts.layers) * static_cast<double>(facts.hidden) *
                            static_cast<double>(2 * facts.attention + 2 * facts.kv + (facts.gated_mlp ? 3 : 2) * facts.ffn) +
                        static_cast<double>(facts.hidden) * static_cast<double>(facts.vocab));
    if (weights > 0 && one.step.weight_bytes > 0)
      facts.element_bytes = std::llround(std::clamp(one.step.weight_bytes / weights, 1.0, 8.0));
    if (elements > 0 && one.step.key_value_bytes > 0) {
      const double tokens = one.step.key_value_bytes / (elements * static_cast<double>(facts.element_bytes));
      facts.context_tokens = std::max<int64_t>(facts.query_tokens, RoundedNs(tokens));
    }
  }
}

Arithmetic ArithmeticOf(int64_t element_bytes) {
  if (element_bytes == 1) return Arithmetic::kFp8;
  return element_bytes == 2 ? Arithmetic::kBf16 : Arithmetic::kFp32;
}

// Sizes that no model has are damage; below them sums of sizes stay in 64 bits.
int64_t Known(const std::optional<int64_t>& size) {
  constexpr int64_t kMost = int64_t{1} << 31;
  return size && *size <= kMost ? *size : 0;
}

}  // namespace

Result<ExpectationFacts> FindExpectationFacts(Analysis& analysis) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!frame || !frame->has_steps) return LacksError("nothing can be expected: the recording has no steps in the window");
  const Result<Attribution>& attribution = analysis.Get<AttributionPass>();
  if (attribution.ok() && attribution->backward > 0) {
    return LacksError("nothing can be expected: the steps hold a backward pass, and only forward passes are predicted");
  }
  const Result<ModelResult>& found = analysis.Get<ModelPass>();
  if (!found.ok()) return found.status();
  if (!found->found && found->given == nullptr) {
    return LacksError("nothing can be expected: no model was recognised in the recording; give one with --model FILE");
  }
  const ModelDescription& model = found->model();
  ExpectationFacts facts;
  ModelFacts& sizes = facts.model;
  sizes.layers = Known(model.layers);
  sizes.hidden = Known(model.hidden);
  sizes.ffn = Known(model.ffn);
  sizes.kv = Known(model.kv);
  sizes.attention = Known(model.attention_width());
  if (sizes.attention == 0) sizes.attention = sizes.hidden;
  sizes.vocab = Known(model.vocab);
  sizes.gated_mlp = model.gated_mlp.value_or(true);
  sizes.fused_qkv = model.fused_qkv.value_or(false);
  sizes.fused_gate_up = model.fused_gate_up.value_or(false);
  sizes.batch = found->batch.value_or(1);
  sizes.query_tokens = std::max<int64_t>(1, found->tokens.value_or(sizes.batch) / std::max<int64_t>(1, sizes.batch));
  sizes.context_tokens = sizes.query_tokens;
  sizes.passes = found->passes_per_step > 0 ? found->passes_per_step : 1;
  FillFromRoofline(analysis, frame->device, sizes);
  const Device& device = *analysis.trace().FindDevice(frame->device);
  const GpuPeaks peaks = PeaksOf(analysis.trace(), device, analysis.given());
  facts.device.name = device.name;
  facts.device.bytes_per_s = peaks.memory_bytes_per_s.value_or(0);
  facts.device.flops_per_s = peaks.FlopsPerS(ArithmeticOf(sizes.element_bytes)).value_or(0);
  return facts;
}

void AddExpectation(Analysis& analysis, Document& document) {
  const Result<ExpectationFacts> facts = FindExpectationFacts(analysis);
  const Result<ExpectedStep> expected =
      facts.ok() ? Predict(facts->model, facts->device) : Result<ExpectedStep>(facts.status());
  const Result<KernelsResult>& kernels = analysis.Get<KernelsPass>();
  if (!expected.ok() || !kernels.ok()) {
    document.data["expectation"] = nullptr;
    document.blocks.push_back(Heading{"Expected, then measured"});
    document.blocks.push_back(Paragraph{"not evaluated: " + (expected.ok() ? kernels.status() : expected.status()).message(),
                                        ParagraphKind::kNote});
    return;
  }
  AddExpectation(facts->model, facts->device, *expected, MeasureFamilies(*kernels, MakeStepFrame(analysis)->device),
                 document);
}

void AddExpectation(const ModelFacts& model, const DeviceFacts& device, const ExpectedStep& expected,
                    const std::vector<MeasuredFamily>& measured, Document& document) {
  const std::vector<ComparedFamily> compared = Compare(expected, measured);
  ordered_json& data = document.data["expectation"];
  data["least_busy_ns"] = RoundedNs(expected.least_busy_ns);
  data["most_busy_ns"] = RoundedNs(expected.most_busy_ns);
  data["families"] = ordered_json::array();
  for (const ExpectedFamily& family : expected.families) data["families"].push_back(ExpectedJson(family));
  data["compared"] = ordered_json::array();
  for (const ComparedFamily& row : compared) data["compared"].push_back(ComparedJson(row));

  document.blocks.push_back(Heading{"Expected, then measured"});
  document.blocks.push_back(Paragraph{fmt::format(
      "Model: {} layers, hidden {}, FFN {}, KV {}, vocabulary {}; batch {}, new tokens a sequence: {}, context: {}. Well "
      "implemented, a step should keep {} busy for {} to {}:",
      model.layers, model.hidden, model.ffn, model.kv, model.vocab, model.batch, model.query_tokens, model.context_tokens,
      device.name.empty() ? "the device" : device.name, FormatDuration(RoundedNs(expected.least_busy_ns)),
      FormatDuration(RoundedNs(expected.most_busy_ns)))});
  document.blocks.push_back(ExpectedTable(expected));
  Table table = ComparedTable(compared);
  std::string top;
  for (size_t i = 0; i < std::min(kTop, measured.size()); ++i) {
    top += fmt::format("{}{} {}", i == 0 ? "" : ", ", measured[i].family, FormatShare(measured[i].share));
  }
  if (!top.empty()) table.footnote = "Measured top five: " + top;
  document.blocks.push_back(std::move(table));
  std::string deviations;
  for (const ComparedFamily& row : compared) {
    if (row.deviates()) deviations += fmt::format("{}{} ({})", deviations.empty() ? "" : ", ", row.family, Deviation(row));
  }
  document.blocks.push_back(Paragraph{deviations.empty() ? "All as expected." : "Deviations: " + deviations + "."});
}

}  // namespace warpsight
