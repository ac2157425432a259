// The rows of `parts --rows`: every piece of GPU work with its part and the chain that told it, for JSON and CSV.
//
// Place in the flow: WorkParts -> array under "work" and a table. Errors: none. Pure functions.
#pragma once

#include "analysis/work_parts_pass.h"
#include "document/document.h"

namespace warpsight {

nlohmann::ordered_json WorkRowsJson(const WorkParts& parts);
Table WorkRowsTable(const WorkParts& parts);

}  // namespace warpsight
