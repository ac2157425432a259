// Collectives that nothing overlaps: the GPU's compute units wait for the links.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/collective_busy.h"
#include "analysis/collectives_document.h"
#include "analysis/ranks_pass.h"
#include "analysis/thresholds.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

struct Exposure {
  Ns collective_ns = 0;
  Ns exposed_ns = 0;
  Ns wait_ns = 0;      // part of it that is known to be waiting for another rank: not the links' time
  Ns hideable_ns = 0;  // of the rest: what fits beside the compute that runs without a collective so far
};

Exposure Measure(Analysis& analysis, const StepFrame& frame, const CollectiveBusy& busy) {
  Exposure exposure;
  Ns compute_alone = 0;
  for (const Interval window : frame.windows) {
    const Ns collective = busy.collectives.Measure(window);
    const Ns exposed = busy.Exposed(window);
    exposure.collective_ns = SaturatingAdd(exposure.collective_ns, collective);
    exposure.exposed_ns = SaturatingAdd(exposure.exposed_ns, exposed);
    compute_alone = SaturatingAdd(compute_alone, busy.others.Measure(window) - (collective - exposed));
  }
  if (analysis.given().ranks != nullptr) {
    const Result<RanksResult>& ranks = analysis.Get<RanksPass>();
    if (ranks.ok() && ranks->rows[ranks->main].waits)
      exposure.wait_ns = std::min(exposure.exposed_ns, ranks->rows[ranks->main].waits->exposed_wait_ns);
  }
  exposure.hideable_ns = std::min(exposure.exposed_ns - exposure.wait_ns, compute_alone);
  return exposure;
}

// The collective with most exposed time, and its bandwidth.
std::string WorstCollective(const CollectivesResult& collectives, const StepFrame& frame) {
  const CollectiveRow* worst = nullptr;
  for (const CollectiveRow& row : collectives.rows) {
    if (row.device == frame.device && (worst == nullptr || row.exposed_ns > worst->exposed_ns)) worst = &row;
  }
  if (worst == nullptr) return "";
  std::string text = fmt::format("most of it: {}", CollectiveName(*worst));
  if (worst->bytes) text += fmt::format(" of {}", FormatBytes(*worst->bytes));
  if (worst->group_size) text += fmt::format(" over {} ranks", FormatCount(*worst->group_size));
  text += fmt::format(", {} exposed in the window, calls: {}", FormatDuration(worst->exposed_ns), FormatCount(worst->calls));
  const std::optional<double> bus = worst->BusBytesPerSecond(worst->median_ns);
  if (!bus) return text;
  text += fmt::format("; bus bandwidth of the median call {}", FormatBandwidth(bus));
  const CollectiveTime* time = collectives.Find(frame.device);
  if (time != nullptr && time->link_bytes_per_s) {
    text += fmt::format(", {} of the link's {} one way", FormatShare(*bus / *time->link_bytes_per_s),
                        FormatBandwidth(time->link_bytes_per_s));
  }
  return text;
}

}  // namespace

void RunExposedCollectives(Analysis& analysis, std::vector<Finding>& findings) {
  const Result<CollectivesResult>& collectives = analysis.Get<CollectivesPass>();
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!collectives.ok() || collectives->rows.empty() || !frame) return;
  const CollectiveBusy* busy = FindCollectiveBusy(*analysis.Get<CollectiveBusyPass>(), frame->device);
  if (busy == nullptr) return;
  const Exposure exposure = Measure(analysis, *frame, *busy);
  const double share = static_cast<double>(exposure.exposed_ns) / static_cast<double>(std::max<Ns>(1, frame->wall_ns));
  if (exposure.hideable_ns == 0 || share < ThresholdShare("finding_least_share")) return;
  Finding finding;
  finding.id = "exposed_collectives";
  finding.title = "Collectives run with nothing beside them";
  finding.gain_ns = frame->PerStep(exposure.hideable_ns);
  finding.severity = SeverityOfGain(*frame, *finding.gain_ns);
  finding.evidence.push_back(fmt::format("{} of {} ({}) only collectives run; {} of their {} are hidden behind other work",
                                         FormatDuration(frame->PerStep(exposure.exposed_ns)),
                                         frame->has_steps ? "every step" : "the window",
                                         FormatShare(exposure.exposed_ns, frame->wall_ns),
                                         FormatDuration(frame->PerStep(exposure.collective_ns - exposure.exposed_ns)),
                                         FormatDuration(frame->PerStep(exposure.collective_ns))));
  if (const std::string worst = WorstCollective(*collectives, *frame); !worst.empty()) finding.evidence.push_back(worst);
  if (exposure.wait_ns > 0) {
    finding.evidence.push_back(fmt::format("{} {} of the exposed time is waiting for other ranks: not counted here",
                                           FormatDuration(frame->PerStep(exposure.wait_ns)), frame->Unit()));
  } else if (analysis.given().ranks == nullptr) {
    finding.evidence.push_back("a part of it may be waiting for other ranks: report RANK0 RANK1 ... tells it apart");
  }
  finding.advice =
      "Start them earlier and beside compute: gradient buckets that fill sooner (DDP bucket_cap_mb), prefetch (FSDP), "
      "async_op=True on another stream; in tensor-parallel inference fuse or shrink them (one-shot or symmetric-memory "
      "all-reduce, sequence parallelism)";
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
