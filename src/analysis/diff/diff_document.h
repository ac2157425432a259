// The `diff` document: what differs between two recordings, as JSON, tables, or one table for CSV.
//
// Place in the flow: DiffResult, answers of --fail-if -> Document -> text | JSON | CSV (the kernels). JSON has all rows;
// text the first of each table, and what the others sum up to, so that the listed changes and "not listed" are the whole.
// Errors: none. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/diff/diff.h"
#include "analysis/diff/diff_condition.h"
#include "document/document.h"

namespace warpsight {

struct DiffDocumentOptions {
  int64_t limit = 12;  // rows of a table in text; 0 = all. JSON and CSV have all
  bool full_names = false;
  bool table_only = false;  // for CSV: the kernels and nothing else
};

Document MakeDiffDocument(const DiffResult& diff, const std::vector<ConditionAnswer>& conditions,
                          const DiffDocumentOptions& options);

}  // namespace warpsight
