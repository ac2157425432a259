// The `steps` document: one row per step and device, as JSON rows and as one table.
//
// Place in the flow: StepsResult -> Document -> text | JSON | CSV. What a recording without GPU work cannot know is null.
// Errors: none. Threads: pure functions.
#pragma once

#include "analysis/steps_pass.h"
#include "document/document.h"

namespace warpsight {

Document MakeStepsDocument(const StepsResult& steps);

}  // namespace warpsight
