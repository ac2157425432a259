#include "analysis/counters/joined_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/counters/counters_json.h"
#include "analysis/counters/counters_page.h"
#include "analysis/counters/run_conditions.h"
#include "analysis/counters/triage.h"
#include "analysis/thresholds.h"
#include "counters/raw_page.h"
#include "document/absent.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostUnmatchedRows = 20;
constexpr size_t kMostDetailedKernels = 5;
std::string TimesOfTheTimeline(const JoinedCounters& joined) {
  std::vector<const CounterReport*> reports;
  for (const JoinedKernel& kernel : joined.matched) {
    for (const ProfiledLaunch& launch : kernel.launches) reports.push_back(launch.report);
  }
  for (const UnmatchedCounters& one : joined.unmatched) reports.push_back(one.launch.report);
  std::ranges::sort(reports);
  reports.erase(std::unique(reports.begin(), reports.end()), reports.end());
  return fmt::format(
      "Times are the timeline's. Those of a counter report are not production times (the profiler runs a kernel alone, many "
      "times over, {}) and are not shown here.",
      RunConditions(reports));
}

std::string_view MatchWord(NameMatch match) {
  switch (match) {
    case NameMatch::kExact:
      return "name";
    case NameMatch::kComparable:
      return "normalised name";
    case NameMatch::kFunction:
      break;
  }
  return "function name";
}

std::string MatchText(const JoinedKernel& kernel) {
  return fmt::format("{}{}", MatchWord(kernel.match),
                     kernel.has_launch ? ", grid and block" : " alone: one of the files has no grid and block");
}

