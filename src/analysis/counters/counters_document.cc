#include "analysis/counters/counters_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "analysis/counters/counter_sections.h"
#include "analysis/counters/counters_json.h"
#include "analysis/counters/run_conditions.h"
#include "analysis/counters/triage.h"
#include "counters/raw_page.h"
#include "document/absent.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr size_t kShownListRows = 8;
constexpr std::string_view kTimeRule = "time_disagrees";

std::string NotProductionTimes(const CounterReport& report) {
  const CounterReport* const reports[] = {&report};
  return fmt::format(
      "Times here are not production times: the profiler ran each kernel alone and many times over, {}. Take times from a "
      "timeline or from CUDA events.",
      RunConditions(reports));
}

Cell PercentCell(const CounterReport& report, const ProfiledKernel& kernel, std::string_view metric) {
  const std::optional<double> percent = report.Number(kernel, metric);
  return percent ? Cell(*percent / 100) : Cell();
}

Table SummaryTable(const CounterReport& report, const CountersDocumentOptions& options) {
  Table table;
  table.columns = {CountColumn("id", "ID"),
                   options.full_names ? NameColumn("name", "Kernel") : KernelNameColumn("name", "Kernel"),
                   Hideable(TextColumn("grid", "Grid")),
                   Hideable(TextColumn("block", "Block")),
                   DurationColumn("profiled_ns", "Profiled"),
                   ShareColumn("compute_share", "Compute"),
                   ShareColumn("memory_share", "Memory"),
                   Hideable(ShareColumn("occupancy_share", "Occupancy"))};
  for (const ProfiledKernel* kernel : options.kernels) {
    const std::optional<double> duration = report.Number(*kernel, "gpu__time_duration.sum");
    table.rows.push_back({kernel->id, std::string(kernel->full_name), ExtentText(kernel->grid), ExtentText(kernel->block),
                          duration ? Cell(int64_t{std::llround(*duration)}) : Cell(),
                          PercentCell(report, *kernel, "sm__throughput.avg.pct_of_peak_sustained_elapsed"),
                          PercentCell(report, *kernel, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"),
                          PercentCell(report, *kernel, "sm__warps_active.avg.pct_of_peak_sustained_active")});
  }
  table.footnote = NotProductionTimes(report);
  return table;
}

// Rules that lack metrics in one paragraph, the others each with its reason. What needs a timeline is said once for all
// kernels, under the last.
void AppendNotEvaluated(const Triage& triage, std::vector<Block>& blocks) {
  std::string rules;
  std::string reason;
  std::string others;
  for (const UnevaluatedRule& rule : triage.not_evaluated) {
    if (rule.id == kTimeRule) continue;
    if (rule.lacks_metrics) {
      if (rules.empty()) reason = rule.reason;
      rules += (rules.empty() ? "" : ", ") + rule.id;
    } else {
      others += fmt::format("{}{} ({})", others.empty() ? "" : ", ", rule.id, rule.reason);
    }
  }
  if (!rules.empty()) {
    blocks.push_back(Paragraph{fmt::format("Not evaluated: {} ({}); ncu --set full collects all metrics.", rules, reason),
                               ParagraphKind::kNote});
  }
  if (!others.empty()) blocks.push_back(Paragraph{fmt::format("Not evaluated: {}.", others), ParagraphKind::kNote});
}

void AppendFindings(const Triage& triage, std::vector<Block>& blocks) {
  int number = 0;
  for (const TriageFinding& finding : triage.findings) {
    blocks.push_back(
        FindingBlock{++number, finding.severity, finding.title, finding.GainText(), finding.evidence, finding.advice});
  }
  if (!triage.has_severity_order()) blocks.push_back(Paragraph{std::string(kOrderOfFindings), ParagraphKind::kNote});
  if (triage.further_findings > 0)
    blocks.push_back(Paragraph{fmt::format("{} smaller findings are not shown.", triage.further_findings)});
  AppendNotEvaluated(triage, blocks);
}

void AppendRows(const std::vector<SectionRow>& rows, std::string title, size_t most, std::vector<Block>& blocks) {
  if (rows.empty()) return;
  Table table;
  table.title = std::move(title);
  Column value = TextColumn("value", "Value");
  value.align = Align::kRight;
  table.columns = {NameColumn("label", "Metric"), std::move(value), TextColumn("unit", "Unit")};
  for (size_t i = 0; i < std::min(rows.size(), most); ++i) {
    PrintedValue printed = PrintRow(rows[i]);
    table.rows.push_back({rows[i].label, std::move(printed.value), TextOrAbsent(printed.unit)});
  }
  if (rows.size() > most) table.footnote = fmt::format("{} smaller rows: --json has all.", rows.size() - most);
  blocks.push_back(std::move(table));
}

void AppendSectionTable(const SectionTable& section, std::vector<Block>& blocks) {
  Table table;
  table.title = section.title;
  table.columns = {TextColumn("label", "")};
  for (const std::string& name : section.columns) {
    Column column = TextColumn(name, name);
    column.align = Align::kRight;
    table.columns.push_back(std::move(column));
  }
  for (const SectionTable::Row& row : section.rows) {
    Row cells = {row.label};
    for (const SectionRow& cell : row.cells) {
      const PrintedValue printed = PrintRow(cell);
      const bool has_scaled_unit = printed.unit.find("byte") != std::string::npos || printed.unit == "%";
      cells.push_back(
          TextOrAbsent(has_scaled_unit && !printed.value.empty() ? printed.value + " " + printed.unit : printed.value));
    }
    table.rows.push_back(std::move(cells));
  }
  blocks.push_back(std::move(table));
}

nlohmann::ordered_json DevicesData(const CounterReport& report) {
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const CounterDevice& device : report.devices()) devices.push_back({{"id", device.id}, {"name", device.name}});
  return devices;
}

}  // namespace

