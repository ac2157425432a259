// CaptureParts: the files that the recorded processes wrote, joined to one.
//
// Place in the flow: run_target -> this -> the capture file. The parts lie in a folder beside the output, so that a single
// one is moved, not copied. Errors: Status with the place. Threads: one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace warpsight {

struct JoinedCapture {
  int processes = 0;
  uint64_t bytes = 0;
  // As the processes counted: "records_kept", "dropped_by_cupti", ...
  std::map<std::string, uint64_t> counts;
  int unfinished = 0;  // processes that ended without closing their part
  int unreadable = 0;  // parts that are no captures, left where they are
};

// What one process wrote: one file, or of a ring one for each chunk that is left.
struct StoredPart {
  std::string name;  // "PROCESS-SESSION"
  std::vector<std::filesystem::path> files;

  // Of no process, but of the machine: samples of GPU metrics.
  bool of_machine() const { return name.starts_with("0-"); }
};
std::vector<StoredPart> PartsOf(const std::string& folder);
// As if it were one file.
std::string BytesOfPart(const StoredPart& part);

// Makes the folder that the processes write to, beside the output: its path from the root; empty when it can't be made, and
// `errno` says why.
std::string MakePartsFolder(const std::string& output);

// Joins all parts of `folder` into `output`, which is replaced. No parts: processes == 0 and no file.
Result<JoinedCapture> JoinParts(const std::string& folder, const std::string& output);

}  // namespace warpsight
