#include "cli/verb.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {

std::vector<std::unique_ptr<Verb>> MakeVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(MakeReportVerb());
  verbs.push_back(MakeInfoVerb());
  verbs.push_back(MakeOpsVerb());
  verbs.push_back(MakeKernelsVerb());
  verbs.push_back(MakeStepsVerb());
  verbs.push_back(MakeIdleVerb());
  verbs.push_back(MakeRooflineVerb());
  verbs.push_back(MakePartsVerb());
  verbs.push_back(MakeCountersVerb());
  verbs.push_back(MakeSourceVerb());
  verbs.push_back(MakeStatsVerb());
  verbs.push_back(MakeLintVerb());
  verbs.push_back(MakeDiffVerb());
  verbs.push_back(MakeExportVerb());
  verbs.push_back(MakeExplainVerb());
  return verbs;
}

}  // namespace warpsight
