// The `kernels --by range` document: GPU work by nested ranges. Place in the flow: RangesResult -> Document -> text | JSON |
// CSV. Errors: none. Threads: pure functions.
#pragma once

#include "analysis/stats/ranges_pass.h"
#include "document/document.h"

namespace warpsight {

// {"by":"range","rows":[{"range","path":[...],"path_names_left_out","parent","domain","depth","style","instances","host_ns",
// "self_work","work","self_gpu_ns","gpu_ns","gpu_share","projected_ns"}],"gpu_work_ns"}; `limit` rows, 0 = all. "path" has
// the innermost 16 names, "parent" is the place in "rows" of the range around: whole paths are got by following it. Ranges
// that launch nothing are left out of the table, not of the JSON.
Document MakeRangesDocument(const RangesResult& ranges, int64_t limit);

}  // namespace warpsight
