#include "analysis/diff/diff_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/diff/diff_json.h"
#include "analysis/ledger_document.h"
#include "document/absent.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

int64_t MagnitudeOf(int64_t change) { return change < 0 ? SaturatingSubtract(0, change) : change; }

std::string TitleOf(const DiffResult& diff, std::string_view what) {
  return fmt::format("GPU work by {}{}", what, diff.by_steps ? ", mean of a step" : "");
}

std::string StepsText(const DiffSide& side) {
  return fmt::format("{} {} ({})", FormatCount(side.steps()), side.steps() == 1 ? "step" : "steps",
                     StepSourceName(side.source));
}

std::string AmountText(int64_t value, bool is_time) { return is_time ? FormatDuration(value) : FormatCount(value); }
std::string WithSign(int64_t value, bool is_time) { return (value > 0 ? "+" : "") + AmountText(value, is_time); }
std::string SignedShare(double share) { return (share > 0 ? "+" : "") + FormatShare(share); }

KeyValues SidesOf(const DiffResult& diff) {
  KeyValues sides;
  const auto add = [&](const char* key, const DiffSide& side, const std::string& gpu) {
    const RecordingInfo& info = side.trace().recording();
    const std::string what = side.has_steps ? StepsText(side) : FormatDuration(side.windows.front().time.duration());
    sides.pairs.push_back({key, fmt::format("{}: {}{}, {}", info.file, info.producer, gpu.empty() ? "" : ", " + gpu, what)});
  };
  add("A", diff.a, diff.facts.front().a);
  add("B", diff.b, diff.facts.front().b);
  return sides;
}

// What a reader must know before any number: that the sides are not alike, or not whole.
std::vector<Paragraph> DiffRemarks(const DiffResult& diff) {
  std::vector<Paragraph> remarks;
  const auto say = [&](ParagraphKind kind, std::string text) { remarks.push_back({std::move(text), kind}); };
  for (const DiffFact& fact : diff.facts) {
    if (!fact.differs()) continue;
    if (fact.is_serious) {
      say(ParagraphKind::kWarning, fmt::format("not alike in {}: {} in A, {} in B", fact.what, fact.a, fact.b));
    } else {
      say(ParagraphKind::kNote, fmt::format("{}: {} in A, {} in B", fact.what, fact.a, fact.b));
    }
  }
  if (!diff.by_steps)
    say(ParagraphKind::kWarning,
        "the recordings do not both have steps: the whole windows are compared, which need not hold the same work");
  if (diff.by_steps && diff.a.source != diff.b.source)
    say(ParagraphKind::kWarning, fmt::format("steps are found in different ways: {} in A, {} in B",
                                             StepSourceName(diff.a.source), StepSourceName(diff.b.source)));
  for (const auto& [name, side] : {std::pair("A", &diff.a), std::pair("B", &diff.b)}) {
    if (side->first_is_slow)
      say(ParagraphKind::kNote, fmt::format("the first step of {} holds warm-up work: medians leave it aside, the means of "
                                            "kernels, ops and parts do not (--range +START:+END leaves it out)",
                                            name));
  }
  if (!diff.no_gpu.empty()) say(ParagraphKind::kWarning, diff.no_gpu);
  for (const auto& [name, side] : {std::pair("A", &diff.a), std::pair("B", &diff.b)}) {
    const std::string damage = DamageOf(*side);
    if (!damage.empty())
      say(ParagraphKind::kWarning,
          fmt::format("{} is damaged or not whole ({}): what it lacks looks like a change", name, damage));
  }
  return remarks;
}

void AddDiffRemarks(const DiffResult& diff, Document& document) {
  auto warnings = nlohmann::ordered_json::array();
  for (Paragraph& remark : DiffRemarks(diff)) {
    if (remark.kind == ParagraphKind::kWarning) warnings.push_back(remark.text);
    document.blocks.push_back(std::move(remark));
  }
  document.data["warnings"] = std::move(warnings);
}

