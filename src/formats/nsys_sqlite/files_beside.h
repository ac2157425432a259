// The files that SQLite keeps beside a database while programs write to it: their rows are not in the database itself.
//
// Place in the flow: importer -> this -> ledger. The importer reads one file and nothing else (source_vfs.h), so what stands
// in a write-ahead log or must be rolled back by a journal is missing, or wrong, without a sign of it in the database.
// Errors: none; what cannot be looked at is as if it were not there. Threads: one.
#pragma once

#include <string>

#include "trace/import_log.h"

namespace warpsight::nsys_sqlite {

// Looks for `path`-wal and `path`-journal; each that has something in it is a warning.
void NoteFilesBeside(const std::string& path, ImportLog& log);

}  // namespace warpsight::nsys_sqlite