std::optional<double> PeakShare(const ProfiledLaunch& launch, std::string_view metric) {
  const std::optional<double> percent = launch.report->Number(*launch.kernel, metric);
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

struct SpeedOfLight {
  std::optional<double> compute;
  std::optional<double> memory;
  std::optional<double> dram;
  std::optional<double> l2;
  std::optional<double> l1;
  std::optional<double> occupancy;
};

SpeedOfLight SpeedOfLightOf(const ProfiledLaunch& launch) {
  SpeedOfLight shares;
  shares.compute = PeakShare(launch, "sm__throughput.avg.pct_of_peak_sustained_elapsed");
  shares.memory = PeakShare(launch, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
  shares.dram = PeakShare(launch, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
  if (!shares.dram) shares.dram = PeakShare(launch, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
  shares.l2 = PeakShare(launch, "lts__throughput.avg.pct_of_peak_sustained_elapsed");
  shares.l1 = PeakShare(launch, "l1tex__throughput.avg.pct_of_peak_sustained_active");
  shares.occupancy = PeakShare(launch, "sm__warps_active.avg.pct_of_peak_sustained_active");
  return shares;
}

// "memory bound: bank conflicts": the ids of verdict and first finding as words, which fit a row of a table.
std::string RemarkOf(const Triage& triage) {
  if (triage.verdict_id.empty()) return "not judged: metrics are missing";
  std::string words = triage.verdict_id;
  const TriageFinding* const headline = triage.headline();
  if (headline != nullptr && headline->id != triage.verdict_id) words += ": " + headline->id;
  std::ranges::replace(words, '_', ' ');
  return words;
}

// What collects the counters of a kernel. The program's own command line is not in a timeline.
std::string NcuCommand(const MissingCounters& missing) {
  return fmt::format("ncu --set full --import-source yes {} --launch-skip {} --launch-count {} -o counters COMMAND",
                     missing.filter, missing.launch_skip, missing.launch_count);
}
std::string WarpsightCommand(const MissingCounters& missing) {
  return fmt::format("warpsight profile {} --launch-skip {} --launch-count {} -o counters.ncu-rep -- COMMAND",
                     missing.filter, missing.launch_skip, missing.launch_count);
}

ordered_json MissingData(const MissingCounters& missing) {
  const auto given = [&](auto value) { return missing.not_profiled.empty() ? ordered_json(value) : ordered_json(); };
  return {{"kernel", missing.name},
          {"calls", missing.calls},
          {"gpu_ns", missing.gpu_ns},
          {"gpu_share", missing.gpu_share},
          {"launch_skip", given(missing.launch_skip)},
          {"launch_count", given(missing.launch_count)},
          {"launch_skip_from_first_step", OrNull(missing.launch_skip_from_first_step)},
          {"other_kernels", given(missing.other_kernels)},
          {"not_profiled", TextOrNull(missing.not_profiled)},
          {"command", given(WarpsightCommand(missing))},
          {"ncu_command", given(NcuCommand(missing))}};
}

Table MatchedTable(const JoinedCounters& joined, size_t rows, bool full_names) {
  Table table;
  table.title = "Kernels with counters";
  table.columns = {full_names ? NameColumn("kernel", "Kernel") : KernelNameColumn("kernel", "Kernel"),
                   Hideable(TextColumn("grid", "Grid")),
                   Hideable(TextColumn("block", "Block")),
                   Hideable(CountColumn("calls", "Calls")),
                   DurationColumn("gpu_ns", "GPU time"),
                   ShareColumn("gpu_share", "GPU share"),
                   Hideable(ShareColumn("compute_share", "Compute")),
                   Hideable(ShareColumn("memory_share", "Memory")),
                   TextColumn("why", "Why it is slow")};
  for (size_t i = 0; i < std::min(rows, joined.matched.size()); ++i) {
    const JoinedKernel& kernel = joined.matched[i];
    const ProfiledLaunch& launch = kernel.launches.front();
    const SpeedOfLight shares = SpeedOfLightOf(launch);
    table.rows.push_back({std::string(kernel.name), ExtentText(launch.kernel->grid), ExtentText(launch.kernel->block),
                          kernel.calls, kernel.gpu_ns, kernel.gpu_share, OrAbsent(shares.compute), OrAbsent(shares.memory),
                          RemarkOf(kernel.triage)});
  }
  if (joined.matched.size() > rows)
    table.footnote = fmt::format("{} more kernels with counters: --json has all. ", joined.matched.size() - rows);
  table.footnote += TimesOfTheTimeline(joined);
  return table;
}

// The kernel's findings as one: its verdict, what was found, and the advice for the first.
FindingBlock DetailsOf(const JoinedKernel& kernel, int number) {
  const ProfiledLaunch& launch = kernel.launches.front();
  const Triage& triage = kernel.triage;
  FindingBlock block;
  block.number = number;
  block.title =
      fmt::format("{} ({} of GPU time): {}", ShortKernelName(kernel.name), FormatShare(kernel.gpu_share), triage.brief);
  for (const TriageFinding& finding : triage.findings) {
    if (&finding == &triage.findings.front()) {
      block.severity = finding.severity;
      block.advice = finding.advice;
      block.gain = finding.GainText();
      block.evidence.push_back(finding.title);
      block.evidence.insert(block.evidence.end(), finding.evidence.begin(), finding.evidence.end());
    } else {
      block.evidence.push_back("also: " + finding.title);
    }
  }
  block.evidence.push_back(
      fmt::format("{}, kernel {}: matched by {}", launch.report->session().file, launch.kernel->id, MatchText(kernel)));
  return block;
}

std::string LaunchesOf(const JoinedCounters& joined, const MissingCounters& missing) {
  const std::string where = joined.step.empty() ? "the window" : joined.step;
  return fmt::format("{} of {} after the first {}", FormatCount(missing.launch_count), where,
                     FormatCount(missing.launch_skip));
}

void AddMissing(const JoinedCounters& joined, std::vector<Block>& blocks) {
  if (joined.missing.empty()) return;
  blocks.push_back(Heading{"Kernels that matter and have no counters", 2});
  bool has_command = false;
  for (const MissingCounters& missing : joined.missing) {
    const std::string what = fmt::format("{}: {} of GPU time ({})", ShortKernelName(missing.name),
                                         FormatShare(missing.gpu_share), FormatDuration(missing.gpu_ns));
    if (!missing.not_profiled.empty()) {
      blocks.push_back(Paragraph{what + "; not to be profiled: " + missing.not_profiled});
      continue;
    }
    has_command = true;
    blocks.push_back(Paragraph{fmt::format("{}; launches to profile: {}{}", what, LaunchesOf(joined, missing),
                                           missing.other_kernels > 0 ? " (other kernels have the same words in their names "
                                                                       "and are counted too)"
                                                                     : "")});
    blocks.push_back(CommandBlock{NcuCommand(missing)});
    blocks.push_back(CommandBlock{WarpsightCommand(missing)});
    if (missing.launch_skip_from_first_step) {
      blocks.push_back(Paragraph{
          fmt::format("With the steps before the recording ({}), if each launched as many: --launch-skip {} ({} + {} x {}).",
                      FormatCount(joined.steps_before), *missing.launch_skip_from_first_step, missing.launch_skip,
                      joined.steps_before, missing.launches_of_step)});
    }
  }
  if (!has_command) return;
  std::string note =
      "Launches are counted from the start of the recording: what the program launches before it (warm-up) is to be added "
      "to --launch-skip.";
  if (joined.steps_before > 0) {
    note += fmt::format(" By their numbers {} steps ran before the first recorded one.", FormatCount(joined.steps_before));
  }
  blocks.push_back(Paragraph{std::move(note), ParagraphKind::kNote});
}

void AddUnmatched(const JoinedCounters& joined, bool full_names, std::vector<Block>& blocks) {
  if (joined.unmatched.empty()) return;
  Table table;
  table.title = "Counters that belong to no kernel of the timeline";
  table.columns = {NameColumn("report", "Report"),
                   CountColumn("id", "ID"),
                   full_names ? NameColumn("kernel", "Kernel") : KernelNameColumn("kernel", "Kernel"),
                   Hideable(TextColumn("grid", "Grid")),
                   Hideable(TextColumn("block", "Block")),
                   NameColumn("reason", "Why")};
  for (size_t i = 0; i < std::min(kMostUnmatchedRows, joined.unmatched.size()); ++i) {
    const auto& [launch, reason] = joined.unmatched[i];
    table.rows.push_back({launch.report->session().file, launch.kernel->id, std::string(launch.kernel->full_name),
                          ExtentText(launch.kernel->grid), ExtentText(launch.kernel->block), reason});
  }
  if (joined.unmatched.size() > kMostUnmatchedRows)
    table.footnote = fmt::format("{} more: --json has all.", joined.unmatched.size() - kMostUnmatchedRows);
  blocks.push_back(std::move(table));
}

}  // namespace

nlohmann::ordered_json JoinedKernelData(const JoinedKernel& kernel) {
  const ProfiledLaunch& launch = kernel.launches.front();
  const Triage& triage = kernel.triage;
  const SpeedOfLight shares = SpeedOfLightOf(launch);
  const std::optional<double> duration = launch.report->Number(*launch.kernel, "gpu__time_duration.sum");
  ordered_json data = {{"kernel", kernel.name},
                       {"grid", kernel.has_launch ? kernel.grid : launch.kernel->grid},
                       {"block", kernel.has_launch ? kernel.block : launch.kernel->block},
                       {"calls", kernel.calls},
                       {"gpu_ns", kernel.gpu_ns},
                       {"gpu_share", kernel.gpu_share},
                       {"report", launch.report->session().file},
                       {"id", launch.kernel->id}};
  data["launches"] = ordered_json::array();
  for (const ProfiledLaunch& one : kernel.launches)
    data["launches"].push_back({{"report", one.report->session().file}, {"id", one.kernel->id}});
  data["profiled_name"] = launch.kernel->full_name;
  data["matched_by"] = MatchText(kernel);
  data["mean_ns"] = kernel.mean_ns ? ordered_json(std::llround(*kernel.mean_ns)) : ordered_json();
  // Not a production time: see the note.
  data["profiled_ns"] = duration ? ordered_json(std::llround(*duration)) : ordered_json();
  data["speed_of_light"] = {{"compute_share", OrNull(shares.compute)}, {"memory_share", OrNull(shares.memory)},
                            {"dram_share", OrNull(shares.dram)},       {"l2_share", OrNull(shares.l2)},
                            {"l1_share", OrNull(shares.l1)},           {"occupancy_share", OrNull(shares.occupancy)}};
  data["why"] = RemarkOf(triage);
  data["verdict"] = triage.verdict;
  data["verdict_id"] = TextOrNull(triage.verdict_id);
  data["findings"] = TriageFindingsData(triage);
  data["not_evaluated"] = NotEvaluatedData(triage);
  return data;
}

ordered_json JoinedCountersData(const JoinedCounters& joined) {
  ordered_json data = {{"note", TimesOfTheTimeline(joined)},
                       {"step", TextOrNull(joined.step)},
                       {"steps_before_recording", joined.steps_before},
                       {"missing_share", ThresholdShare("joined_missing_share")}};
  for (const char* list : {"matched", "unmatched_counters", "missing"}) data[list] = ordered_json::array();
  for (const JoinedKernel& kernel : joined.matched) data["matched"].push_back(JoinedKernelData(kernel));
  for (const auto& [launch, reason] : joined.unmatched) {
    data["unmatched_counters"].push_back({{"kernel", launch.kernel->full_name},
                                          {"grid", launch.kernel->grid},
                                          {"block", launch.kernel->block},
                                          {"report", launch.report->session().file},
                                          {"id", launch.kernel->id},
                                          {"reason", reason}});
  }
  for (const MissingCounters& missing : joined.missing) data["missing"].push_back(MissingData(missing));
  return data;
}

std::vector<Block> JoinedCountersBlocks(const JoinedCounters& joined, const JoinedDocumentOptions& options) {
  std::vector<Block> blocks;
  if (joined.matched.empty()) {
    blocks.push_back(Paragraph{"none of the profiled kernels is in the timeline", ParagraphKind::kWarning});
  } else {
    blocks.push_back(MatchedTable(joined, options.rows, options.full_names));
  }
  const double least = ThresholdShare("joined_missing_share");
  for (size_t i = 0; i < std::min(kMostDetailedKernels, joined.matched.size()); ++i) {
    if (i > 0 && joined.matched[i].gpu_share < least) break;
    blocks.push_back(DetailsOf(joined.matched[i], static_cast<int>(i) + 1));
    const ProfiledLaunch& launch = joined.matched[i].launches.front();
    if (options.charts) AppendKernelCharts(*launch.report, *launch.kernel, blocks);
  }
  AddMissing(joined, blocks);
  AddUnmatched(joined, options.full_names, blocks);
  return blocks;
}

std::map<std::string_view, std::string> CounterRemarks(const JoinedCounters& joined) {
  std::map<std::string_view, std::string> remarks;
  // Of several forms of a kernel that with most time speaks.
  for (const JoinedKernel& kernel : joined.matched) {
    if (!remarks.contains(kernel.name)) remarks[kernel.name] = RemarkOf(kernel.triage);
  }
  for (const MissingCounters& missing : joined.missing)
    remarks.try_emplace(missing.name, missing.not_profiled.empty() ? "no counters" : "not to be profiled");
  return remarks;
}

}  // namespace warpsight
