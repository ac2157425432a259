// NsysSqliteImporter: SQLite exports of Nsight Systems, every version since 2019. What is known of the format:
// docs/formats/nsys.md.
//
// Place in the flow: ByteSource -> Trace. SQLite needs random access: a file is read in place, what comes through a pipe or
// compressed is taken into memory first.
// Errors: kUnreadable when the file is no database, no export of nsys, or its schema is damaged. Threads: starts its own.
#pragma once

#include <memory>

#include "formats/importer.h"

namespace warpsight {

std::unique_ptr<Importer> MakeNsysSqliteImporter();

}  // namespace warpsight
