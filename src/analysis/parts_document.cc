#include "analysis/parts_document.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "document/absent.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

// Whole numbers as integers: 155, not 155.0.
ordered_json Count(double value) {
  const auto whole = static_cast<int64_t>(value);
  return static_cast<double>(whole) == value ? ordered_json(whole) : ordered_json(value);
}

ordered_json ModelJson(const ModelResult& result) {
  const ModelDescription& model = result.model();
  if (result.given == nullptr && !result.found) return nullptr;
  ordered_json data;
  data["name"] = TextOrNull(model.name);
  data["layers"] = OrNull(model.layers);
  data["hidden"] = OrNull(model.hidden);
  data["ffn"] = OrNull(model.ffn);
  data["kv"] = OrNull(model.kv);
  data["vocab"] = OrNull(model.vocab);
  data["source"] = result.given != nullptr ? "given" : "inferred";
  data["heads"] = OrNull(model.heads);
  data["kv_heads"] = OrNull(model.kv_heads);
  data["head_dim"] = OrNull(model.head_dim);
  data["experts"] = OrNull(model.experts);
  data["gated_mlp"] = OrNull(model.gated_mlp);
  data["fused_qkv"] = OrNull(result.inferred.fused_qkv);
  data["fused_gate_up"] = OrNull(result.inferred.fused_gate_up);
  data["family"] = model.family == nullptr ? ordered_json(nullptr) : ordered_json(model.family->name);
  data["batch"] = OrNull(result.batch);
  data["tokens"] = OrNull(result.tokens);
  data["note"] = TextOrNull(model.note);
  return data;
}

ordered_json RowsJson(const PartsResult& parts) {
  ordered_json rows = ordered_json::array();
  for (const PartRow& row : parts.rows) {
    rows.push_back({{"part", PartName(row.part)},
                    {"gpu_ns", row.gpu_ns},
                    {"gpu_share", row.gpu_share},
                    {"kernels", row.kernels},
                    {"calls_per_step", row.calls_per_step ? Count(*row.calls_per_step) : ordered_json(nullptr)},
                    {"calls", row.calls}});
  }
  return rows;
}

ordered_json AccountingJson(const PartsResult& parts) {
  ordered_json lines = ordered_json::array();
  for (const AccountingLine& line : parts.accounting) {
    lines.push_back({{"what", line.what},
                     {"expected", Count(line.expected)},
                     {"seen", Count(line.seen)},
                     {"ok", line.ok},
                     {"how", line.how},
                     {"cause", TextOrNull(line.cause)}});
  }
  return lines;
}

ordered_json ConfidenceJson(const PartsResult& parts) {
  ordered_json data;
  for (const ConfidenceRow& row : parts.confidence)
    data[std::string(ConfidenceName(row.confidence))] = {{"kernels", row.kernels}, {"gpu_ns", row.gpu_ns}};
  return data;
}

ordered_json Data(const PartsResult& parts, const ModelResult& model) {
  ordered_json data;
  data["rows"] = RowsJson(parts);
  data["gpu_work_ns"] = parts.gpu_work_ns;
  data["model"] = ModelJson(model);
  data["accounting"] = AccountingJson(parts);
  data["attention_backend"] = TextOrNull(model.attention_backend);
  data["phases"] = ordered_json::array();
  for (const PhaseRow& row : parts.phases) {
    data["phases"].push_back(
        {{"phase", PhaseName(row.phase)}, {"gpu_ns", row.gpu_ns}, {"gpu_share", row.gpu_share}, {"kernels", row.kernels}});
  }
  data["backward"] = ordered_json::array();
  for (const ForwardPartRow& row : parts.backward) {
    data["backward"].push_back({{"forward_part", row.part ? ordered_json(PartName(*row.part)) : ordered_json(nullptr)},
                                {"gpu_ns", row.gpu_ns},
                                {"gpu_share", row.gpu_share},
                                {"kernels", row.kernels}});
  }
  data["other"] = ordered_json::array();
  for (const PartKernel& kernel : parts.other) {
    data["other"].push_back({{"name", kernel.name},
                             {"gpu_ns", kernel.gpu_ns},
                             {"gpu_share", kernel.gpu_share},
                             {"calls", kernel.calls},
                             {"op", TextOrNull(kernel.op)}});
  }
  data["fused"] = ordered_json::array();
  for (const FusedKernelRow& row : parts.fused) {
    data["fused"].push_back({{"name", row.name},
                             {"fuses", row.ops},
                             {"meaning", TextOrNull(row.meaning)},
                             {"part", PartName(row.part)},
                             {"gpu_ns", row.gpu_ns},
                             {"calls", row.calls}});
  }
  data["confidence"] = ConfidenceJson(parts);
  data["alignment"] = nullptr;
  if (const auto& alignment = parts.alignment) {
    data["alignment"] = {
        {"replays", alignment->replays},
        {"kernels", alignment->kernels},
        {"aligned", alignment->aligned},
        {"aligned_share",
         alignment->kernels > 0 ? static_cast<double>(alignment->aligned) / static_cast<double>(alignment->kernels) : 0},
        {"captured", alignment->captured},
        {"reference_kernels", alignment->reference_kernels}};
  }
  return data;
}

