// NsysReportImporter: .nsys-rep and .qdrep files, Nsight Systems' own format, whose events only nsys can read.
//
// Place in the flow: ByteSource -> `nsys export` -> SQLite export -> NsysSqliteImporter. Works where nsys is on PATH.
// Errors: kLacks, with the command to run, where it is not; kUnreadable when nsys refuses the file. Threads: one, and a
// child process that is waited for.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "formats/importer.h"

namespace warpsight {

std::unique_ptr<Importer> MakeNsysReportImporter();

// "2024.6.2" of the head of a report; empty when it does not say (before the end of 2023).
std::string NsysReportVersion(std::string_view head);

}  // namespace warpsight
