// Reader of Nsight Compute reports (.ncu-rep, .nsight-cuprof-report of 2019 and 2020, .ncu-repz), every version seen.
//
// The file is read into memory once; the report's texts and code are views into it. See docs/formats/ncu-rep.md.
#pragma once

#include <memory>

#include "formats/counter_importer.h"

namespace warpsight {

std::unique_ptr<CounterImporter> MakeNcuRepImporter();

}  // namespace warpsight
