#include "diagnosis/report_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/counters/joined_document.h"
#include "analysis/idle_document.h"
#include "analysis/info_document.h"
#include "analysis/kernels_document.h"
#include "analysis/lint_document.h"
#include "analysis/ops_document.h"
#include "analysis/parts_document.h"
#include "analysis/roofline_document.h"
#include "analysis/step_strip.h"
#include "analysis/steps_document.h"
#include "diagnosis/communication_section.h"
#include "diagnosis/device_state.h"
#include "diagnosis/diagnose.h"
#include "diagnosis/expectation_section.h"
#include "diagnosis/finding_places.h"
#include "diagnosis/frame_work.h"
#include "diagnosis/reconciliation.h"
#include "diagnosis/report_charts.h"
#include "diagnosis/report_facts.h"
#include "diagnosis/report_record.h"
#include "diagnosis/report_terms.h"
#include "diagnosis/step_calls.h"
#include "diagnosis/verdict.h"
#include "diagnosis/what_ifs.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

ordered_json PlacesJson(Analysis& analysis, const Finding& finding) {
  ordered_json places = ordered_json::array();
  for (const FindingPlace& place : PlacesOf(analysis, finding))
    places.push_back({{"start_ns", place.time.start}, {"end_ns", place.time.end}, {"what", place.what}});
  return places;
}

ordered_json FindingsJson(Analysis& analysis, const std::vector<Finding>& findings) {
  ordered_json rows = ordered_json::array();
  for (const Finding& finding : findings) {
    rows.push_back({{"id", finding.id},
                    {"title", finding.title},
                    {"severity", SeverityName(finding.severity)},
                    {"evidence", finding.evidence},
                    {"gain_ns", finding.gain_ns ? ordered_json(*finding.gain_ns) : ordered_json()},
                    {"advice", finding.advice},
                    {"places", PlacesJson(analysis, finding)}});
  }
  return rows;
}

// "up to 47.72 of 49.99 ms a step".
std::string GainText(const Finding& finding, const Diagnosis& diagnosis, bool has_steps) {
  if (!finding.gain_ns) return "";
  return fmt::format("up to {} of {}{}", FormatDuration(*finding.gain_ns), FormatDuration(diagnosis.step_ns),
                     has_steps ? " a step" : "");
}

// One line a reason, however many rules share it.
void AddNotEvaluated(const Diagnosis& diagnosis, Document& report) {
  std::vector<std::pair<std::string, std::string>> by_reason;  // reason, rules
  for (const NotEvaluated& rule : diagnosis.not_evaluated) {
    const auto known = std::ranges::find(by_reason, rule.reason, &std::pair<std::string, std::string>::first);
    if (known == by_reason.end()) {
      by_reason.emplace_back(rule.reason, rule.rule);
    } else {
      known->second += fmt::format(", {}", rule.rule);
    }
  }
  for (const auto& [reason, rules] : by_reason) {
    report.blocks.push_back(Paragraph{fmt::format("{}: not evaluated: {}", rules, reason), ParagraphKind::kNote});
  }
}

void AddFindings(const Diagnosis& diagnosis, bool has_steps, Document& report) {
  report.blocks.push_back(Heading{"Findings"});
  int number = 0;
  int with_gain = 0;
  for (const Finding& finding : diagnosis.findings) {
    FindingBlock block;
    block.number = ++number;
    block.severity = finding.severity;
    block.title = finding.title;
    block.gain = GainText(finding, diagnosis, has_steps);
    block.evidence = finding.evidence;
    block.advice = finding.advice;
    with_gain += finding.gain_ns ? 1 : 0;
    report.blocks.push_back(std::move(block));
  }
  if (diagnosis.findings.empty()) report.blocks.push_back(Paragraph{"none of the patterns that are known here was found"});
  if (with_gain > 1) {
    report.blocks.push_back(Paragraph{fmt::format("All findings together: at most {} of {}{}. No time is counted twice.",
                                                  FormatDuration(diagnosis.all_gains_ns), FormatDuration(diagnosis.step_ns),
                                                  has_steps ? " a step" : "")});
  }
  AddNotEvaluated(diagnosis, report);
}

