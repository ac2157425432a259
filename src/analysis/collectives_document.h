// The collectives of a rank as a Document: what they moved, how fast, and how much of their time nothing hid.
//
// Place in the flow: CollectivesResult -> Document -> report. Errors: none. Thread-safe.
#pragma once

#include "analysis/collectives_pass.h"
#include "document/document.h"

namespace warpsight {

struct CollectivesDocumentOptions {
  int64_t limit = 0;         // rows in text; 0 = all
  bool ranks_given = false;  // the other ranks are in the same report
};

Document MakeCollectivesDocument(const CollectivesResult& collectives, const CollectivesDocumentOptions& options);

// "128.0 MB", "228.1 GB/s": how results of several ranks name the same things.
std::string FormatBandwidth(std::optional<double> bytes_per_s);
// "all_reduce", else the recorded name.
std::string CollectiveName(const CollectiveRow& row);

}  // namespace warpsight
