// Many tiny kernels: not slow, but many.
#include <fmt/format.h>

#include "analysis/kernels_pass.h"
#include "analysis/thresholds.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr int64_t kKernelsOfAReplay = 2;  // a launch of more kernels than that is one of a graph

}  // namespace

void RunSmallKernels(Analysis& analysis, std::vector<Finding>& findings) {
  const Result<KernelsResult>& kernels = analysis.Get<KernelsPass>();
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!kernels.ok() || !frame) return;
  const Ns limit = ThresholdNs("step_latency_bound_kernel");
  int64_t small = 0;
  int64_t all = 0;
  Ns small_ns = 0;
  Ns work_ns = 0;
  const KernelRow* most_called = nullptr;
  for (const KernelRow& row : kernels->rows) {
    if (row.device == frame->device) work_ns = SaturatingAdd(work_ns, row.total_ns);
    if (row.kind != GpuKind::kKernel || row.device != frame->device || !row.mean_ns) continue;
    all += row.calls;
    if (*row.mean_ns >= limit) continue;
    small += row.calls;
    small_ns += row.total_ns;
    if (most_called == nullptr || row.calls > most_called->calls) most_called = &row;
  }
  if (all == 0 || static_cast<double>(small) < ThresholdShare("small_kernel_share") * static_cast<double>(all)) return;
  Finding finding;
  finding.id = "small_kernels";
  finding.title = "Most kernels are too short to hide a launch";
  finding.severity = Severity::kMedium;
  finding.evidence.push_back(fmt::format("{} of {} kernel calls ({}) last under {} on average and take {} of the GPU time",
                                         FormatCount(small), FormatCount(all), FormatShare(small, all),
                                         FormatDuration(limit), FormatShare(small_ns, work_ns)));
  if (most_called != nullptr) {
    finding.evidence.push_back(fmt::format("most often ({} calls, {} each): family {}", FormatCount(most_called->calls),
                                           FormatDuration(*most_called->mean_ns), most_called->family));
  }
  // One launch of many kernels is a replay already: what is left is to have fewer kernels.
  const bool is_replayed = frame->kernels > kKernelsOfAReplay * frame->launches;
  finding.advice = FindingAdvice(analysis, is_replayed ? "small_kernels_of_graph" : "small_kernels");
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
