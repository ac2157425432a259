#include "diagnosis/diagnose.h"

#include <algorithm>

namespace warpsight {

Diagnosis Diagnose(Analysis& analysis) {
  Diagnosis diagnosis;
  for (const Rule& rule : AllRules()) {
    const Status needs = CheckNeeds(analysis.trace(), rule.needs);
    if (needs.ok()) {
      rule.run(analysis, diagnosis.findings);
    } else {
      diagnosis.not_evaluated.push_back({rule.id, needs.message()});
    }
  }
  std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.gain_ns.value_or(-1) > b.gain_ns.value_or(-1); });
  return diagnosis;
}

}  // namespace warpsight
