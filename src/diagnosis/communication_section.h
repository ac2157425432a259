// The part of a report about what ranks say to each other: the collectives of the reported rank, and, where several ranks
// are given, how they wait for one another.
//
// Place in the flow: CollectivesPass (and ranks) -> blocks and JSON of the report. A recording without collectives has the
// JSON key and no text. Errors: none. One thread drives the Analysis.
#pragma once

#include "analysis/pass.h"
#include "document/document.h"

namespace warpsight {

void AddCommunication(Analysis& analysis, Document& report);

}  // namespace warpsight