ordered_json WhatIfsJson(const std::vector<WhatIf>& what_ifs) {
  ordered_json rows = ordered_json::array();
  for (const WhatIf& one : what_ifs) {
    rows.push_back(
        {{"id", one.id}, {"what", one.what}, {"from_ns", one.from_ns}, {"step_ns", one.step_ns}, {"gain_ns", one.gain_ns}});
  }
  return rows;
}

void AddWhatIfs(const std::vector<WhatIf>& what_ifs, bool has_steps, Document& report) {
  if (what_ifs.empty()) return;
  report.blocks.push_back(Heading{"What if"});
  Table table;
  table.columns = {TextColumn("what", "What"), DurationColumn("from_ns", "From"), DurationColumn("step_ns", "To"),
                   DurationColumn("gain_ns", "Gain")};
  for (const WhatIf& one : what_ifs) table.rows.push_back({one.what, one.from_ns, one.step_ns, one.gain_ns});
  table.footnote = fmt::format(
      "Each for itself, at most: these times overlap and are not to be added. From the {}, or from its busy time for what "
      "shortens kernels.",
      has_steps ? "step" : "window");
  report.blocks.push_back(std::move(table));
}

ordered_json MeasuredJson(const Reconciliation& measured) {
  return {{"measured_step_ns", measured.measured_ns},
          {"profiled_step_ns", measured.profiled_ns},
          {"inflation_ratio", measured.inflation},
          {"busy_ns", measured.busy_ns},
          {"idle_ns", measured.contradiction ? ordered_json(nullptr) : ordered_json(measured.idle_ns())},
          {"contradiction", measured.contradiction},
          {"text", measured.Text()}};
}

// What the user's timer says, beside the recording.
void AddMeasuredStep(Analysis& analysis, Document& report) {
  if (!analysis.given().measured_step_ns) return;
  const Result<Reconciliation>& measured = analysis.Get<ReconciliationPass>();
  report.data["measured_step"] = measured.ok() ? MeasuredJson(*measured) : ordered_json(nullptr);
  if (!measured.ok()) {
    report.blocks.push_back(Paragraph{measured.status().message(), ParagraphKind::kWarning});
    return;
  }
  report.blocks.push_back(Paragraph{"measured step: " + measured->Text(),
                                    measured->contradiction ? ParagraphKind::kWarning : ParagraphKind::kPlain});
}

// The other verbs' text under a heading of the report, their JSON under the verb's name.
void Embed(Document part, std::string heading, Document& report) {
  report.data[part.verb] = std::move(part.data);
  report.blocks.push_back(Heading{std::move(heading)});
  for (Block& block : part.blocks) {
    if (!std::holds_alternative<Heading>(block)) report.blocks.push_back(std::move(block));
  }
}

template <typename Pass>
void Ask(Analysis& analysis) {
  (void)analysis.Get<Pass>();
}

// The passes that take most of a report's time, those of the host first, those of the GPU's work last: the two sides need
// little of one another but the steps. One thread takes them from the front, one from the back, until they meet. None asks
// the ranks that were given, whose Analyses both threads would share.
constexpr void (*kLongPasses[])(Analysis&) = {Ask<IdlePass>,      Ask<KeyAveragesPass>, Ask<LintPass>,    Ask<StepCallsPass>,
                                              Ask<FrameWorkPass>, Ask<RooflinePass>,    Ask<KernelsPass>, Ask<PartsPass>};

// What a report says first, and the passes behind it.
struct Answers {
  std::string verdict;
  Diagnosis diagnosis;
};

Answers Answer(Analysis& analysis) {
  (void)analysis.Get<StepsPass>();
  std::atomic<size_t> taken{0};
  analysis.Share(2, [&](Analysis& own, int worker) {
    const bool front = worker == 0;
    size_t next = front ? 0 : std::size(kLongPasses) - 1;
    while (taken++ < std::size(kLongPasses)) kLongPasses[front ? next++ : next--](own);
  });
  Answers answers;
  answers.verdict = Verdict(analysis);
  answers.diagnosis = Diagnose(analysis);
  return answers;
}

template <typename Pass, typename Make>
void EmbedPass(Analysis& analysis, const std::string& verb, std::string heading, const Make& make, Document& report) {
  const Result<typename Pass::Output>& result = analysis.Get<Pass>();
  if (result.ok()) return Embed(make(*result), std::move(heading), report);
  report.data[verb] = nullptr;
  report.blocks.push_back(Heading{std::move(heading)});
  report.blocks.push_back(Paragraph{"not evaluated: " + result.status().message(), ParagraphKind::kNote});
}

