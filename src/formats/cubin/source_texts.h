// The texts of the source files that a function's code came from.
//
// They are those that the report holds (ncu --import-source yes); else the file of that path on this machine, when it is a
// plain file; nothing else is looked for. Errors: none; a text that is nowhere is missing. Threads: thread-safe.
#pragma once

#include <vector>

#include "counters/counter_report.h"
#include "counters/function_code.h"

namespace warpsight {

// One a file of the code. `module` may be null.
std::vector<SourceText> FindSourceTexts(const FunctionCode& code, const CodeModule* module);

}  // namespace warpsight
