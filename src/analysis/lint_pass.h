// LintPass: runs every lint check over the whole recording.
//
// Place in the flow: trace + steps -> checks (analysis/lint/lint_check.h) -> this -> lint_document. The selection does not
// matter: lint is about the file. Errors: none, a check that finds nothing to look at is silent. Thread-compatible.
#pragma once

#include <string_view>

#include "analysis/lint/lint_check.h"
#include "analysis/pass.h"

namespace warpsight {

struct LintResult {
  LintFindings findings;  // worst first, then in the order of the checks
  size_t checks = 0;      // how many checks ran

  int64_t Count(LintSeverity severity) const;
  // Whether there is an error or a warning: exit status 1 of the verb.
  bool condition_holds() const { return Count(LintSeverity::kError) + Count(LintSeverity::kWarning) > 0; }
};

struct LintPass {
  using Output = LintResult;
  static constexpr std::string_view kName = "lint";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