Table PartsTable(const PartsResult& parts) {
  Table table;
  table.columns = {TextColumn("part", "Part"),
                   DurationColumn("gpu_ns", "GPU time"),
                   ShareColumn("gpu_share", "GPU share"),
                   CountColumn("kernels", "Kernels"),
                   NumberColumn("calls_per_step", "Calls per step"),
                   Hideable(CountColumn("calls", "Calls"))};
  for (const PartRow& row : parts.rows) {
    table.rows.push_back({std::string(PartName(row.part)), row.gpu_ns, row.gpu_share, row.kernels,
                          row.calls_per_step ? Cell(*row.calls_per_step) : Cell(), row.calls});
  }
  return table;
}

std::string SizesText(const ModelDescription& model) {
  std::string text;
  const auto add = [&](std::string_view name, const std::optional<int64_t>& value) {
    if (value) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, *value);
  };
  add("L", model.layers);
  add("H", model.hidden);
  add("KV", model.kv);
  add("F", model.ffn);
  add("V", model.vocab);
  return text;
}

std::string Heads(const ModelDescription& model) {
  if (!model.heads) return {};
  std::string text = fmt::format("{}", *model.heads);
  if (model.kv_heads && *model.kv_heads != *model.heads) text += fmt::format(", {} of k and v", *model.kv_heads);
  if (model.head_dim) text += fmt::format(", {} wide", *model.head_dim);
  return text;
}

KeyValues ModelPairs(const ModelResult& result) {
  KeyValues pairs;
  const ModelDescription& model = result.model();
  const auto add = [&](const char* key, std::string value) {
    if (!value.empty()) pairs.pairs.push_back({key, std::move(value)});
  };
  if (result.given != nullptr || result.found) {
    add("Model", fmt::format("{} ({})", model.name, result.given != nullptr ? "given" : "inferred"));
    add("Sizes", SizesText(model));
    add("Heads", Heads(model));
  }
  if (model.experts) add("Experts", fmt::format("{}", *model.experts));
  if (result.batch) add("Batch", fmt::format("{}", *result.batch));
  if (result.tokens) add("Tokens of a pass", FormatCount(*result.tokens));
  if (!result.engine.empty()) add("Layout", result.engine);
  add("Attention", result.attention_backend);
  return pairs;
}

Table AccountingTable(const PartsResult& parts) {
  Table table;
  table.columns = {TextColumn("what", "What"), NumberColumn("expected", "Expected"), NumberColumn("seen", "Seen"),
                   TextColumn("ok", "OK"), NameColumn("how", "How")};
  for (const AccountingLine& line : parts.accounting)
    table.rows.push_back({line.what, line.expected, line.seen, std::string(line.ok ? "yes" : "NO"), line.how});
  return table;
}

void AddAccounting(const PartsResult& parts, Document& document) {
  if (parts.accounting.empty()) return;
  document.blocks.push_back(Heading{"What the model predicts of a step, and what was seen", 2});
  document.blocks.push_back(AccountingTable(parts));
  for (const AccountingLine& line : parts.accounting) {
    if (!line.ok && !line.cause.empty())
      document.blocks.push_back(Paragraph{fmt::format("{}: {}", line.what, line.cause), ParagraphKind::kNote});
  }
}

void AddPhases(const PartsResult& parts, Document& document) {
  if (parts.phases.size() < 2) return;
  Table phases;
  phases.columns = {TextColumn("phase", "Phase"), DurationColumn("gpu_ns", "GPU time"),
                    ShareColumn("gpu_share", "GPU share"), CountColumn("kernels", "Kernels")};
  for (const PhaseRow& row : parts.phases)
    phases.rows.push_back({std::string(PhaseName(row.phase)), row.gpu_ns, row.gpu_share, row.kernels});
  document.blocks.push_back(Heading{"Phases", 2});
  document.blocks.push_back(std::move(phases));
  if (parts.backward.empty()) return;
  Table backward;
  backward.columns = {TextColumn("forward_part", "Gradient of"), DurationColumn("gpu_ns", "GPU time"),
                      ShareColumn("gpu_share", "GPU share"), CountColumn("kernels", "Kernels")};
  for (const ForwardPartRow& row : parts.backward) {
    backward.rows.push_back(
        {row.part ? std::string(PartName(*row.part)) : std::string("not known"), row.gpu_ns, row.gpu_share, row.kernels});
  }
  document.blocks.push_back(Heading{"Backward, by the part it is the gradient of", 2});
  document.blocks.push_back(std::move(backward));
}

