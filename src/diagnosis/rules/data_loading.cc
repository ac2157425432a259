// The step waits for its data: the host is in the data loader while the GPU's queue is empty.
#include <fmt/format.h>

#include <algorithm>

#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "diagnosis/step_host_time.h"
#include "document/units.h"

namespace warpsight {
namespace {

// torch.utils.data writes "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"; frames name dataloader.py.
bool IsDataLoading(std::string_view name) {
  return name.starts_with("enumerate(DataLoader)") || name.find("utils/data/") != std::string_view::npos;
}

}  // namespace

void RunDataLoading(Analysis& analysis, std::vector<Finding>& findings) {
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<StepHostTime>& times = analysis.Get<StepHostTimePass>();
  if (!frame || !times.ok()) return;
  Ns waited = 0;
  std::string_view longest;  // names come most time first
  for (const auto& [name, time] : times->by_class[static_cast<size_t>(IdleClass::kHostWork)]) {
    if (!IsDataLoading(name)) continue;
    if (longest.empty()) longest = name;
    waited = SaturatingAdd(waited, time);
  }
  waited = std::min(waited, PartOf(frame->idle, IdleClass::kHostWork));
  if (waited == 0) return;
  Finding finding;
  finding.id = "data_loading";
  finding.title = "The step waits for its data";
  finding.least_ns = LeastIdleGain(*frame);
  PartOf(finding.claims.idle, IdleClass::kHostWork) = waited;
  finding.evidence.push_back(
      fmt::format("{} of {} ({}) the GPU was idle while the launching thread was in the data loader: {}",
                  FormatDuration(frame->PerStep(waited)), frame->has_steps ? "every step" : "the window",
                  FormatShare(waited, frame->wall_ns), longest));
  finding.advice = FindingAdvice(analysis, "load_ahead");
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