std::string NoiseText(const DiffMetricRow& row, bool is_time) {
  if (!row.noise) return "the scatter between steps is not known: a side has one step";
  return fmt::format("{} the noise of {}", *row.within_noise ? "within" : "beyond", AmountText(*row.noise, is_time));
}

std::string DiffVerdictText(const DiffResult& diff) {
  const DiffMetricRow& step = diff.metrics[kDiffStep];
  const auto of = [&diff](std::string_view side) {
    return diff.by_steps ? fmt::format("a step of {}", side) : fmt::format("the window of {}", side);
  };
  std::string text;
  if (*step.change == 0) {
    text = fmt::format("{} takes as long as {}: {}", of("B"), of("A"), FormatDuration(step.a->median));
  } else {
    text = fmt::format("{} takes {} {} than {}: {} instead of {}", of("B"), FormatDuration(MagnitudeOf(*step.change)),
                       *step.change < 0 ? "less" : "more", of("A"), FormatDuration(step.b->median),
                       FormatDuration(step.a->median));
    if (step.change_share) text += fmt::format(" ({})", SignedShare(*step.change_share));
    if (diff.by_steps) text += "; " + NoiseText(step, true);
  }
  for (const DiffMetric metric : {kDiffBusy, kDiffIdle}) {
    const DiffMetricRow& row = diff.metrics[metric];
    if (row.change && *row.change != 0)
      text += fmt::format("; {} {}", InfoOfMetric(metric).label, WithSign(*row.change, true));
  }
  return text;
}

// Notes in the columns of tables.
std::string NoiseMark(const std::optional<bool>& within, int64_t change) {
  return within.value_or(false) && change != 0 ? "~" : "";
}

// The last column is of notes: without any it says nothing.
Table WithoutEmptyNotes(Table table) {
  const bool noted = std::any_of(table.rows.begin(), table.rows.end(), [](const Row& row) {
    const std::string* note = std::get_if<std::string>(&row.back());
    return note != nullptr && !note->empty();
  });
  if (noted) return table;
  table.columns.pop_back();
  for (Row& row : table.rows) row.pop_back();
  return table;
}

Table DiffMetricTable(const DiffResult& diff) {
  Table table;
  table.title = diff.by_steps ? "A step (medians)" : "The recording";
  table.columns = {TextColumn("metric", "Metric"),
                   TextColumn("a", "A"),
                   TextColumn("b", "B"),
                   TextColumn("change", "Change"),
                   ShareColumn("change_share", "Of A"),
                   TextColumn("noise", "Noise"),
                   TextColumn("note", "")};
  for (size_t i = 1; i < table.columns.size(); ++i) table.columns[i].align = Align::kRight;
  for (const DiffMetricRow& row : diff.metrics) {
    const DiffMetricInfo& info = InfoOfMetric(row.metric);
    if (!row.a && !row.b) continue;
    const bool nothing = row.change && *row.change == 0 && row.a->median == 0;
    const bool detail = row.metric >= kFirstIdleMetric && row.metric < kDiffWork;
    if (nothing && (detail || row.metric == kDiffCopies)) continue;
    const auto value = [&](const std::optional<StepStatistics>& side) {
      return side ? Cell(AmountText(side->median, info.is_time)) : Cell();
    };
    table.rows.push_back({(detail ? "  " : "") + (detail ? info.label.substr(6) : info.label), value(row.a), value(row.b),
                          row.change ? Cell(WithSign(*row.change, info.is_time)) : Cell(), OrAbsent(row.change_share),
                          row.noise ? Cell(AmountText(*row.noise, info.is_time)) : Cell(),
                          row.change ? NoiseMark(row.within_noise, *row.change) : std::string()});
  }
  return WithoutEmptyNotes(std::move(table));
}

