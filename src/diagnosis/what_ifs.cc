#include "diagnosis/what_ifs.h"

#include <algorithm>

#include "analysis/collective_busy.h"
#include "analysis/roofline_pass.h"
#include "diagnosis/eager_sequences.h"
#include "diagnosis/frame_work.h"
#include "diagnosis/step_frame.h"

namespace warpsight {
namespace {

class WhatIfList {
 public:
  WhatIfList(Ns step_ns, Ns busy_ns) : step_ns_(step_ns), busy_ns_(std::min(step_ns, busy_ns)) {}

  void AddOfStep(std::string id, std::string what, Ns gain_ns) { Add(std::move(id), std::move(what), step_ns_, gain_ns); }
  void AddOfBusy(std::string id, std::string what, Ns gain_ns) { Add(std::move(id), std::move(what), busy_ns_, gain_ns); }
  std::vector<WhatIf> Take() { return std::move(list_); }

 private:
  void Add(std::string id, std::string what, Ns from_ns, Ns gain_ns) {
    const Ns gain = std::clamp<Ns>(gain_ns, 0, from_ns);
    if (gain > 0) list_.push_back({std::move(id), std::move(what), from_ns, from_ns - gain, gain});
  }

  Ns step_ns_;
  Ns busy_ns_;
  std::vector<WhatIf> list_;
};

const Finding* Find(const Diagnosis& diagnosis, std::string_view id) {
  const auto found = std::ranges::find(diagnosis.findings, id, &Finding::id);
  return found == diagnosis.findings.end() ? nullptr : &*found;
}

// All elementwise rows, also those that a more special finding claims.
Ns ElementwiseGain(const Trace& trace, const FrameWork& work) {
  Claims claims;
  for (const Sequence& run : FindElementwiseRuns(trace, work)) ClaimAllButLongest(work, run, claims);
  return claims.total_ns();
}

// All that a finding claims, also what the ledger granted to a more special one.
Ns ClaimedGain(const Diagnosis& diagnosis, const StepFrame& frame, const Finding& finding) {
  const Ns idle_sum = Sum(finding.claims.idle);
  const Ns idle = frame.PerStep(idle_sum);
  const Ns busy = frame.PerStep(finding.claims.total_ns() - idle_sum);
  return SaturatingAdd(busy, diagnosis.reconciliation ? diagnosis.reconciliation->ScaleIdle(idle) : idle);
}

// Exposed collective time can hide behind the other work that runs alone so far, and behind nothing else.
Ns HiddenCommunication(Analysis& analysis, const StepFrame& frame) {
  const Result<std::vector<CollectiveBusy>>& devices = analysis.Get<CollectiveBusyPass>();
  const CollectiveBusy* busy = devices.ok() ? FindCollectiveBusy(*devices, frame.device) : nullptr;
  if (busy == nullptr) return 0;
  Ns exposed = 0;
  Ns others_alone = 0;
  for (const Interval window : frame.windows) {
    const Ns in_window = busy->Exposed(window);
    const Ns overlapped = busy->collectives.Measure(window) - in_window;
    exposed = SaturatingAdd(exposed, in_window);
    others_alone = SaturatingAdd(others_alone, busy->others.Measure(window) - overlapped);
  }
  return std::min(exposed, others_alone);
}

}  // namespace

std::optional<GemmBound> FindGemmBound(Analysis& analysis) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<RooflineResult>& roofline = analysis.Get<RooflinePass>();
  if (!frame || !roofline.ok()) return std::nullopt;
  for (const RooflineDevice& device : roofline->devices) {
    if (device.step.device != frame->device || !device.step.gemm_bound_ns) continue;
    return GemmBound{device.step.gemm_ns, *device.step.gemm_bound_ns};
  }
  return std::nullopt;
}

std::vector<WhatIf> MakeWhatIfs(Analysis& analysis, const Diagnosis& diagnosis, const std::optional<GemmBound>& gemms) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return {};
  WhatIfList list(diagnosis.step_ns, frame->PerStep(frame->busy_ns));
  const Ns idle = frame->PerStep(frame->idle_ns());
  list.AddOfStep("gaps_removed", "gaps removed",
                 diagnosis.reconciliation ? diagnosis.reconciliation->ScaleIdle(idle) : idle);
  if (const Finding* dispatch = Find(diagnosis, "serial_dispatch"); dispatch != nullptr) {
    list.AddOfStep("cuda_graph", "the step in a CUDA graph", ClaimedGain(diagnosis, *frame, *dispatch));
  }
  if (gemms)
    list.AddOfBusy("gemms_at_bound", "GEMMs at their memory (or arithmetic) bound", gemms->time_ns - gemms->bound_ns);
  list.AddOfBusy("elementwise_fused", "elementwise fused", frame->PerStep(ElementwiseGain(analysis.trace(), *work)));
  list.AddOfBusy("communication_hidden", "communication hidden", frame->PerStep(HiddenCommunication(analysis, *frame)));
  if (const Finding* copies = Find(diagnosis, "blocking_copies"); copies != nullptr) {
    list.AddOfStep("copies_hidden", "copies hidden", ClaimedGain(diagnosis, *frame, *copies));
  }
  list.AddOfStep("all_findings", "all findings together", diagnosis.all_gains_ns);
  return list.Take();
}

}  // namespace warpsight
