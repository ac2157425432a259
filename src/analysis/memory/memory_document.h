// The `memory` document. Place in the flow: MemoryResult -> Document -> JSON. Errors: none. Threads: pure functions.
#pragma once

#include "analysis/memory/memory_pass.h"
#include "document/document.h"

namespace warpsight {

// {"usage":[{"name","process","device","allocator","samples","first_bytes","last_bytes","least_bytes","peak_bytes","start_ns",
// "device_bytes"}],"copies":[{"kind","direction","from","to","device","count","total_ns","bytes","bytes_per_s","longest_row"}],
// "calls":[{"name","calls","total_ns","calls_in_steps","in_steps_ns"}],"steps","reports_without_totals"}. "start_ns" of
// usage is when the peak was reached. Of copies, "direction" is null of sets and where it was not recorded.
Document MakeMemoryDocument(const MemoryResult& memory);

}  // namespace warpsight
