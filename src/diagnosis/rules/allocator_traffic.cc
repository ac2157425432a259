// cudaMalloc and cudaFree inside of the step: each makes the host, and often the device, stand still.
#include <fmt/format.h>

#include "diagnosis/rule.h"
#include "diagnosis/step_calls.h"
#include "diagnosis/step_frame.h"
#include "diagnosis/step_host_time.h"
#include "document/units.h"

namespace warpsight {
namespace {

bool IsAllocation(ApiCallKind kind) { return kind == ApiCallKind::kAllocation; }

}  // namespace

void RunAllocatorTraffic(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<StepCalls>& calls = analysis.Get<StepCallsPass>();
  if (!frame || !calls.ok() || calls->Count(ApiCallKind::kAllocation) == 0) return;
  const Result<StepHostTime>& times = analysis.Get<StepHostTimePass>();
  if (!times.ok()) return;
  Finding finding;
  finding.id = "allocator_traffic";
  finding.title = "Memory is allocated and freed inside of the step";
  finding.least_ns = LeastIdleGain(*frame);
  Ns waited = 0;
  for (const IdleClass kind : {IdleClass::kHostWork, IdleClass::kLaunch}) {
    PartOf(finding.claims.idle, kind) = std::min(times->In(kind, ApiCallKind::kAllocation), PartOf(frame->idle, kind));
    waited += PartOf(finding.claims.idle, kind);
  }
  if (waited == 0) return;
  finding.evidence.push_back(fmt::format("in {}: {}", frame->Unit(), calls->Text(*frame, IsAllocation)));
  finding.evidence.push_back(fmt::format("the GPU was idle for {} of it ({} of the step time)",
                                         FormatDuration(frame->PerStep(waited)), FormatShare(waited, frame->wall_ns)));
  finding.advice = FindingAdvice(analysis, "keep_memory");
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
