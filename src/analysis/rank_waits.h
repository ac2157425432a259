// Waits and transfers of the matched collectives, summed by rank and by collective.
//
// Place in the flow: RanksResult with its rows, matches and clocks -> this -> slow_rank, ranks_document. Units: ns.
// One thread.
#pragma once

#include "analysis/ranks_pass.h"

namespace warpsight {

// Fills the waits of every row, `collectives`, and the arrival times where the clocks can be compared.
void SumWaits(RanksResult& result);

}  // namespace warpsight
