// Numbers of the recording that are easily read as what they are not.
#include <fmt/format.h>

#include "analysis/lint/lint_check.h"
#include "analysis/thresholds.h"
#include "document/units.h"

namespace warpsight {

// An op's CPU total is read as GPU time by many; where the two are far apart it must be said.
void CheckCpuTimeOfOps(const LintContext& context, LintFindings& findings) {
  if (context.counts.ops == 0 || context.counts.gpu == 0) return;
  const Ns ops_ns = context.counts.outermost_ops_ns;
  LintFinding finding;
  finding.count = context.counts.outermost_ops;
  Ns work_ns = 0;
  for (uint32_t row = 0; row < context.trace.gpu().size(); ++row)
    work_ns = SaturatingAdd(work_ns, context.trace.gpu().duration_ns(row));
  const double ratio = ThresholdRatio("lint_cpu_time_of_ops");
  if (static_cast<double>(ops_ns) <= ratio * static_cast<double>(work_ns)) return;
  finding.id = "cpu_time_is_not_gpu_time";
  finding.symptom =
      fmt::format("The ops take {} of CPU time in all; the GPU worked {}.", FormatDuration(ops_ns), FormatDuration(work_ns));
  finding.effect =
      "An op's CPU total is the time that the host spent in it, launches and waits included. It says nothing of how long "
      "its "
      "kernels ran.";
  finding.advice = "Read GPU self and GPU total for the GPU's time; `warpsight ops` has both side by side.";
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
