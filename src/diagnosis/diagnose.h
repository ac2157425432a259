// Diagnose: runs every rule and orders what they found.
//
// Place in the flow: passes -> rules -> Diagnosis -> report document. Errors: none; rules that could not run are listed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/rule.h"

namespace warpsight {

struct NotEvaluated {
  std::string_view rule;
  std::string reason;
};

struct Diagnosis {
  std::vector<Finding> findings;  // largest gain first, those without a gain after them
  std::vector<NotEvaluated> not_evaluated;
};

Diagnosis Diagnose(Analysis& analysis);

}  // namespace warpsight
