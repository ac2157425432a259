// How well GPU work, launch calls and ops fit together.
#include <fmt/format.h>
#include <algorithm>

#include "analysis/lint/lint_check.h"
#include "analysis/thresholds.h"
#include "document/units.h"

namespace warpsight {
namespace {

// Launch calls without GPU work, apart from those that were captured into a graph and were not meant to run.
struct LostLaunches {
  int64_t lost = 0;
  int64_t captured = 0;
  int64_t launches = 0;
  std::vector<uint32_t> first_rows;
};

LostLaunches FindLostLaunches(const LintContext& context) {
  const Trace& trace = context.trace;
  std::vector<bool> has_work(trace.host().size(), false);
  for (uint32_t launch : trace.gpu().launch) {
    if (launch != kNoRow) has_work[launch] = true;
  }
  LostLaunches result;
  for (const Thread& thread : trace.threads()) {
    bool capturing = false;
    for (uint32_t row = thread.first_call; row < thread.first_frame; ++row) {
      const ApiCallKind kind = context.kinds.kind(row);
      if (kind == ApiCallKind::kCapture)
        capturing = trace.Text(trace.host().name[row]).find("Begin") != std::string_view::npos;
      if (kind != ApiCallKind::kLaunch && kind != ApiCallKind::kGraphLaunch) continue;
      ++result.launches;
      if (has_work[row]) continue;
      ++(capturing ? result.captured : result.lost);
      if (!capturing && result.first_rows.size() < kMaxLintExamples) result.first_rows.push_back(row);
    }
  }
  return result;
}

}  // namespace

void CheckWorkWithoutLaunch(const LintContext& context, LintFindings& findings) {
  const GpuWork& gpu = context.trace.gpu();
  LintFinding finding;
  finding.id = "work_without_launch";
  Ns orphan_ns = 0;
  Ns work_ns = 0;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    work_ns = SaturatingAdd(work_ns, gpu.duration_ns(row));
    if (gpu.launch[row] != kNoRow) continue;
    orphan_ns = SaturatingAdd(orphan_ns, gpu.duration_ns(row));
    ++finding.count;
    if (finding.examples.size() < kMaxLintExamples) finding.examples.push_back(DescribeGpuWork(context.trace, row));
  }
  if (finding.count == 0) return;
  const double share = ShareOf(orphan_ns, work_ns);
  finding.severity = share > ThresholdShare("lint_orphan_work") ? LintSeverity::kWarning : LintSeverity::kInfo;
  finding.symptom = fmt::format("{} of {} records of GPU work ({} of GPU time) have no launch call.",
                                FormatCount(finding.count), FormatCount(gpu.size()), FormatShare(share));
  finding.effect =
      "They count in GPU time and busy time, but belong to no op, and idle time before them has no known cause (class "
      "edge). Tools that "
      "leave them out show less GPU time.";
  finding.advice = context.counts.api_calls == 0
                       ? "The file has no API calls: record the CUDA runtime and driver activities as well."
                       : "Synchronise before the recording starts, so that nothing launched earlier runs inside of it.";
  findings.push_back(std::move(finding));
}

void CheckLaunchWithoutWork(const LintContext& context, LintFindings& findings) {
  if (context.counts.gpu == 0) return;  // gpu_not_recorded says it
  const LostLaunches launches = FindLostLaunches(context);
  if (launches.captured > 0) {
    LintFinding finding;
    finding.id = "launch_without_work";
    finding.count = launches.captured;
    finding.symptom = fmt::format("{} launch calls were captured into a graph.", FormatCount(launches.captured));
    finding.effect = "They ran nothing at that moment; the graph's launches have the GPU work.";
    findings.push_back(std::move(finding));
  }
  if (launches.lost == 0) return;
  const double share = ShareOf(launches.lost, launches.launches);
  LintFinding finding;
  finding.id = "launch_without_work";
  finding.severity = share > ThresholdShare("lint_orphan_work") ? LintSeverity::kWarning : LintSeverity::kInfo;
  finding.count = launches.lost;
  finding.symptom = fmt::format("{} of {} launch calls ({}) have no GPU work.", FormatCount(launches.lost),
                                FormatCount(launches.launches), FormatShare(share));
  finding.effect = "GPU time and busy time lack their work, so idle time is too long where it ran.";
  finding.advice =
      "Synchronise before the recording ends. If that was so, the recorder dropped records (its buffers were full), or the "
      "launches were "
      "captured into a graph.";
  for (uint32_t row : launches.first_rows) {
    finding.examples.push_back(
        fmt::format("{} at +{}", context.trace.Text(context.trace.host().name[row]),
                    FormatDuration(SaturatingSubtract(context.trace.host().start_ns[row], context.trace.capture().start))));
  }
  findings.push_back(std::move(finding));
}

void CheckLaunchAfterStart(const LintContext& context, LintFindings& findings) {
  const GpuWork& gpu = context.trace.gpu();
  LintFinding finding;
  finding.id = "launch_after_start";
  Ns largest_ns = 0;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (gpu.launch[row] == kNoRow) continue;
    const Ns early_ns = SaturatingSubtract(context.trace.host().start_ns[gpu.launch[row]], gpu.start_ns[row]);
    if (early_ns <= 0) continue;
    ++finding.count;
    largest_ns = std::max(largest_ns, early_ns);
    if (finding.examples.size() < kMaxLintExamples) finding.examples.push_back(DescribeGpuWork(context.trace, row));
  }
  if (finding.count == 0) return;
  const bool material = ShareOf(finding.count, gpu.size()) > ThresholdShare("lint_orphan_work");
  finding.severity = material ? LintSeverity::kWarning : LintSeverity::kInfo;
  finding.symptom = fmt::format("{} of {} records of GPU work start before their launch call, by up to {}.",
                                FormatCount(finding.count), FormatCount(gpu.size()), FormatDuration(largest_ns));
  finding.effect =
      "The clocks of host and device differ by at least as much. Durations and busy time are right; launch times and idle "
      "classes are "
      "off by that much, and a launch is taken to start no later than its work.";
  finding.advice = "Record again, or trust only host times or only device times where it matters.";
  findings.push_back(std::move(finding));
}

void CheckAttributionDisagreement(const LintContext& context, LintFindings& findings) {
  const AttributionCounts& counts = context.trace.attribution();
  if (counts.disagreements == 0) return;
  LintFinding finding;
  finding.id = "attribution_disagreement";
  finding.count = counts.disagreements;
  finding.symptom = fmt::format("External id and containment name different ops for {} of {} records of GPU work.",
                                FormatCount(counts.disagreements), FormatCount(context.counts.gpu));
  finding.effect = "GPU time per op follows the External id; the op that was open around the launch would be another one.";
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
