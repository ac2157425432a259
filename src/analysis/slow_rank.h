// Which rank the others wait for, and what it does longer than they do.
//
// Steps of all ranks take the same time, and wall = compute + exposed collectives + idle on each of them: so what the others
// spend waiting, the slow rank spends computing or idle. The differences say which; the host events of its idle time say in
// what. Place in the flow: rows of RanksResult with their waits -> this. Units: ns per step. One thread.
#pragma once

#include "analysis/ranks_pass.h"

namespace warpsight {

// Sets `slow`, or `no_slow_rank` when none stands out.
void FindSlowRank(RanksResult& result);

}  // namespace warpsight
