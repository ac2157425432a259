// Several ranks of one run as a Document: a row a rank, who waits for whom and why, the collectives parted into wait and
// transfer, and what is known of the clocks.
//
// Place in the flow: RanksResult + a verdict of each rank -> Document -> report. JSON times are per step (of the window when
// there are no steps; `per` says which) but those that begin with total_. Errors: none. Thread-safe.
#pragma once

#include <span>
#include <string>

#include "analysis/ranks_pass.h"
#include "document/document.h"

namespace warpsight {

// `verdicts`: one sentence a rank row, or empty.
Document MakeRanksDocument(const RanksResult& ranks, std::span<const std::string> verdicts);

// "rank 0 is the slow one: rank 1 waits 5.154 ms a step for it, ...", or why no rank is named.
std::string SlowRankSentence(const RanksResult& ranks);

}  // namespace warpsight
