// The `steps` document: one row per step and device, as JSON rows and as one table.
//
// Place in the flow: StepsResult -> Document -> text | JSON | CSV. What a recording without GPU work cannot know is null.
// Errors: CheckSteps. Threads: pure functions.
#pragma once

#include "analysis/steps_pass.h"
#include "document/document.h"

namespace warpsight {

// Why there are no steps, as a clause.
inline constexpr std::string_view kNoStepsText =
    "there is no ProfilerStep, no range that repeats and holds most launches, and no launch sequence that repeats";

// kLacks with what to do when there is no step to show.
Status CheckSteps(const StepsResult& steps);

struct StepsDocumentOptions {
  // Rows of the table in text; of more, those of the longest steps come first, behind a sentence about all. 0 = every row.
  int64_t limit = 0;
  int64_t page_rows = 0;  // more than `limit`: the table holds so many, of which text shows `limit`
  bool data = true;       // the rows as JSON, always all and in their order
};

Document MakeStepsDocument(const StepsResult& steps, const StepsDocumentOptions& options = {});

}  // namespace warpsight
