#include "diagnosis/what_ifs.h"

#include <algorithm>

#include "diagnosis/eager_sequences.h"
#include "diagnosis/frame_work.h"
#include "diagnosis/step_frame.h"

namespace warpsight {
namespace {

class WhatIfList {
 public:
  explicit WhatIfList(Ns step_ns) : step_ns_(step_ns) {}

  void Add(std::string id, std::string what, Ns gain_ns) {
    const Ns gain = std::clamp<Ns>(gain_ns, 0, step_ns_);
    if (gain > 0) list_.push_back({std::move(id), std::move(what), step_ns_ - gain, gain});
  }
  std::vector<WhatIf> Take() { return std::move(list_); }

 private:
  Ns step_ns_;
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

}  // namespace

std::vector<WhatIf> MakeWhatIfs(Analysis& analysis, const Diagnosis& diagnosis, const std::optional<GemmBound>& gemms) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) return {};
  WhatIfList list(diagnosis.step_ns);
  const Ns idle = frame->PerStep(frame->idle_ns());
  list.Add("gaps_removed", "gaps removed", diagnosis.reconciliation ? diagnosis.reconciliation->ScaleIdle(idle) : idle);
  if (const Finding* dispatch = Find(diagnosis, "serial_dispatch"); dispatch != nullptr) {
    list.Add("cuda_graph", "the step in a CUDA graph", dispatch->gain_ns.value_or(0));
  }
  if (gemms) list.Add("gemms_at_bound", "GEMMs at the memory bound", gemms->time_ns - gemms->bound_ns);
  list.Add("elementwise_fused", "elementwise fused", frame->PerStep(ElementwiseGain(analysis.trace(), *work)));
  list.Add("communication_hidden", "communication hidden", frame->PerStep(frame->exposed_collective_ns));
  if (const Finding* copies = Find(diagnosis, "blocking_copies"); copies != nullptr) {
    list.Add("copies_hidden", "copies hidden", copies->gain_ns.value_or(0));
  }
  list.Add("all_findings", "all findings together", diagnosis.all_gains_ns);
  return list.Take();
}

}  // namespace warpsight
