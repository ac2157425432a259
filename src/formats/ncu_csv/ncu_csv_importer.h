// The importer of what `ncu --csv` prints: the raw, details and source (SASS) pages.
//
// Messages of ncu and of the program may stand before and between the records. Values are turned into base units; a kernel
// has what its page has. docs/formats/ncu-csv.md has the layout.
#pragma once

#include <memory>

#include "formats/counter_importer.h"

namespace warpsight {

std::unique_ptr<CounterImporter> MakeNcuCsvImporter();

}  // namespace warpsight
