// A rank that the others wait for in their collectives.
#include <fmt/format.h>

#include "analysis/ranks_document.h"
#include "analysis/thresholds.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_frame.h"
#include "document/units.h"

namespace warpsight {

// The gain is the exposed part of the wait: waiting that other work hides costs no step time.
void RunSlowRank(Analysis& analysis, std::vector<Finding>& findings) {
  if (analysis.given().ranks == nullptr) return;
  const Result<RanksResult>& ranks = analysis.Get<RanksPass>();
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  if (!ranks.ok() || !ranks->slow || !frame) return;
  const SlowRank& slow = *ranks->slow;
  const RankRow& row = ranks->rows[slow.row];
  Finding finding;
  finding.id = "slow_rank";
  finding.title = fmt::format("The ranks wait for rank {}", row.rank);
  finding.gain_ns = slow.exposed_wait_ns;
  finding.severity = SeverityOfGain(*frame, slow.exposed_wait_ns);
  finding.evidence.push_back(SlowRankSentence(*ranks));
  for (const std::string& cause : slow.causes) finding.evidence.push_back(cause);
  finding.advice = fmt::format(
      "Make rank {} as fast as the others: report {} shows what it does; check its share of the data, its CPU cores and "
      "NUMA node, and other work on its host",
      row.rank, row.file);
  findings.push_back(std::move(finding));
}

}  // namespace warpsight
