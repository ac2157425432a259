#include "diagnosis/expectation_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

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

std::string ShareRange(const ExpectedFamily& family) {
  return Range(FormatShare(family.share_low), FormatShare(family.share_high));
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
    table.rows.push_back(
        {std::string(family.family), ShareRange(family), CallRange(family),
         Range(FormatDuration(static_cast<Ns>(family.least_ns)), FormatDuration(static_cast<Ns>(family.most_ns)))});
  }
  return table;
}

std::string Deviation(const ComparedFamily& row) {
  if (row.share == Agreement::kMissing) return "no such kernels: done by others, or not at all";
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
                   Right(TextColumn("expected_share", "Share expected")),
                   ShareColumn("measured_share", "measured"),
                   Right(TextColumn("expected_calls", "Calls expected")),
                   NumberColumn("measured_calls", "measured"),
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
          {"least_ns", static_cast<Ns>(family.least_ns)},
          {"most_ns", static_cast<Ns>(family.most_ns)},
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
  Ns all_ns = 0;
  for (const KernelRow& row : kernels.rows) {
    if (row.device == device) all_ns = SaturatingAdd(all_ns, row.total_ns);
  }
  for (const KernelRow& row : kernels.rows) {
    if (row.device != device || !row.calls_per_step || all_ns == 0) continue;
    auto family = std::ranges::find(families, row.family, &MeasuredFamily::family);
    if (family == families.end()) family = families.insert(families.end(), {row.family, 0, 0});
    family->calls += *row.calls_per_step;
    family->share += static_cast<double>(row.total_ns) / static_cast<double>(all_ns);
  }
  std::stable_sort(families.begin(), families.end(),
                   [](const MeasuredFamily& a, const MeasuredFamily& b) { return a.share > b.share; });
  return families;
}

void AddExpectation(const ModelFacts& model, const DeviceFacts& device, const ExpectedStep& expected,
                    const std::vector<MeasuredFamily>& measured, Document& document) {
  const std::vector<ComparedFamily> compared = Compare(expected, measured);
  ordered_json& data = document.data["expectation"];
  data["least_busy_ns"] = static_cast<Ns>(expected.least_busy_ns);
  data["most_busy_ns"] = static_cast<Ns>(expected.most_busy_ns);
  data["families"] = ordered_json::array();
  for (const ExpectedFamily& family : expected.families) data["families"].push_back(ExpectedJson(family));
  data["compared"] = ordered_json::array();
  for (const ComparedFamily& row : compared) data["compared"].push_back(ComparedJson(row));

  document.blocks.push_back(Heading{"Expected, then measured"});
  document.blocks.push_back(Paragraph{fmt::format(
      "A model of {} layers (hidden {}, FFN {}, KV {}, vocabulary {}) that works on {} new tokens of {} sequences with {} "
      "tokens "
      "of context should keep {} busy for {} to {} a step, well implemented:",
      model.layers, model.hidden, model.ffn, model.kv, model.vocab, model.query_tokens, model.batch, model.context_tokens,
      device.name.empty() ? "the device" : device.name, FormatDuration(static_cast<Ns>(expected.least_busy_ns)),
      FormatDuration(static_cast<Ns>(expected.most_busy_ns)))});
  document.blocks.push_back(ExpectedTable(expected));
  Table table = ComparedTable(compared);
  std::string top;
  for (size_t i = 0; i < std::min(kTop, measured.size()); ++i) {
    top += fmt::format("{}{} {}", i == 0 ? "" : ", ", measured[i].family, FormatShare(measured[i].share));
  }
  if (!top.empty()) table.footnote = "Measured top five: " + top;
  document.blocks.push_back(std::move(table));
  for (const ComparedFamily& row : compared) {
    if (row.deviates() && row.measured)
      document.blocks.push_back(Paragraph{fmt::format("{}: {}", row.family, Deviation(row)), ParagraphKind::kNote});
  }
}

}  // namespace warpsight
