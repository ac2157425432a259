#include "analysis/counters/counters_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "analysis/counters/counter_roofline_document.h"
#include "analysis/counters/counter_rooflines.h"
#include "analysis/counters/counter_sections.h"
#include "analysis/counters/counters_document.h"
#include "analysis/counters/memory_chart.h"
#include "analysis/counters/occupancy.h"
#include "analysis/counters/stall_reasons.h"
#include "analysis/counters/triage.h"
#include "analysis/explain/term_notes.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr size_t kMostKernelsWithTables = 16;
constexpr size_t kMostKernelsWithCharts = 60;
constexpr double kLeastStallShare = 0.005;
constexpr size_t kMostPipeBars = 8;
// Colours by what a bar is.
constexpr size_t kComputeColour = 0;
constexpr size_t kMemoryColour = 1;
constexpr size_t kOccupancyColour = 2;
constexpr size_t kIssuingColour = 5;

struct SpeedBar {
  const char* label;
  size_t colour;
  std::vector<std::string_view> metrics;  // the first one that is present
};

const std::vector<SpeedBar>& SpeedBars() {
  static const std::vector<SpeedBar>& bars = *new std::vector<SpeedBar>{
      {"Compute (SM)", kComputeColour, {"sm__throughput.avg.pct_of_peak_sustained_elapsed"}},
      {"Memory", kMemoryColour, {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"}},
      {"L1/TEX", kMemoryColour, {"l1tex__throughput.avg.pct_of_peak_sustained_active"}},
      {"L2", kMemoryColour, {"lts__throughput.avg.pct_of_peak_sustained_elapsed"}},
      {"DRAM",
       kMemoryColour,
       {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "dram__throughput.avg.pct_of_peak_sustained_elapsed"}}};
  return bars;
}

void AppendSpeedOfLight(const CounterReport& report, const ProfiledKernel& kernel, std::vector<Block>& blocks) {
  ShareChart chart;
  chart.title = "Speed of light: share of each unit's peak";
  for (const SpeedBar& bar : SpeedBars()) {
    for (const std::string_view metric : bar.metrics) {
      const std::optional<double> percent = report.Number(kernel, metric);
      if (!percent) continue;
      chart.bars.push_back({bar.label, *percent / 100, FormatShare(*percent / 100), bar.colour, ""});
      break;
    }
  }
  if (!chart.bars.empty()) blocks.push_back(std::move(chart));
}

void AppendStalls(const CounterReport& report, const ProfiledKernel& kernel, std::vector<Block>& blocks) {
  ShareChart chart;
  chart.title = "Where the cycles of a warp go, between two of its instructions";
  chart.of_largest = true;
  double all = 0;
  for (const StallReason& reason : AllStallReasons()) {
    const std::optional<double> cycles =
        report.Number(kernel, "smsp__average_warps_issue_stalled_" + reason.id + "_per_issue_active.ratio");
    if (!cycles) continue;
    all += *cycles;
    chart.bars.push_back({reason.name, *cycles, "", reason.is_stall ? kMemoryColour : kIssuingColour,
                          fmt::format("{}, {} cycles", reason.id, FormatNumber(*cycles))});
  }
  if (all <= 0) return;
  for (ShareBar& bar : chart.bars) {
    bar.share /= all;
    bar.value = FormatShare(bar.share);
  }
  std::erase_if(chart.bars, [](const ShareBar& bar) { return bar.share < kLeastStallShare; });
  std::ranges::stable_sort(chart.bars, [](const ShareBar& a, const ShareBar& b) { return a.share > b.share; });
  if (const std::optional<double> issue = report.Number(kernel, "smsp__issue_active.avg.per_cycle_active")) {
    chart.caption =
        fmt::format("The schedulers issue {} instructions a cycle each: stalls only matter when that is well below 1.",
                    FormatNumber(*issue));
  }
  blocks.push_back(std::move(chart));
}

void AppendPipes(const std::vector<SectionResult>& sections, std::vector<Block>& blocks) {
  for (const SectionResult& section : sections) {
    if (section.id != "compute" || section.lists.empty()) continue;
    ShareChart chart;
    chart.title = "Pipes: share of their peak";
    for (const SectionRow& row : section.lists.front().rows) {
      const double share = NumberOf(row.value).value_or(0) / 100;
      if (share > 0 && chart.bars.size() < kMostPipeBars)
        chart.bars.push_back({row.label, share, FormatShare(share), kComputeColour, ""});
    }
    if (!chart.bars.empty()) blocks.push_back(std::move(chart));
  }
}

void AppendOccupancy(const CounterReport& report, const ProfiledKernel& kernel, std::vector<Block>& blocks) {
  ShareChart chart;
  chart.title = "Occupancy: share of the warps that an SM can hold";
  const std::optional<Occupancy> occupancy = ComputeOccupancy(report, kernel);
  const std::optional<double> theoretical = report.Number(kernel, "sm__maximum_warps_per_active_cycle_pct");
  const std::optional<double> achieved = report.Number(kernel, "sm__warps_active.avg.pct_of_peak_sustained_active");
  const std::optional<double> fits = occupancy     ? std::optional(occupancy->share)
                                     : theoretical ? std::optional(*theoretical / 100)
                                                   : std::nullopt;
  if (fits) chart.bars.push_back({"Fits (theoretical)", *fits, FormatShare(*fits), kOccupancyColour, ""});
  if (achieved) chart.bars.push_back({"Achieved", *achieved / 100, FormatShare(*achieved / 100), kOccupancyColour, ""});
  if (chart.bars.empty()) return;
  if (occupancy) {
    std::string limiters;
    for (const std::string& limiter : occupancy->limiters) limiters += (limiters.empty() ? "" : " and ") + limiter;
    chart.caption =
        fmt::format("Blocks an SM can hold by registers: {}, shared memory: {}, warps: {}, blocks: {}. Limited by {}.",
                    occupancy->limit_registers, occupancy->limit_shared_memory, occupancy->limit_warps,
                    occupancy->limit_blocks, limiters);
  }
  blocks.push_back(std::move(chart));
}

void AppendCharts(const CounterReport& report, const ProfiledKernel& kernel, const std::vector<SectionResult>& sections,
                  std::vector<Block>& blocks) {
  AppendSpeedOfLight(report, kernel, blocks);
  if (std::optional<FlowChart> memory = MakeMemoryChart(report, kernel)) blocks.push_back(*std::move(memory));
  AppendStalls(report, kernel, blocks);
  AppendPipes(sections, blocks);
  if (std::optional<Scatter> chart = CounterRooflineChart(MakeCounterRoofline(report, kernel)))
    blocks.push_back(*std::move(chart));
  AppendOccupancy(report, kernel, blocks);
}

// Those with most time, by their numbers.
std::set<int64_t> Longest(const CounterReport& report, std::vector<const ProfiledKernel*> kernels, size_t count) {
  const auto duration = [&](const ProfiledKernel* kernel) {
    return report.Number(*kernel, "gpu__time_duration.sum").value_or(0);
  };
  std::ranges::stable_sort(kernels,
                           [&](const ProfiledKernel* a, const ProfiledKernel* b) { return duration(a) > duration(b); });
  kernels.resize(std::min(kernels.size(), count));
  std::set<int64_t> longest;
  for (const ProfiledKernel* kernel : kernels) longest.insert(kernel->id);
  return longest;
}

// What a finding is stands under the first one of its id: a page of many kernels has the same ones again and again.
class ExplainedFindings {
 public:
  // `blocks` hold the triage's findings in their order.
  void NoteFindings(const Triage& triage, std::span<Block> blocks) {
    auto finding = triage.findings.begin();
    for (Block& block : blocks) {
      auto* const shown = std::get_if<FindingBlock>(&block);
      if (shown == nullptr || finding == triage.findings.end()) continue;
      if (ids_.insert(finding->id).second) shown->terms = NotesOfFinding(TermGroup::kCounterFinding, finding->id);
      if (finding->gain_share) {
        gains_.Add(TermGroup::kWord, finding->of_whole_kernel ? "est. speedup" : "est. local speedup");
        std::ranges::move(gains_.Take(), std::back_inserter(shown->terms));
      }
      ++finding;
    }
  }

 private:
  std::set<std::string> ids_;
  SectionNotes gains_;  // each word once
};

}  // namespace

void AppendKernelCharts(const CounterReport& report, const ProfiledKernel& kernel, std::vector<Block>& blocks) {
  AppendCharts(report, kernel, MakeSections(report, kernel, MakeUnitContext(report)), blocks);
}

Document MakeCountersPage(const CounterReport& report, const std::vector<const ProfiledKernel*>& kernels,
                          const CodeReader& read_code) {
  const UnitContext units = MakeUnitContext(report);
  const std::set<int64_t> with_tables = Longest(report, kernels, kMostKernelsWithTables);
  const std::set<int64_t> with_charts = Longest(report, kernels, kMostKernelsWithCharts);
  Document page;
  page.verb = "counters";
  AppendCountersSummary(report, kernels, page.blocks);
  if (kernels.size() > kMostKernelsWithTables) {
    page.blocks.push_back(Paragraph{
        fmt::format(
            "Section tables are here for the {} kernels with most time, charts for {}: warpsight counters --id N has "
            "those of every kernel.",
            kMostKernelsWithTables, std::min(kernels.size(), kMostKernelsWithCharts)),
        ParagraphKind::kNote});
  }
  ExplainedFindings explained;
  for (const ProfiledKernel* kernel : kernels) {
    const Triage triage = TriageKernel(report, *kernel, GivenOfReport(report, *kernel, read_code));
    page.blocks.push_back(Heading{fmt::format("{}: {}", kernel->id, ShortKernelName(kernel->full_name))});
    // The heading is short; here is the whole name.
    page.blocks.push_back(Paragraph{std::string(kernel->full_name)});
    const size_t facts = page.blocks.size();
    AppendKernelFacts(report, *kernel, triage, page.blocks);
    explained.NoteFindings(triage, std::span(page.blocks).subspan(facts));
    if (!with_charts.contains(kernel->id)) continue;
    const std::vector<SectionResult> sections = MakeSections(report, *kernel, units);
    AppendCharts(report, *kernel, sections, page.blocks);
    if (!with_tables.contains(kernel->id)) continue;
    page.blocks.push_back(Heading{"Roofs", 3});
    page.blocks.push_back(CounterRoofsTable(MakeCounterRoofline(report, *kernel)));
    AppendSectionBlocks(sections, 3, page.blocks);
  }
  AppendTimesNotCompared(page.blocks);
  return page;
}

}  // namespace warpsight