// Lint in a report is a line a problem; the verb has the rest.
void AddLint(Analysis& analysis, Document& report) {
  const Result<LintResult>& lint = analysis.Get<LintPass>();
  if (!lint.ok()) return;
  report.data["lint"] = MakeLintDocument(*lint).data;
  report.blocks.push_back(Heading{"Problems of the recording"});
  for (const LintFinding& finding : lint->findings) {
    if (finding.severity == LintSeverity::kInfo) continue;
    report.blocks.push_back(Paragraph{fmt::format("{}: {}", LintSeverityName(finding.severity), finding.symptom)});
  }
  const int64_t notes = lint->Count(LintSeverity::kInfo);
  if (!lint->condition_holds()) report.blocks.push_back(Paragraph{"none"});
  if (notes > 0)
    report.blocks.push_back(Paragraph{fmt::format("{} more of severity info: see `warpsight lint`", FormatCount(notes))});
}

// Every device's picture above its numbers, which begin with key values.
void InsertIdleCharts(const IdleResult& idle, Document& part) {
  std::vector<Block> blocks;
  size_t device = 0;
  for (Block& block : part.blocks) {
    if (std::holds_alternative<KeyValues>(block) && device < idle.devices.size())
      blocks.push_back(MakeIdleChart(idle.devices[device++]));
    blocks.push_back(std::move(block));
  }
  part.blocks = std::move(blocks);
}

Paragraph WhatWasRead(const Trace& trace) {
  const RecordingInfo& info = trace.recording();
  std::string devices;
  for (const Device& device : trace.devices()) {
    if (device.has_work)
      devices += (devices.empty() ? "" : ", ") + (device.name.empty() ? fmt::format("GPU {}", device.id) : device.name);
  }
  return {fmt::format("{}: {}, {}{}{}", info.file, info.producer, devices, devices.empty() ? "" : ", ",
                      FormatDuration(trace.capture().duration()))};
}

// When things ran: the steps and the time between.
void EmbedSteps(Analysis& analysis, const ReportOptions& options, Document& report) {
  const bool page = options.page_rows > 0;
  EmbedPass<StepsPass>(
      analysis, "steps", "Steps",
      [&](const StepsResult& result) {
        // A serving run has thousands. Their lines are short and of one kind: twice as many as kernels and ops.
        const int64_t most = SaturatingAdd(options.text_rows, options.text_rows);
        Document part = MakeStepsDocument(result, {most, options.page_rows, options.data});
        if (std::optional<TimelineStrip> strip = page ? MakeStepStrip(analysis) : std::nullopt)
          part.blocks.insert(part.blocks.begin(), *std::move(strip));
        return part;
      },
      report);
  EmbedPass<IdlePass>(
      analysis, "idle", "Idle time",
      [&](const IdleResult& result) {
        Document part = MakeIdleDocument(analysis.trace(), result, {5, options.data ? 100 : 0, 5});
        if (page) InsertIdleCharts(result, part);
        return part;
      },
      report);
}

// Why kernels are slow, where counters of them were given.
void EmbedCounters(Analysis& analysis, const ReportOptions& options, Document& report) {
  report.data["counters"] = nullptr;
  if (analysis.given().counter_reports.empty()) return;
  report.blocks.push_back(Heading{"Counters: why kernels are slow"});
  const Result<JoinedCounters>& joined = analysis.Get<JoinedCountersPass>();
  if (!joined.ok()) {
    report.blocks.push_back(Paragraph{"not evaluated: " + joined.status().message(), ParagraphKind::kNote});
    return;
  }
  if (options.data) report.data["counters"] = JoinedCountersData(*joined);
  const auto rows = static_cast<size_t>(std::max<int64_t>(options.text_rows, 1));
  std::vector<Block> blocks = JoinedCountersBlocks(*joined, {rows, options.full_names, options.page_rows > 0});
  std::ranges::move(blocks, std::back_inserter(report.blocks));
}