std::string ChangeNote(const DiffRow& row, const DiffTimes& times) {
  std::string noise = NoiseMark(times.within_noise, times.change_ns());
  const auto with = [&](std::string_view word) { return noise.empty() ? std::string(word) : fmt::format("{} ~", word); };
  switch (row.change) {
    case DiffChange::kAppeared:
      return with("new");
    case DiffChange::kVanished:
      return with("gone");
    case DiffChange::kRenamed:
      return with("renamed");
    case DiffChange::kBoth:
      break;
  }
  return noise;
}

size_t RowsShown(const DiffTable& table, const DiffDocumentOptions& options) {
  return options.limit > 0 ? std::min(table.rows.size(), static_cast<size_t>(options.limit)) : table.rows.size();
}

// Rows of what is not listed, and of all.
template <typename AddRow>
void AddSums(const DiffTable& table, size_t shown, const AddRow& add) {
  DiffRow rest;
  DiffTimes cpu;
  for (size_t i = shown; i < table.rows.size(); ++i) {
    const DiffRow& row = table.rows[i];
    rest.calls_a += row.calls_a;
    rest.calls_b += row.calls_b;
    rest.gpu.a_ns = SaturatingAdd(rest.gpu.a_ns, row.gpu.a_ns);
    rest.gpu.b_ns = SaturatingAdd(rest.gpu.b_ns, row.gpu.b_ns);
    if (row.cpu) cpu.a_ns = SaturatingAdd(cpu.a_ns, row.cpu->a_ns);
    if (row.cpu) cpu.b_ns = SaturatingAdd(cpu.b_ns, row.cpu->b_ns);
  }
  DiffRow all;
  all.gpu = table.gpu;
  all.cpu = table.cpu;
  for (const DiffRow& row : table.rows) {
    all.calls_a += row.calls_a;
    all.calls_b += row.calls_b;
  }
  if (table.cpu) rest.cpu = cpu;
  if (shown < table.rows.size())
    add(fmt::format("not listed ({})", FormatCount(static_cast<int64_t>(table.rows.size() - shown))), rest);
  add("all", all);
}

// The time on a side; absent for a row that changed in the way that keeps it from there.
Cell TimeIn(const DiffRow& row, DiffChange absent_by, Ns time_ns) {
  return row.change == absent_by ? Cell() : Cell(time_ns);
}

Cell ChangeCell(Ns change_ns) { return WithSign(change_ns, true); }

Column RightText(std::string key, std::string header) {
  Column column = TextColumn(std::move(key), std::move(header));
  column.align = Align::kRight;
  return column;
}

Table GpuDiffTable(const DiffTable& rows, std::string title, const DiffDocumentOptions& options, bool of_kernels) {
  Table table;
  table.title = std::move(title);
  table.columns = {!of_kernels          ? TextColumn("name", "Part")
                   : options.full_names ? NameColumn("name", "Name")
                                        : KernelNameColumn("name", "Name"),
                   DurationColumn("gpu_a_ns", "A"),
                   DurationColumn("gpu_b_ns", "B"),
                   RightText("gpu_change_ns", "Change"),
                   Hideable(NumberColumn("calls_a", "Calls A")),
                   Hideable(NumberColumn("calls_b", "Calls B")),
                   TextColumn("note", "")};
  const auto add = [&](std::string name, const DiffRow& row, std::string note) {
    table.rows.push_back({std::move(name), TimeIn(row, DiffChange::kAppeared, row.gpu.a_ns),
                          TimeIn(row, DiffChange::kVanished, row.gpu.b_ns), ChangeCell(row.gpu.change_ns()), row.calls_a,
                          row.calls_b, std::move(note)});
  };
  const size_t shown = RowsShown(rows, options);
  for (size_t i = 0; i < shown; ++i)
    add(std::string(rows.rows[i].name()), rows.rows[i], ChangeNote(rows.rows[i], rows.rows[i].gpu));
  AddSums(rows, shown, [&](std::string name, const DiffRow& row) { add(std::move(name), row, ""); });
  return WithoutEmptyNotes(std::move(table));
}

