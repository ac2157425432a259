#include "analysis/work_steps_pass.h"

#include "analysis/steps_pass.h"

namespace warpsight {

Result<WorkSteps> WorkStepsPass::Run(Analysis& analysis) {
  WorkSteps result;
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  if (!steps.ok() || steps->steps.empty()) return result;
  result.steps = static_cast<int64_t>(steps->steps.size());
  const Trace& trace = analysis.trace();
  StepFinder finder(steps->steps);
  result.of_row.resize(trace.gpu().size());
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
    const size_t step = finder.Of(trace, row);
    result.of_row[row] = step == kNoStep ? kNoRow : static_cast<uint32_t>(step);
  }
  return result;
}

}  // namespace warpsight
