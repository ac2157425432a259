// The `lint` document: problems of the recording itself, worst first.
//
// Place in the flow: LintResult -> Document -> text | JSON. Errors: none. Threads: pure functions.
#pragma once

#include "analysis/lint_pass.h"
#include "document/document.h"

namespace warpsight {

Document MakeLintDocument(const LintResult& lint);

}  // namespace warpsight
