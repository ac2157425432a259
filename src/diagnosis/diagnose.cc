#include "diagnosis/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>

#include "analysis/collectives_pass.h"
#include "diagnosis/frame_work.h"
#include "diagnosis/gain_ledger.h"
#include "diagnosis/step_frame.h"
#include "diagnosis/step_host_time.h"
#include "document/units.h"

namespace warpsight {
namespace {

bool HasClaims(const Finding& finding) { return Sum(finding.claims.idle) > 0 || !finding.claims.rows.empty(); }

struct RuleOutcome {
  Status needs = OkStatus();
  std::vector<Finding> findings;
};

RuleOutcome RunRule(const Rule& rule, Analysis& analysis) {
  RuleOutcome outcome;
  outcome.needs = CheckNeeds(analysis.trace(), rule.needs);
  if (outcome.needs.ok() && rule.lacks != nullptr) outcome.needs = rule.lacks(analysis);
  if (outcome.needs.ok()) rule.run(analysis, outcome.findings);
  return outcome;
}

// Rules ask passes and nothing of one another: two threads take them as they come, on an Analysis each. With several ranks
// one thread: passes then ask the ranks' own Analyses, of which there is one set.
std::vector<Finding> RunRules(Analysis& analysis, std::vector<NotEvaluated>& not_evaluated) {
  const std::span<const Rule> rules = AllRules();
  std::vector<RuleOutcome> outcomes(rules.size());
  std::atomic<size_t> next{0};
  analysis.Share(analysis.given().ranks == nullptr ? 2 : 1, [&](Analysis& own, int) {
    for (size_t rule = next++; rule < rules.size(); rule = next++) outcomes[rule] = RunRule(rules[rule], own);
  });
  std::vector<Finding> findings;
  for (size_t rule = 0; rule < rules.size(); ++rule) {
    if (!outcomes[rule].needs.ok()) not_evaluated.push_back({rules[rule].id, outcomes[rule].needs.message()});
    std::ranges::move(outcomes[rule].findings, std::back_inserter(findings));
  }
  return findings;
}

// Turns claims into gains, in the order of the list.
class Settlement {
 public:
  Settlement(const StepFrame& frame, const FrameWork& work, const std::optional<Reconciliation>& reconciliation)
      : frame_(frame), ledger_(frame, work), reconciliation_(reconciliation) {}

  Ns step_ns() const { return reconciliation_ ? reconciliation_->step_ns() : frame_.PerStep(frame_.wall_ns); }
  Ns all_gains_ns() const { return PerStep(ledger_.granted()); }

  // False when too little is left to make the finding.
  bool Settle(Finding& finding) {
    if (!HasClaims(finding)) {
      if (finding.least_ns > 0) return false;
      if (finding.gain_ns) finding.gain_ns = PerStep(ledger_.GrantBusy(SaturatingMultiply(*finding.gain_ns, frame_.steps)));
      return true;
    }
    const std::optional<Granted> granted = ledger_.Grant(finding.claims, std::max<Ns>(1, finding.least_ns));
    if (!granted) return false;
    finding.gain_ns = PerStep(*granted);
    finding.severity = SeverityOfGain(*finding.gain_ns, step_ns());
    if (reconciliation_ && !reconciliation_->contradiction && granted->idle_ns > 0) {
      const Ns recorded = frame_.PerStep(granted->idle_ns);
      finding.evidence.push_back(fmt::format("its idle time, scaled to the measured step: {} instead of {}",
                                             FormatDuration(reconciliation_->ScaleIdle(recorded)),
                                             FormatDuration(recorded)));
    }
    if (const Ns elsewhere = finding.claims.total_ns() - granted->total_ns(); frame_.PerStep(elsewhere) > 0) {
      finding.evidence.push_back(fmt::format("{} more of it {} counted in other findings",
                                             FormatDuration(frame_.PerStep(elsewhere)),
                                             frame_.has_steps ? "a step is" : "is"));
    }
    return true;
  }

 private:
  static Ns SaturatingMultiply(Ns a, int64_t b) {
    Ns product = 0;
    return __builtin_mul_overflow(a, b, &product) ? kMaxNs : product;
  }
  Ns PerStep(const Granted& granted) const {
    const Ns idle = frame_.PerStep(granted.idle_ns);
    return frame_.PerStep(granted.busy_ns) + (reconciliation_ ? reconciliation_->ScaleIdle(idle) : idle);
  }

  const StepFrame& frame_;
  GainLedger ledger_;
  const std::optional<Reconciliation>& reconciliation_;
};

}  // namespace

Diagnosis Diagnose(Analysis& analysis) {
  Diagnosis diagnosis;
  // What several rules ask for, once for both threads.
  (void)MakeStepFrame(analysis);
  (void)analysis.Get<FrameWorkPass>();
  (void)analysis.Get<StepHostTimePass>();
  (void)analysis.Get<CollectivesPass>();
  std::vector<Finding> found = RunRules(analysis, diagnosis.not_evaluated);
  const std::optional<StepFrame> frame = MakeStepFrame(analysis);
  const Result<FrameWork>& work = analysis.Get<FrameWorkPass>();
  if (!frame || !work.ok()) {
    diagnosis.findings = std::move(found);
    return diagnosis;
  }
  if (const Result<Reconciliation>& measured = analysis.Get<ReconciliationPass>(); measured.ok()) {
    diagnosis.reconciliation = *measured;
  }
  Settlement settlement(*frame, *work, diagnosis.reconciliation);
  for (Finding& finding : found) {
    if (settlement.Settle(finding)) diagnosis.findings.push_back(std::move(finding));
  }
  diagnosis.step_ns = settlement.step_ns();
  diagnosis.all_gains_ns = settlement.all_gains_ns();
  std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.gain_ns.value_or(-1) > b.gain_ns.value_or(-1); });
  return diagnosis;
}

}  // namespace warpsight
