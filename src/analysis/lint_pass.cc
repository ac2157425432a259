#include "analysis/lint_pass.h"

#include <algorithm>

namespace warpsight {

int64_t LintResult::Count(LintSeverity severity) const {
  return std::ranges::count(findings, severity, &LintFinding::severity);
}

Result<LintResult> LintPass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  // Steps of the whole recording: those at hand when nothing was selected.
  Analysis whole(trace, {});
  const bool selected = analysis.selection().range || analysis.selection().device;
  const Result<StepsResult>& steps = (selected ? whole : analysis).Get<StepsPass>();
  if (!steps.ok()) return steps.status();
  const ApiCallKinds kinds(trace);
  const LintContext context = {trace, kinds, *steps, CountRows(trace, kinds), *analysis.Get<TorchProgramPass>()};
  LintResult result;
  for (const LintCheck& check : AllLintChecks()) {
    check.run(context, result.findings);
    ++result.checks;
  }
  std::ranges::stable_sort(result.findings, std::greater<>(), &LintFinding::severity);
  return result;
}

}  // namespace warpsight
