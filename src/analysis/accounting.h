// Account: what the model predicts of a step against what the recording holds, line by line, with the likely cause of a
// difference. Lines whose expectation is not known are left out, never guessed.
//
// Counts are per step (forward work only; a step of several passes expects as many); without steps per forward pass.
// Place in the flow: WorkParts, ModelResult -> PartsResult -> parts document. Errors: none. Threads: pure function.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/model_pass.h"
#include "analysis/work_parts_pass.h"

namespace warpsight {

struct AccountingLine {
  std::string what;  // "linear calls"
  double expected = 0;
  double seen = 0;
  bool ok = false;
  std::string how;    // how the expectation comes about: "7 x 22 layers + 1"
  std::string cause;  // likely reason of a difference; empty when ok
};

std::vector<AccountingLine> Account(const WorkParts& parts, const ModelResult& model, size_t steps);

}  // namespace warpsight
