// Diagnose: runs every rule, settles what each would gain, and orders what they found.
//
// Gains are granted in the order of the rules' list (gain_ledger.h), so that no time counts twice: each gain, and their sum,
// is at most the step. With a measured step (reconciliation.h) the idle part of a gain is scaled to it.
// Place in the flow: passes -> rules -> Diagnosis -> report document. Units: ns per step.
// Errors: none; rules that could not run are listed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/reconciliation.h"
#include "diagnosis/rule.h"

namespace warpsight {

struct NotEvaluated {
  std::string_view rule;
  std::string reason;
};

struct Diagnosis {
  std::vector<Finding> findings;  // largest gain first, those without a gain after them
  std::vector<NotEvaluated> not_evaluated;
  Ns step_ns = 0;       // what gains are of: the measured step, else the recorded one; 0 without a frame
  Ns all_gains_ns = 0;  // all findings together
  std::optional<Reconciliation> reconciliation;
};

Diagnosis Diagnose(Analysis& analysis);

}  // namespace warpsight
