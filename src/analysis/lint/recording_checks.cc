// What was not recorded, and which results are missing for it.
#include <fmt/format.h>

#include "analysis/lint/lint_check.h"
#include "document/units.h"

namespace warpsight {
namespace {

// Whether all GPU work that has a launch was launched by replays of graphs.
bool AllIsReplay(const LintContext& context) {
  bool any = false;
  for (const uint32_t launch : context.trace.gpu().launch) {
    if (launch == kNoRow) continue;
    any = true;
    if (context.kinds.kind(launch) != ApiCallKind::kGraphLaunch) return false;
  }
  return any;
}

}  // namespace

void CheckNoEvents(const LintContext& context, LintFindings& findings) {
  const LintCounts& counts = context.counts;
  if (counts.ops + counts.launching_calls + counts.frames + counts.gpu > 0) return;
  LintFinding finding;
  finding.id = "no_events";
  finding.severity = LintSeverity::kError;
  finding.count = counts.api_calls + counts.ranges + counts.overhead + counts.other;
  finding.symptom = "The file has no ops, no launches and no GPU work.";
  if (finding.count > 0) {
    finding.symptom += fmt::format(
        " What it has: {} API calls, {} ranges, {} records of the profiler's own work, {} other events.",
        FormatCount(counts.api_calls), FormatCount(counts.ranges), FormatCount(counts.overhead), FormatCount(counts.other));
  }
  finding.effect = "There is nothing to analyse.";
  const bool is_json = HasTorchFormat(RecorderOf(context.trace.recording()));
  finding.advice = is_json && counts.other > 0 && counts.recordings == 0
                       ? "It seems to be another tool's trace: its categories are not those of a PyTorch profiler."
                       : context.ForRecorder("no_events");
  findings.push_back(std::move(finding));
}

void CheckGpuNotRecorded(const LintContext& context, LintFindings& findings) {
  const LintCounts& counts = context.counts;
  if (counts.gpu > 0 || counts.ops + counts.launching_calls == 0) return;
  LintFinding finding;
  finding.id = "gpu_not_recorded";
  if (counts.api_calls == 0) {
    finding.symptom = "The file has no GPU work and no API calls.";
    finding.effect = "Only host times can be told.";
    finding.advice = context.ForRecorder("gpu_if_used");
    findings.push_back(std::move(finding));
    return;
  }
  finding.severity = counts.launching_calls > 0 ? LintSeverity::kError : LintSeverity::kWarning;
  finding.count = counts.api_calls;
  finding.symptom = fmt::format("The file has {} API calls, {} of them launches and copies, but no GPU work.",
                                FormatCount(counts.api_calls), FormatCount(counts.launching_calls));
  finding.effect = "No GPU time, no busy and idle time, no GPU numbers per step: only host times can be told.";
  finding.advice = context.ForRecorder("gpu_unreachable");
  findings.push_back(std::move(finding));
}

void CheckOpsNotRecorded(const LintContext& context, LintFindings& findings) {
  if (context.counts.gpu == 0 || context.counts.ops > 0) return;
  LintFinding finding;
  finding.id = "ops_not_recorded";
  // Programs without a framework have no ops: only a framework's own recorder can have left them out.
  const bool has_ops_to_record = HasTorchFormat(RecorderOf(context.trace.recording()));
  finding.severity = has_ops_to_record ? LintSeverity::kWarning : LintSeverity::kInfo;
  finding.count = context.counts.gpu;
  finding.symptom = "The file has GPU work but no ops.";
  finding.effect = "GPU work cannot be attributed to ops, modules or shapes; only kernel names tell what ran.";
  finding.advice = AllIsReplay(context) ? context.ForRecorder("replayed_ops") + " " + context.ForRecorder("ops")
                                        : context.ForRecorder("ops") + " " + context.ForRecorder("replayed_ops");
  findings.push_back(std::move(finding));
}

void CheckShapesNotRecorded(const LintContext& context, LintFindings& findings) {
  if (context.counts.ops == 0 || context.trace.recording().has_shapes) return;
  LintFinding finding;
  finding.id = "shapes_not_recorded";
  finding.count = context.counts.ops;
  finding.symptom = "The ops have no operand shapes.";
  finding.effect =
      "Missing: FLOPs and bytes per op, the roofline, which linear layer a GEMM belongs to, the inferred model sizes.";
  finding.advice = context.ForRecorder("shapes");
  findings.push_back(std::move(finding));
}

void CheckClockBase(const LintContext& context, LintFindings& findings) {
  const RecordingInfo& recording = context.trace.recording();
  if (recording.has_clock_base) return;
  const bool one_of_several = recording.world_size > 1;
  LintFinding finding;
  finding.id = "clock_base_unknown";
  finding.severity = one_of_several ? LintSeverity::kWarning : LintSeverity::kInfo;
  finding.symptom = one_of_several ? fmt::format("The file is rank {} of {} and does not say what its clock counts from.",
                                                 recording.rank, recording.world_size)
                                   : "The file does not say what its clock counts from.";
  finding.effect = "Durations are right; times cannot be laid beside those of another recording.";
  finding.advice = context.ForRecorder("clock_base");
  findings.push_back(std::move(finding));
}

void CheckRankClock(const LintContext& context, LintFindings& findings) {
  const RecordingInfo& recording = context.trace.recording();
  if (recording.world_size < 2 || !recording.has_clock_base) return;  // without a base CheckClockBase says so
  LintFinding finding;
  finding.id = "rank_clock_uncalibrated";
  finding.symptom = fmt::format(
      "The file is rank {} of {}, and nothing in it says that its clock was calibrated against the other ranks' clocks.",
      recording.rank, recording.world_size);
  finding.effect =
      "Absolute times of different ranks are not compared. Durations, waits and transfers are right without it.";
  finding.advice =
      "warpsight report RANK0 RANK1 ... aligns the clocks on the ends of common collectives, with an error bar, or says why "
      "it cannot.";
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