Table OpDiffTable(const DiffResult& diff, const DiffDocumentOptions& options) {
  const DiffTable& rows = diff.ops;
  const bool both_gpu = diff.a.has_gpu && diff.b.has_gpu;
  Table table;
  table.title = "Ops, by the larger of the changes of self times";
  table.columns = {NameColumn("name", "Name"),
                   DurationColumn("cpu_a_ns", "CPU A"),
                   DurationColumn("cpu_b_ns", "CPU B"),
                   RightText("cpu_change_ns", "CPU change"),
                   Hideable(DurationColumn("gpu_a_ns", "GPU A")),
                   Hideable(DurationColumn("gpu_b_ns", "GPU B")),
                   RightText("gpu_change_ns", "GPU change"),
                   Hideable(NumberColumn("calls_a", "Calls A"), 1),
                   Hideable(NumberColumn("calls_b", "Calls B"), 1),
                   TextColumn("note", "")};
  const auto add = [&](std::string name, const DiffRow& row, std::string note) {
    const DiffTimes cpu = row.cpu.value_or(DiffTimes());
    table.rows.push_back({std::move(name), TimeIn(row, DiffChange::kAppeared, cpu.a_ns),
                          TimeIn(row, DiffChange::kVanished, cpu.b_ns), ChangeCell(cpu.change_ns()),
                          diff.a.has_gpu ? TimeIn(row, DiffChange::kAppeared, row.gpu.a_ns) : Cell(),
                          diff.b.has_gpu ? TimeIn(row, DiffChange::kVanished, row.gpu.b_ns) : Cell(),
                          both_gpu ? ChangeCell(row.gpu.change_ns()) : Cell(), row.calls_a, row.calls_b, std::move(note)});
  };
  const size_t shown = RowsShown(rows, options);
  for (size_t i = 0; i < shown; ++i) {
    const DiffRow& row = rows.rows[i];
    const bool by_cpu = row.cpu && row.size_ns() == MagnitudeOf(row.cpu->change_ns());
    add(std::string(row.name()), row, ChangeNote(row, by_cpu ? *row.cpu : row.gpu));
  }
  AddSums(rows, shown, [&](std::string name, const DiffRow& row) { add(std::move(name), row, ""); });
  return WithoutEmptyNotes(std::move(table));
}

// Which kernel took the place of which.
std::optional<Table> RenamedTable(const DiffTable& kernels, const DiffDocumentOptions& options) {
  Table table;
  table.title = "Kernels taken for one another";
  table.columns = {options.full_names ? NameColumn("name_before", "In A") : KernelNameColumn("name_before", "In A"),
                   options.full_names ? NameColumn("name", "In B") : KernelNameColumn("name", "In B"),
                   TextColumn("confidence", "Confidence"), Hideable(NameColumn("reason", "Because of"))};
  for (const DiffRow& row : kernels.rows) {
    if (!row.pair) continue;
    table.rows.push_back({std::string(row.name_a), std::string(row.name_b),
                          std::string(PairConfidenceName(row.pair->confidence)), row.pair->reason});
  }
  if (table.rows.empty()) return std::nullopt;
  if (options.limit > 0 && table.rows.size() > static_cast<size_t>(options.limit)) {
    table.footnote =
        fmt::format("{} more: --limit 0 shows all.", FormatCount(static_cast<int64_t>(table.rows.size()) - options.limit));
    table.rows.resize(static_cast<size_t>(options.limit));
  }
  return table;
}

