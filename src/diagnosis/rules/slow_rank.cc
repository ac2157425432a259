// A rank that the others wait for in their collectives.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/ranks_document.h"
#include "diagnosis/frame_work.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr IdleClass kHostClasses[] = {IdleClass::kHostWork, IdleClass::kLaunch, IdleClass::kSync, IdleClass::kRoundTrip,
                                      IdleClass::kDeviceWait};

double Share(Ns part, Ns whole) { return whole <= 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole); }

// On a rank that waits: the exposed waits themselves, as far as they lie in its steps.
Claims WaitsFor(const RanksResult& ranks, const FrameWork& work, size_t slow) {
  Claims claims;
  for (const MainWait& wait : ranks.main_waits) {
    if (wait.cause != slow || wait.gpu_row < work.first_row || wait.gpu_row >= work.end_row()) continue;
    claims.Add(wait.gpu_row, std::min(wait.exposed_wait_ns, work.OwnNs(wait.gpu_row)));
  }
  return claims;
}

// On the slow rank: the idle time and the compute that it has more of than the others, up to `lost` over all steps.
Claims Excess(const StepFrame& frame, const FrameWork& work, const SlowRank& slow, Ns lost) {
  Claims claims;
  const double longer = static_cast<double>(slow.idle_longer_ns) + static_cast<double>(slow.compute_longer_ns);
  if (longer <= 0) return claims;
  const double of_idle = static_cast<double>(lost) * static_cast<double>(slow.idle_longer_ns) / longer;
  Ns idle = 0;
  for (const IdleClass kind : kHostClasses) idle += PartOf(frame.idle, kind);
  for (const IdleClass kind : kHostClasses) {
    const Ns part = PartOf(frame.idle, kind);
    const double wanted = of_idle * Share(part, idle);
    PartOf(claims.idle, kind) = wanted >= static_cast<double>(part) ? part : static_cast<Ns>(wanted);
  }
  Ns compute = 0;
  for (uint32_t row = work.first_row; row < work.end_row(); ++row)
    compute += work.Family(row) == "collective" ? 0 : work.OwnNs(row);
  const double share = std::min(1.0, (static_cast<double>(lost) - of_idle) / static_cast<double>(std::max<Ns>(1, compute)));
  for (uint32_t row = work.first_row; row < work.end_row() && share > 0; ++row) {
    const Ns own = work.OwnNs(row);
    const Ns part = share >= 1.0 ? own : static_cast<Ns>(static_cast<double>(own) * share);
    if (work.Family(row) != "collective" && part > 0) claims.Add(row, part);
  }
  return claims;
}

}  // namespace

Status LacksRanks(Analysis& analysis) {
  const Result<CollectivesResult>& collectives = analysis.Get<CollectivesPass>();
  const bool several = analysis.trace().recording().world_size > 1 || (collectives.ok() && !collectives->rows.empty());
  if (analysis.given().ranks != nullptr || !several) return OkStatus();
  return LacksError("one rank is given: report RANK0 RANK1 ... tells who waits for whom");
}

// The gain is the exposed part of the wait: waiting that other work hides costs no step time.
void RunSlowRank(Analysis& analysis, std::vector<Finding>& findings) {
  if (analysis.given().ranks == nullptr) return;
  const Result<RanksResult>& ranks = analysis.Get<RanksPass>();
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!ranks.ok() || !ranks->slow || !frame || !work.ok()) return;
  const SlowRank& slow = *ranks->slow;
  const RankRow& row = ranks->rows[slow.row];
  Finding finding;
  finding.id = "slow_rank";
  finding.title = fmt::format("The ranks wait for rank {}", row.rank);
  finding.claims = slow.row == ranks->main ? Excess(*frame, *work, slow, row.waits->caused_exposed_wait_ns)
                                           : WaitsFor(*ranks, *work, slow.row);
  if (finding.claims.total_ns() == 0) finding.severity = Severity::kLow;  // all of the waiting is hidden
  finding.evidence.push_back(SlowRankSentence(*ranks));
  for (const std::string& cause : slow.causes) finding.evidence.push_back(cause);
  finding.advice = fmt::format(
      "Make rank {} as fast as the others: report {} shows what it does; check its share of the data, its CPU cores and "
      "NUMA node, and other work on its host",
      row.rank, row.file);
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
