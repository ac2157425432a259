// What a page takes from the model, its parts and the roofline: charts, and the facts of the record.
//
// Place in the flow: PartsPass, ModelPass, RooflinePass -> these -> report document. A result that is not there leaves its
// chart out and its fact empty (the record then says "not evaluated"). Errors: none. Thread-compatible.
#pragma once

#include <optional>

#include "analysis/parts_pass.h"
#include "analysis/roofline_pass.h"
#include "diagnosis/report_charts.h"
#include "diagnosis/report_record.h"

namespace warpsight {

BarChart PartsChartOf(const PartsResult& parts);

// Of the device that does most of the work; absent when its peaks are not known or nothing has a cost.
std::optional<Scatter> RooflineChartOf(const RooflineResult& roofline);

RecordFacts RecordFactsOf(Analysis& analysis);

}  // namespace warpsight