// Every row with every value.
Table KernelCsvTable(const DiffTable& kernels) {
  Table table;
  table.columns = {TextColumn("kind", "Kind"),
                   NameColumn("name", "Name"),
                   NameColumn("name_before", "In A"),
                   TextColumn("change", "Change"),
                   TextColumn("confidence", "Confidence"),
                   TextColumn("family", "Family"),
                   NumberColumn("calls_a", "Calls A"),
                   NumberColumn("calls_b", "Calls B"),
                   DurationColumn("gpu_a_ns", "A"),
                   DurationColumn("gpu_b_ns", "B"),
                   DurationColumn("gpu_change_ns", "Change"),
                   DurationColumn("gpu_noise_ns", "Noise"),
                   TextColumn("gpu_within_noise", "Within noise")};
  for (const DiffRow& row : kernels.rows) {
    const std::optional<bool>& within = row.gpu.within_noise;
    table.rows.push_back({std::string(row.kind), std::string(row.name()),
                          row.change == DiffChange::kRenamed ? Cell(std::string(row.name_a)) : Cell(),
                          std::string(DiffChangeName(row.change)),
                          row.pair ? Cell(std::string(PairConfidenceName(row.pair->confidence))) : Cell(),
                          TextOrAbsent(row.family), row.calls_a, row.calls_b, row.gpu.a_ns, row.gpu.b_ns,
                          row.gpu.change_ns(), OrAbsent(row.gpu.noise_ns),
                          within ? Cell(std::string(*within ? "true" : "false")) : Cell()});
  }
  return table;
}

void AddConditions(const std::vector<ConditionAnswer>& conditions, Document& document) {
  for (const ConditionAnswer& answer : conditions) {
    std::string text = fmt::format("--fail-if '{}' {}: {} in A, {} in B ({}{})", answer.text,
                                   answer.holds ? "holds" : "does not hold", AmountText(answer.a, answer.is_time),
                                   AmountText(answer.b, answer.is_time), WithSign(answer.change(), answer.is_time),
                                   answer.change_share ? ", " + SignedShare(*answer.change_share) : "");
    if (answer.within_noise.value_or(false) && answer.change() != 0) text += ", within the noise";
    document.blocks.push_back(Paragraph{std::move(text), answer.holds ? ParagraphKind::kWarning : ParagraphKind::kPlain});
  }
}

}  // namespace

Document MakeDiffDocument(const DiffResult& diff, const std::vector<ConditionAnswer>& conditions,
                          const DiffDocumentOptions& options) {
  Document document;
  document.verb = "diff";
  document.data = DiffData(diff, conditions);
  document.data["verdict"] = DiffVerdictText(diff);
  if (options.table_only) {
    document.blocks.push_back(KernelCsvTable(diff.kernels.value_or(DiffTable())));
    return document;
  }
  document.blocks.push_back(SidesOf(diff));
  AddDiffRemarks(diff, document);
  document.blocks.push_back(Paragraph{DiffVerdictText(diff), ParagraphKind::kVerdict});
  AddConditions(conditions, document);
  document.blocks.push_back(DiffMetricTable(diff));
  if (diff.kernels) {
    document.blocks.push_back(GpuDiffTable(*diff.kernels, TitleOf(diff, "kernel"), options, true));
    if (std::optional<Table> renamed = RenamedTable(*diff.kernels, options)) document.blocks.push_back(*std::move(renamed));
  }
  if (diff.parts) document.blocks.push_back(GpuDiffTable(*diff.parts, TitleOf(diff, "model part"), options, false));
  document.blocks.push_back(OpDiffTable(diff, options));
  document.blocks.push_back(Paragraph{
      "~ marks a change within the noise: twice the root of the summed squares of both sides' scatter between steps "
      "(1.4826 x the median absolute deviation). new is in B alone, gone in A alone; renamed kernels are taken for "
      "one another as listed. Times of several devices are added up. The profiler slows the host: compare runs "
      "that were recorded alike.",
      ParagraphKind::kNote});
  AppendLedger(diff.b.trace().log(), document, "Ledger of B");
  return document;
}

}  // namespace warpsight
