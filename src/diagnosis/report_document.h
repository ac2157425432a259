// The `report` document: verdict, findings, then the small tables, and in JSON the documents of the other verbs under their
// names.
//
// Place in the flow: passes + Diagnosis -> Document -> text | JSON | page. Tables whose input is missing say so.
// Errors: none. Threads: one thread drives the Analysis.
#pragma once

#include "analysis/pass.h"
#include "document/document.h"

namespace warpsight {

struct ReportOptions {
  int64_t text_rows = 10;  // rows of the kernel and op tables in text
  bool full_names = false;
  // For a page (render/html_renderer.h): rows of those tables there, and with them the record and the charts. 0 = no page.
  int64_t page_rows = 0;
  bool expect = false;  // predict, then compare
  // The other verbs' JSON under their names; text and page need none of it.
  bool data = true;
};

Document MakeReportDocument(Analysis& analysis, const ReportOptions& options);

}  // namespace warpsight
