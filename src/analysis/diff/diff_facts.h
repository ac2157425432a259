// FactsOfBoth: what two recordings say of the device, the model and the program, side by side: a difference in one of these
// explains a difference in time before any kernel does.
//
// Place in the flow: recordings, ModelPass -> facts -> diff. Unknown is empty. Errors: none. One thread.
#pragma once

#include <vector>

#include "analysis/diff/diff.h"

namespace warpsight {

std::vector<DiffFact> FactsOfBoth(Analysis& a, Analysis& b);

}  // namespace warpsight
