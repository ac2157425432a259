// Collectives that nothing overlaps: the GPU's compute units wait for the links.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/collective_busy.h"
#include "analysis/collectives_document.h"
#include "analysis/ranks_pass.h"
#include "diagnosis/exposed_time.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

struct Communication {
  Ns collective_ns = 0;     // union, in the steps
  Ns exposed_ns = 0;        // nothing else ran
  Ns compute_alone_ns = 0;  // other work that runs without a collective so far: what could hide them
};

Communication Measure(const StepFrame& frame, const CollectiveBusy& busy) {
  Communication sums;
  for (const Interval window : frame.windows) {
    const Ns collective = busy.collectives.Measure(window);
    const Ns exposed = busy.Exposed(window);
    sums.collective_ns = SaturatingAdd(sums.collective_ns, collective);
    sums.exposed_ns = SaturatingAdd(sums.exposed_ns, exposed);
    sums.compute_alone_ns = SaturatingAdd(sums.compute_alone_ns, busy.others.Measure(window) - (collective - exposed));
  }
  return sums;
}

// Takes the exposed time that is waiting for another rank off the rows: that is not the links' time. Returns its sum.
Ns TakeOffWaits(Analysis& analysis, ExposedTime& exposed) {
  if (analysis.given().ranks == nullptr) return 0;
  const Result<RanksResult>& ranks = analysis.Get<RanksPass>();
  if (!ranks.ok()) return 0;
  std::map<uint32_t, Ns> wait_of_row;
  for (const MainWait& wait : ranks->main_waits) wait_of_row[wait.gpu_row] = wait.exposed_wait_ns;
  Ns taken = 0;
  for (Claims::Row& row : exposed.rows) {
    const auto found = wait_of_row.find(row.gpu_row);
    if (found == wait_of_row.end()) continue;
    const Ns wait = std::min(row.time_ns, found->second);
    row.time_ns -= wait;
    taken = SaturatingAdd(taken, wait);
  }
  return taken;
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
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!collectives.ok() || collectives->rows.empty() || !frame || !work.ok()) return;
  const CollectiveBusy* busy = FindCollectiveBusy(*analysis.Get<CollectiveBusyPass>(), frame->device);
  if (busy == nullptr) return;
  const Communication sums = Measure(*frame, *busy);
  ExposedTime exposed = MeasureExposed(analysis.trace(), *frame, *work, [&](uint32_t row) {
    return std::binary_search(busy->rows.begin(), busy->rows.end(), row);
  });
  const Ns waits = TakeOffWaits(analysis, exposed);
  exposed.others_ns = sums.compute_alone_ns;
  Finding finding;
  finding.id = "exposed_collectives";
  finding.title = "Collectives run with nothing beside them";
  finding.claims = HideBehindOthers(exposed);
  finding.least_ns = std::max<Ns>(1, LeastBusyGain(*frame));
  finding.evidence.push_back(fmt::format(
      "{} of {} ({}) only collectives run; {} of their {} are hidden behind other work",
      FormatDuration(frame->PerStep(sums.exposed_ns)), frame->has_steps ? "every step" : "the window",
      FormatShare(sums.exposed_ns, frame->wall_ns), FormatDuration(frame->PerStep(sums.collective_ns - sums.exposed_ns)),
      FormatDuration(frame->PerStep(sums.collective_ns))));
  if (const std::string worst = WorstCollective(*collectives, *frame); !worst.empty()) finding.evidence.push_back(worst);
  if (waits > 0) {
    finding.evidence.push_back(fmt::format("{} {} of the exposed time is waiting for other ranks: not counted here",
                                           FormatDuration(frame->PerStep(waits)), frame->Unit()));
  } else if (analysis.given().ranks == nullptr) {
    finding.evidence.push_back("a part of it may be waiting for other ranks: report RANK0 RANK1 ... tells it apart");
  }
  finding.advice = FindingAdvice(analysis, "overlap_collectives");
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