void AppendCountersSummary(const CounterReport& report, const std::vector<const ProfiledKernel*>& kernels,
                           std::vector<Block>& blocks) {
  blocks.push_back(SummaryTable(report, {kernels, false, false, {}}));
}

void AppendTimesNotCompared(std::vector<Block>& blocks) {
  blocks.push_back(
      Paragraph{"Whether the counters are those of the program's own run was not judged: warpsight report TIMELINE "
                "REPORT compares the profiled times with unprofiled ones.",
                ParagraphKind::kNote});
}

void AppendSectionBlocks(const std::vector<SectionResult>& sections, int level, std::vector<Block>& blocks) {
  for (const SectionResult& section : sections) {
    blocks.push_back(Heading{section.title, level});
    AppendRows(section.rows, "", section.rows.size(), blocks);
    for (const SectionList& list : section.lists) AppendRows(list.rows, list.title, kShownListRows, blocks);
    for (const SectionTable& table : section.tables) AppendSectionTable(table, blocks);
  }
}

void AppendKernelFacts(const CounterReport& report, const ProfiledKernel& kernel, const Triage& triage,
                       std::vector<Block>& blocks) {
  KeyValues launch;
  launch.pairs = {{"Grid x block", ExtentText(kernel.grid) + " x " + ExtentText(kernel.block)},
                  {"Device, context, stream", fmt::format("{}, {}, {}", kernel.device, kernel.context, kernel.stream)}};
  if (const std::string capability = CapabilityText(ComputeCapability(report, kernel)); !capability.empty())
    launch.pairs.push_back({"Compute capability", capability});
  for (const OpenRanges& open : kernel.ranges) {
    std::string names;
    for (const std::string_view name : open.names) names += (names.empty() ? "" : " > ") + std::string(name);
    launch.pairs.push_back({"Ranges", std::move(names)});
  }
  blocks.push_back(std::move(launch));
  blocks.push_back(Paragraph{triage.verdict, ParagraphKind::kVerdict});
  AppendFindings(triage, blocks);
}

Document MakeCountersDocument(const CounterReport& report, const CountersDocumentOptions& options) {
  const UnitContext units = MakeUnitContext(report);
  Document document;
  document.verb = "counters";
  document.data["producer"] = "Nsight Compute";
  document.data["version"] = TextOrNull(report.session().tool_version());
  document.data["devices"] = DevicesData(report);
  document.data["note"] = NotProductionTimes(report);
  document.data["kernels"] = nlohmann::ordered_json::array();
  document.blocks.push_back(SummaryTable(report, options));
  for (const ProfiledKernel* kernel : options.kernels) {
    const Triage triage = TriageKernel(report, *kernel, GivenOfReport(report, *kernel, options.read_code));
    const std::vector<SectionResult> sections = MakeSections(report, *kernel, units);
    document.data["kernels"].push_back(CounterKernelData(report, *kernel, units, triage, sections));
    const std::string name = options.full_names ? std::string(kernel->full_name) : ShortKernelName(kernel->full_name);
    document.blocks.push_back(Heading{fmt::format("{}: {}", kernel->id, name)});
    AppendKernelFacts(report, *kernel, triage, document.blocks);
    if (options.sections) AppendSectionBlocks(sections, 2, document.blocks);
  }
  AppendTimesNotCompared(document.blocks);
  return document;
}

Document MakeRawPageDocument(const CounterReport& report, const std::vector<const ProfiledKernel*>& kernels) {
  RawPage page = MakeRawPage(report);
  std::set<int64_t> chosen;
  for (const ProfiledKernel* kernel : kernels) chosen.insert(kernel->id);
  Table table;
  for (const std::string& name : page.columns) table.columns.push_back(TextColumn(name, name));
  const auto add = [&](std::vector<std::string>& texts) {
    Row row;
    for (std::string& text : texts) row.emplace_back(std::move(text));
    table.rows.push_back(std::move(row));
  };
  add(page.units);
  for (size_t i = 0; i < page.rows.size(); ++i) {
    if (chosen.contains(report.kernels()[i].id)) add(page.rows[i]);
  }
  Document document;
  document.verb = "counters";
  document.blocks.push_back(std::move(table));
  return document;
}

}  // namespace warpsight
