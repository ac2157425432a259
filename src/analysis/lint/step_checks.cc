// Whether step times mean what they seem to.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/lint/lint_check.h"
#include "analysis/thresholds.h"
#include "document/units.h"

namespace warpsight {
void CheckNoSteps(const LintContext& context, LintFindings& findings) {
  if (context.steps.source == StepSource::kProfilerStep || context.counts.ops + context.counts.gpu == 0) return;
  const bool is_torch_recorder = HasTorchFormat(RecorderOf(context.trace.recording()));
  // Without a profiler's own marks, ranges that mark the steps are all that could be wished for.
  if (!is_torch_recorder && context.steps.source == StepSource::kRange) return;
  LintFinding finding;
  finding.id = "no_steps";
  finding.symptom = is_torch_recorder ? "The recording has no ProfilerStep ranges." : "The recording has no step ranges.";
  switch (context.steps.source) {
    case StepSource::kRange:
      finding.effect = fmt::format("The repeating range \"{}\" is taken as the step.",
                                   context.steps.steps.empty() ? std::string() : context.steps.steps.front().name);
      break;
    case StepSource::kRepetition:
      finding.effect =
          "Steps were detected from the launch sequence that repeats; their borders are launches, not the program's own.";
      break;
    default:
      finding.effect = "Nothing else repeats either: no times per step, and no counts per step.";
      break;
  }
  finding.advice = context.ForRecorder("steps");
  findings.push_back(std::move(finding));
}

void CheckStepsNotSynchronised(const LintContext& context, LintFindings& findings) {
  if (context.steps.steps.size() < 2) return;
  Ns launched_ns = 0;
  Ns outside_ns = 0;
  LintFinding finding;
  for (const StepRow& row : context.steps.rows) {
    if (!row.gpu) continue;
    launched_ns = SaturatingAdd(launched_ns, row.gpu->launched_work_ns);
    outside_ns = SaturatingAdd(outside_ns, row.gpu->launched_outside_ns);
    if (row.gpu->launched_outside_ns > 0) {
      ++finding.count;
      if (finding.examples.size() < kMaxLintExamples) {
        finding.examples.push_back(fmt::format("{}, device {}: {} of {} ran outside", context.steps.steps[row.step].name,
                                               row.gpu->device, FormatDuration(row.gpu->launched_outside_ns),
                                               FormatDuration(row.gpu->launched_work_ns)));
      }
    }
  }
  const double share = ShareOf(outside_ns, launched_ns);
  if (share <= ThresholdShare("lint_work_outside_step")) return;
  finding.id = "steps_not_synchronised";
  finding.severity = LintSeverity::kWarning;
  finding.symptom =
      fmt::format("{} of the GPU work launched in steps ran outside of the step that launched it.", FormatShare(share));
  finding.effect =
      "Walls are cut at the host's borders, so a step's busy time holds work of the step before it. Averages over several "
      "steps are "
      "right; launched_work_ns counts the work where it was launched.";
  finding.advice = context.ForProgram("synchronise_steps");
  findings.push_back(std::move(finding));
}

void CheckFirstStepSlow(const LintContext& context, LintFindings& findings) {
  const std::vector<StepWindow>& steps = context.steps.steps;
  const std::optional<Ns> median_ns = SlowFirstStep(steps);
  if (!median_ns) return;
  const Ns first_ns = steps[0].time.duration();
  LintFinding finding;
  finding.id = "first_step_slow";
  finding.severity = LintSeverity::kWarning;
  finding.count = 1;
  finding.symptom =
      fmt::format("The first step took {}, the others {} (median).", FormatDuration(first_ns), FormatDuration(*median_ns));
  finding.effect = "It holds warm-up work (compilation, allocation, autotuning) and pulls every average over the window up.";
  finding.advice =
      Capitalised(RecorderAdvice(context.trace, "warm_up")) + ", or leave the first step out with --step or --range.";
  findings.push_back(std::move(finding));
}

void CheckProfilerOverhead(const LintContext& context, LintFindings& findings) {
  if (context.counts.overhead == 0 || context.steps.steps.empty()) return;
  const HostEvents& host = context.trace.host();
  Ns steps_ns = 0;
  for (const StepWindow& step : context.steps.steps) steps_ns = SaturatingAdd(steps_ns, step.time.duration());
  Ns overhead_ns = 0;
  LintFinding finding;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] != HostKind::kOverhead) continue;
    auto at = std::ranges::partition_point(context.steps.steps,
                                           [&](const StepWindow& step) { return step.time.end <= host.start_ns[row]; });
    for (; at != context.steps.steps.end() && at->time.start < host.end_ns[row]; ++at) {
      const StepWindow& step = *at;
      const Ns inside = Intersect({host.start_ns[row], host.end_ns[row]}, step.time).duration();
      overhead_ns = SaturatingAdd(overhead_ns, inside);
      ++finding.count;
      if (finding.examples.size() < kMaxLintExamples) {
        finding.examples.push_back(
            fmt::format("{} in {}: {}", context.trace.Text(host.name[row]), step.name, FormatDuration(inside)));
      }
    }
  }
  const double share = ShareOf(overhead_ns, steps_ns);
  if (share <= ThresholdShare("lint_profiler_overhead")) return;
  finding.id = "profiler_overhead";
  finding.severity = LintSeverity::kWarning;
  finding.symptom = fmt::format("The profiler's own work takes {} of the steps' time ({}).", FormatShare(share),
                                FormatDuration(overhead_ns));
  finding.effect = "The host stood still meanwhile: walls and idle time hold time that an unprofiled run does not have.";
  finding.advice = Capitalised(RecorderAdvice(context.trace, "warm_up")) + ", so that buffers are ready and kernels loaded.";
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