// What ran: parts, kernels, bounds, ops.
void EmbedGpuWork(Analysis& analysis, const ReportOptions& options, Document& report) {
  const bool page = options.page_rows > 0;
  EmbedPass<PartsPass>(
      analysis, "parts", "GPU time by model part",
      [&](const PartsResult& result) {
        PartsDocumentOptions brief;
        brief.brief = true;
        Document part = MakePartsDocument(result, *analysis.Get<ModelPass>(), brief);
        if (page) part.blocks.insert(part.blocks.begin(), PartsChartOf(result));
        return part;
      },
      report);
  EmbedPass<KernelsPass>(
      analysis, "kernels", "GPU time by kernel",
      [&](const KernelsResult& result) {
        std::map<std::string_view, std::string> remarks;
        if (const Result<JoinedCounters>& joined = analysis.Get<JoinedCountersPass>(); joined.ok())
          remarks = CounterRemarks(*joined);
        Document part = MakeKernelsDocument(
            result, {options.text_rows, options.full_names, options.page_rows, remarks.empty() ? nullptr : &remarks});
        if (page) part.blocks.insert(part.blocks.begin(), MakeFamilyChart(result));
        if (options.data) part.data = KernelsData(result, 0);
        return part;
      },
      report);
  EmbedCounters(analysis, options, report);
  EmbedPass<RooflinePass>(
      analysis, "roofline", "Bounds: what the device needs at least",
      [&](const RooflineResult& result) {
        Document part = MakeRooflineDocument(result, {.limit = options.text_rows, .page_rows = options.page_rows});
        if (std::optional<Scatter> chart = page ? RooflineChartOf(result) : std::nullopt)
          part.blocks.insert(part.blocks.begin(), *std::move(chart));
        if (options.data) part.data = RooflineData(result, {});
        return part;
      },
      report);
  EmbedPass<KeyAveragesPass>(
      analysis, "ops", "Time by op",
      [&](const KeyAverages& result) {
        Document part =
            MakeOpsDocument(result, {OpsSort::kSelfGpu, options.text_rows, options.full_names, options.page_rows});
        if (options.data) part.data = OpsData(result, {});
        return part;
      },
      report);
}

}  // namespace

Document MakeReportDocument(Analysis& analysis, const ReportOptions& options) {
  const Trace& trace = analysis.trace();
  Document report;
  report.verb = "report";
  const auto [verdict, diagnosis] = Answer(analysis);
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  const bool has_steps = steps.ok() && !steps->rows.empty();
  const bool has_gains = diagnosis.step_ns > 0;
  report.data = ordered_json::object();
  report.data["verdict"] = verdict;
  report.data["findings"] = FindingsJson(analysis, diagnosis.findings);
  report.data["not_evaluated"] = ordered_json::array();
  for (const NotEvaluated& rule : diagnosis.not_evaluated) {
    report.data["not_evaluated"].push_back({{"rule", rule.rule}, {"reason", rule.reason}});
  }
  report.data["gains"] = {{"step_ns", has_gains ? ordered_json(diagnosis.step_ns) : ordered_json(nullptr)},
                          {"all_findings_ns", has_gains ? ordered_json(diagnosis.all_gains_ns) : ordered_json(nullptr)}};
  const std::vector<WhatIf> what_ifs = MakeWhatIfs(analysis, diagnosis, FindGemmBound(analysis));
  report.data["what_ifs"] = WhatIfsJson(what_ifs);
  if (options.data) report.data["info"] = MakeInfoDocument(trace).data;
  report.blocks.push_back(WhatWasRead(trace));
  report.blocks.push_back(Paragraph{verdict, ParagraphKind::kVerdict});
  AddMeasuredStep(analysis, report);
  const bool page = options.page_rows > 0;
  if (page) report.blocks.push_back(MakeRecord(analysis, RecordFactsOf(analysis)));
  if (options.expect) AddExpectation(analysis, report);
  AddFindings(diagnosis, has_steps, report);
  AddWhatIfs(what_ifs, has_steps, report);
  EmbedSteps(analysis, options, report);
  AddDeviceState(analysis, report);
  EmbedGpuWork(analysis, options, report);
  AddCommunication(analysis, report);
  AddLint(analysis, report);
  if (page) AddTermsOfPage(analysis, diagnosis, what_ifs, report);
  return report;
}

}  // namespace warpsight
