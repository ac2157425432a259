// Durations and overlaps of GPU work.
#include <fmt/format.h>
#include <algorithm>

#include "analysis/lint/lint_check.h"
#include "analysis/lint/stream_overlap.h"
#include "analysis/thresholds.h"
#include "document/units.h"

namespace warpsight {
namespace {

struct OverlapText {
  OverlapKind kind;
  LintSeverity severity;
  std::string_view id;
  std::string_view what;
  std::string_view advice;
};

constexpr OverlapText kOverlapTexts[] = {
    {OverlapKind::kSwallowed, LintSeverity::kWarning, "stream_overlap_swallowed",
     "lie wholly inside of an earlier record of their stream, which a stream that runs in order cannot do: the earlier "
     "record's duration "
     "is probably damaged",
     "Look at the longest kernels first. If one of them is damaged, record again."},
    {OverlapKind::kDuplicate, LintSeverity::kWarning, "stream_overlap_duplicate",
     "have the same name, start and end as another one of their stream",
     "Record again, or merge files without repeating events."},
    {OverlapKind::kDependent, LintSeverity::kInfo, "stream_overlap_real",
     "start before the work ahead of them on their stream ends: programmatic dependent launch, or several hardware queues "
     "under one stream",
     ""},
    {OverlapKind::kGraph, LintSeverity::kInfo, "stream_overlap_graph",
     "overlap work of the same graph launch under one stream: branches of the graph run side by side", ""},
    {OverlapKind::kClock, LintSeverity::kInfo, "stream_overlap_clock",
     "overlap the work ahead of them on their stream by no more than the GPU's clock can be off", ""},
};

}  // namespace

void CheckZeroDuration(const LintContext& context, LintFindings& findings) {
  const GpuWork& gpu = context.trace.gpu();
  LintFinding finding;
  finding.id = "zero_duration";
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (gpu.duration_ns(row) != 0) continue;
    ++finding.count;
    if (finding.examples.size() < kMaxLintExamples) finding.examples.push_back(DescribeGpuWork(context.trace, row));
  }
  if (finding.count == 0) return;
  const double share = ShareOf(finding.count, gpu.size());
  finding.severity = share > ThresholdShare("lint_orphan_work") ? LintSeverity::kWarning : LintSeverity::kInfo;
  finding.symptom = fmt::format("{} of {} records of GPU work ({}) have no duration.", FormatCount(finding.count),
                                FormatCount(gpu.size()), FormatShare(share));
  finding.effect = "They count as calls, but add nothing to GPU time: mean times of short kernels are too small.";
  finding.advice = "Old recorders round to whole microseconds; a newer one writes nanoseconds.";
  findings.push_back(std::move(finding));
}

void CheckAbsurdDuration(const LintContext& context, LintFindings& findings) {
  const GpuWork& gpu = context.trace.gpu();
  if (gpu.size() < ThresholdCount("lint_absurd_duration")) return;
  uint32_t longest = 0;
  for (uint32_t row = 1; row < gpu.size(); ++row) {
    if (gpu.duration_ns(row) > gpu.duration_ns(longest)) longest = row;
  }
  Interval others = {kMaxNs, kMinNs};
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (row == longest) continue;
    others.start = std::min(others.start, gpu.start_ns[row]);
    others.end = std::max(others.end, gpu.end_ns[row]);
  }
  if (gpu.duration_ns(longest) <= others.duration()) return;
  LintFinding finding;
  finding.id = "absurd_duration";
  finding.severity = LintSeverity::kError;
  finding.count = 1;
  finding.symptom = fmt::format("One record of GPU work lasts {}, longer than all others from first to last together ({}).",
                                FormatDuration(gpu.duration_ns(longest)), FormatDuration(others.duration()));
  finding.effect = "Busy time, GPU time and every share of it are dominated by this record.";
  finding.advice = "If it is damaged, cut it out with --range or record again.";
  finding.examples.push_back(DescribeGpuWork(context.trace, longest));
  findings.push_back(std::move(finding));
}

namespace {

Ns WorkTime(const Trace& trace) {
  Ns sum = 0;
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) sum = SaturatingAdd(sum, trace.gpu().duration_ns(row));
  return sum;
}

// Records that hold others are damaged; where they hold much of the GPU's time nothing that rests on it can be trusted.
void JudgeSwallowing(const Trace& trace, const OverlapSummary& overlap, LintFinding& finding) {
  const Ns work_ns = WorkTime(trace);
  finding.effect += fmt::format(
      " Those that hold others are {} and take {} of the GPU time ({}); were each of them to end where the next record "
      "starts, "
      "GPU time would be {} instead of {}.",
      FormatCount(overlap.earlier_count), FormatDuration(overlap.earlier_ns), FormatShare(overlap.earlier_ns, work_ns),
      FormatDuration(SaturatingSubtract(work_ns, overlap.earlier_beyond_next_ns)), FormatDuration(work_ns));
  if (ShareOf(overlap.earlier_beyond_next_ns, work_ns) <= ThresholdShare("lint_damaged_time")) return;
  finding.severity = LintSeverity::kError;
  finding.effect += " Every share of GPU time and every busy time is affected: do not rely on them.";
}

}  // namespace

void CheckStreamOverlap(const LintContext& context, LintFindings& findings) {
  const auto overlaps = FindStreamOverlaps(context.trace, kMaxLintExamples);
  for (const OverlapText& text : kOverlapTexts) {
    const OverlapSummary& overlap = overlaps[static_cast<size_t>(text.kind)];
    if (overlap.count == 0) continue;
    LintFinding finding;
    finding.id = text.id;
    finding.severity = text.severity;
    finding.count = overlap.count;
    finding.symptom = fmt::format("{} of {} records of GPU work {}.", FormatCount(overlap.count),
                                  FormatCount(context.counts.gpu), text.what);
    finding.effect = fmt::format("GPU time counts {} twice; busy time counts it once.", FormatDuration(overlap.overlap_ns));
    if (text.kind == OverlapKind::kSwallowed) JudgeSwallowing(context.trace, overlap, finding);
    finding.advice = text.advice;
    for (uint32_t row : overlap.first_rows) finding.examples.push_back(DescribeGpuWork(context.trace, row));
    findings.push_back(std::move(finding));
  }
}

}  // namespace warpsight
