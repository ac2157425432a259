// What the tests of rules share: run all rules over a trace made by hand, and look at one finding. Test code only.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "diagnosis/diagnose.h"
#include "diagnosis/launched_trace.h"

namespace warpsight::testing {

inline Diagnosis DiagnoseTrace(const Trace& trace, Given given = {}) {
  Analysis analysis(trace, {}, given);
  return Diagnose(analysis);
}

// Null when it was not found.
inline const Finding* Find(const Diagnosis& diagnosis, std::string_view id) {
  const auto found = std::ranges::find(diagnosis.findings, id, &Finding::id);
  return found == diagnosis.findings.end() ? nullptr : &*found;
}

// All evidence, a sentence a line.
inline std::string Evidence(const Finding& finding) {
  std::string all;
  for (const std::string& line : finding.evidence) all += line + "\n";
  return all;
}

// The reason why a rule was not evaluated; empty when it was.
inline std::string WhyNot(const Diagnosis& diagnosis, std::string_view rule) {
  const auto found = std::ranges::find(diagnosis.not_evaluated, rule, &NotEvaluated::rule);
  return found == diagnosis.not_evaluated.end() ? "" : found->reason;
}

}  // namespace warpsight::testing
