// The verdict: one sentence in words and numbers that answers "which part is slow".
//
// Place in the flow: step frame -> sentence, the first line of a report. Errors: none. Thread-compatible.
#pragma once

#include <string>

#include "analysis/pass.h"

namespace warpsight {

// "3 steps of 49.99 ms; the GPU worked 2.204 ms (4.4 %): overhead-bound, 925 launches per step".
std::string Verdict(Analysis& analysis);

}  // namespace warpsight