void AddFused(const PartsResult& parts, Document& document) {
  if (parts.fused.empty()) return;
  constexpr size_t kRows = 12;
  Table table;
  table.columns = {NameColumn("meaning", "Fuses"), TextColumn("part", "Part"), CountColumn("calls", "Calls"),
                   DurationColumn("gpu_ns", "GPU time"), Hideable(NameColumn("name", "Kernel"))};
  for (const FusedKernelRow& row : parts.fused) {
    if (table.rows.size() == kRows) break;
    table.rows.push_back({row.meaning.empty() ? std::string("moves only") : row.meaning, std::string(PartName(row.part)),
                          row.calls, row.gpu_ns, std::string(row.name)});
  }
  if (parts.fused.size() > kRows) table.footnote = fmt::format("{} more in JSON.", parts.fused.size() - kRows);
  document.blocks.push_back(Heading{"Kernels that torch.compile fused", 2});
  document.blocks.push_back(std::move(table));
}

void AddOther(const PartsResult& parts, const PartsDocumentOptions& options, Document& document) {
  if (parts.other.empty()) return;
  Table table;
  table.columns = {NameColumn("name", "Kernel"), NameColumn("op", "Op"), CountColumn("calls", "Calls"),
                   DurationColumn("gpu_ns", "GPU time"), ShareColumn("gpu_share", "GPU share")};
  int64_t hidden = 0;
  for (const PartKernel& kernel : parts.other) {
    if (options.other_limit > 0 && static_cast<int64_t>(table.rows.size()) == options.other_limit) {
      ++hidden;
      continue;
    }
    const bool shorten = kernel.kind == GpuKind::kKernel && !options.full_names;
    table.rows.push_back({shorten ? ShortKernelName(kernel.name) : std::string(kernel.name),
                          kernel.op.empty() ? Cell() : Cell(std::string(kernel.op)), kernel.calls, kernel.gpu_ns,
                          kernel.gpu_share});
  }
  if (hidden > 0) table.footnote = fmt::format("{} more kernels: --limit 0 shows all.", hidden);
  document.blocks.push_back(Heading{"Kernels of the part other", 2});
  document.blocks.push_back(std::move(table));
}

// How the parts were told, as one sentence.
std::string ConfidenceText(const PartsResult& parts) {
  std::string text;
  int64_t all = 0;
  for (const ConfidenceRow& row : parts.confidence) all += row.kernels;
  constexpr std::pair<Confidence, const char*> kWords[] = {
      {Confidence::kExact, "by op, exactly"},          {Confidence::kContainment, "by op, by time only"},
      {Confidence::kGraphNode, "by graph node"},       {Confidence::kAligned, "aligned with the reference"},
      {Confidence::kName, "by kernel name and order"}, {Confidence::kNone, "not at all"}};
  for (const auto& [confidence, words] : kWords) {
    const int64_t kernels = parts.confidence[static_cast<size_t>(confidence)].kernels;
    if (kernels == 0) continue;
    text += fmt::format("{}{} ({}) {}", text.empty() ? "" : ", ", FormatCount(kernels), FormatShare(kernels, all), words);
  }
  return "How kernels were tied to the model: " + text + ".";
}

}  // namespace

Document MakePartsDocument(const PartsResult& parts, const ModelResult& model, const PartsDocumentOptions& options) {
  Document document;
  document.verb = "parts";
  document.data = Data(parts, model);
  if (options.table_only) {
    document.blocks.push_back(PartsTable(parts));
    return document;
  }
  KeyValues pairs = ModelPairs(model);
  if (!pairs.pairs.empty()) document.blocks.push_back(std::move(pairs));
  if (!model.model().note.empty()) document.blocks.push_back(Paragraph{model.model().note, ParagraphKind::kNote});
  document.blocks.push_back(PartsTable(parts));
  if (!options.brief) AddPhases(parts, document);
  AddAccounting(parts, document);
  if (options.brief) return document;
  AddFused(parts, document);
  AddOther(parts, options, document);
  document.blocks.push_back(Paragraph{ConfidenceText(parts)});
  if (const auto& alignment = parts.alignment) {
    const std::string what =
        alignment->captured == alignment->aligned && alignment->captured > 0
            ? "with the launches of their capture"
            : fmt::format("with the reference's forward pass of {} kernels", FormatCount(alignment->reference_kernels));
    document.blocks.push_back(
        Paragraph{fmt::format("CUDA graphs: {} replays; {} of {} kernels ({}) aligned {}.", FormatCount(alignment->replays),
                              FormatCount(alignment->aligned), FormatCount(alignment->kernels),
                              FormatShare(alignment->aligned, alignment->kernels), what)});
  }
  return document;
}

}  // namespace warpsight
