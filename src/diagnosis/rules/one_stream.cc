// Everything on one stream, although the gradients' collectives could run beside the rest of the backward pass. (A
// collective whose result the next kernel needs, as in tensor parallelism, has nothing to hide behind; host copies are a
// rule of their own.)
#include <fmt/format.h>

#include "analysis/attribution_pass.h"
#include "diagnosis/exposed_time.h"
#include "diagnosis/rule.h"
#include "document/units.h"

namespace warpsight {

void RunOneStream(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok() || work->by_stream.size() != 1) return;
  const Result<Attribution>& attribution = analysis.Get<AttributionPass>();
  if (!attribution.ok() || attribution->backward == 0) return;
  const Trace& trace = analysis.trace();
  const ExposedTime exposed = MeasureExposed(trace, *frame, *work, [&](uint32_t row) {
    return attribution->phase[row] == Phase::kBackward &&
           (trace.gpu().collective[row] != 0 || work->Family(row) == "collective");
  });
  if (exposed.rows.empty()) return;
  Finding finding;
  finding.id = "one_stream";
  finding.title = "The gradients' collectives stand in one stream with the kernels";
  finding.claims = HideBehindOthers(exposed);
  finding.least_ns = LeastBusyGain(*frame);
  finding.evidence.push_back(fmt::format(
      "all GPU work runs on one stream: {} records, {} of them collectives of the backward pass, which take {} in {} with "
      "nothing beside them",
      FormatCount(static_cast<int64_t>(work->by_stream[0].size())), FormatCount(static_cast<int64_t>(exposed.rows.size())),
      FormatDuration(frame->PerStep(exposed.exposed_ns)), frame->Unit()));
  finding.advice = FindingAdvice(analysis, "overlap_gradients");
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
