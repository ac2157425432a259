// The `report` document: verdict, findings, then the small tables, and in JSON the documents of the other verbs under their
// names.
//
// Place in the flow: passes + Diagnosis -> Document -> text | JSON. Tables whose input is missing say so.
// Errors: none. Threads: one thread drives the Analysis.
#pragma once

#include "analysis/pass.h"
#include "document/document.h"

namespace warpsight {

struct ReportOptions {
  int64_t text_rows = 10;  // rows of the kernel and op tables in text
  bool full_names = false;
};

Document MakeReportDocument(Analysis& analysis, const ReportOptions& options);

}  // namespace warpsight
