// FinishRows: what only the whole file can tell about its rows, once all tables are read.
//
//   correlation ids   nsys counts them per process, the model per file: with several processes each gets a stretch of its
//   own NVTX domains      a domain's name stands in a row of its own, anywhere in the table open ranges       drawn to the
//   last time of any range, as nsys itself does names             of the threads and processes that have rows
// Place in the flow: ReadTables -> FinishRows -> Seal. Errors: none. Threads: one.
#pragma once

#include <vector>

#include "formats/nsys_sqlite/table_parts.h"
#include "trace/trace_builder.h"

namespace warpsight::nsys_sqlite {

// The finished shards, in file order; never empty. `log` (facts about the file itself) is joined to the first.
// Gives the CPU samples their stacks (sample_tables.cc).
void JoinStacks(TableParts& parts, ImportLog& log);

std::vector<TraceShard> FinishRows(TableParts parts, const FileFacts& facts, ImportLog log);

}  // namespace warpsight::nsys_sqlite
