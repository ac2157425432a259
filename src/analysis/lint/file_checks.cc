// The file itself: what the import did to it, and what makes it big.
#include <fmt/format.h>
#include <algorithm>

#include "analysis/lint/lint_check.h"
#include "analysis/thresholds.h"
#include "document/units.h"

namespace warpsight {
namespace {

// Causes of the ledger that a check of its own says more about.
constexpr std::string_view kHasOwnCheck[] = {"work_without_launch", "launch_after_start", "attribution_disagreement"};

LintSeverity SeverityOf(const ImportCause& cause) {
  if (cause.severity == ImportSeverity::kError) return LintSeverity::kError;
  return cause.severity == ImportSeverity::kWarning ? LintSeverity::kWarning : LintSeverity::kInfo;
}

std::string EffectText(const ImportCause& cause) {
  const std::string events = FormatCount(cause.count) + (cause.count == 1 ? " event" : " events");
  switch (cause.effect) {
    case Effect::kNote:
      return {};  // the symptom says what was done
    case Effect::kRepaired:
      return events + " kept with a mended field.";
    case Effect::kExcluded:
      return events + " left out of every result.";
  }
  return {};
}

}  // namespace

void CheckImportCauses(const LintContext& context, LintFindings& findings) {
  for (const ImportCause& cause : context.trace.log().causes()) {
    if (cause.count == 0 || std::ranges::find(kHasOwnCheck, cause.cause) != std::end(kHasOwnCheck)) continue;
    LintFinding finding;
    finding.id = cause.cause;
    finding.severity = SeverityOf(cause);
    finding.count = cause.count;
    finding.symptom = cause.example.empty() ? cause.cause : cause.example;
    finding.effect = EffectText(cause);
    if (cause.effect == Effect::kExcluded) finding.advice = "Record again if what is missing matters.";
    if (cause.first_place >= 0) finding.examples.push_back(fmt::format("first at byte {}", cause.first_place));
    findings.push_back(std::move(finding));
  }
}

void CheckLargeFile(const LintContext& context, LintFindings& findings) {
  const Trace& trace = context.trace;
  if (trace.recording().inflated_bytes < ThresholdBytes("lint_large_file")) return;
  const LintCounts& counts = context.counts;
  struct Share {
    int64_t events;
    std::string_view what;
    std::string_view advice;  // which setting writes it; empty: none
  };
  std::vector<Share> shares = {
      {counts.frames, "Python frames", "writes_frames"},
      {counts.ops, "ops", "writes_ops"},
      {counts.api_calls, "API calls", "writes_api_calls"},
      {counts.gpu, "GPU work", "writes_gpu_work"},
      {trace.flow_count(), "flow arrows", ""},
      {trace.instant_count(), "memory records and instants", "writes_instants"},
  };
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.events > b.events; });
  int64_t all = 0;
  for (const Share& share : shares) all += share.events;
  if (all == 0) return;

  const std::string_view flag =
      shares[0].advice.empty() ? "they link launches to GPU work" : RecorderAdvice(trace, shares[0].advice);
  LintFinding finding;
  finding.id = "large_file";
  finding.count = trace.log().read();
  finding.symptom =
      fmt::format("The file has {} of text; {} make {} of the events ({}).", FormatBytes(trace.recording().inflated_bytes),
                  shares[0].what, FormatShare(ShareOf(shares[0].events, all)), flag);
  finding.effect = "It opens, but every tool takes longer, and the recorder itself took more time and memory.";
  finding.advice = context.ForRecorder("record_less");
  if (counts.frames > 0) finding.advice += " " + context.ForRecorder("less_stacks");
  if (trace.recording().has_shapes) finding.advice += " " + context.ForRecorder("less_shapes");
  for (const Share& share : shares) {
    if (share.events > 0) {
      finding.examples.push_back(
          fmt::format("{}: {} ({})", share.what, FormatCount(share.events), FormatShare(ShareOf(share.events, all))));
    }
  }
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
