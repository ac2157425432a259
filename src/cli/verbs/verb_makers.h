// The verbs' factories: one declaration a verb.
#pragma once

#include <memory>
#include <optional>

#include "cli/verb.h"

namespace warpsight {

std::unique_ptr<Verb> MakeReportVerb();
std::unique_ptr<Verb> MakeInfoVerb();
std::unique_ptr<Verb> MakeOpsVerb();
std::unique_ptr<Verb> MakeKernelsVerb();
std::unique_ptr<Verb> MakeStepsVerb();
std::unique_ptr<Verb> MakeIdleVerb();
std::unique_ptr<Verb> MakeRooflineVerb();
std::unique_ptr<Verb> MakePartsVerb();
std::unique_ptr<Verb> MakeCountersVerb();
std::unique_ptr<Verb> MakeSourceVerb();
std::unique_ptr<Verb> MakeStatsVerb();
std::unique_ptr<Verb> MakeLintVerb();
std::unique_ptr<Verb> MakeDiffVerb();
std::unique_ptr<Verb> MakeExportVerb();
std::unique_ptr<Verb> MakeExplainVerb();

}  // namespace warpsight
