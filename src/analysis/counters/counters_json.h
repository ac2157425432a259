// One kernel of the `counters` document as JSON. Metrics in base units; NaN and absent values are null.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/counters/counter_sections.h"
#include "analysis/counters/triage.h"
#include "counters/counter_report.h"
#include "counters/metric_unit.h"

namespace warpsight {

nlohmann::ordered_json TriageFindingsData(const Triage& triage);
// Rules that lack a metric: [{"id", "reason"}].
nlohmann::ordered_json NotEvaluatedData(const Triage& triage);

nlohmann::ordered_json CounterKernelData(const CounterReport& report, const ProfiledKernel& kernel, const UnitContext& units,
                                         const Triage& triage, const std::vector<SectionResult>& sections);

}  // namespace warpsight
