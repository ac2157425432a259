// ClassifyFiles: what several recordings given together are to one another, told from their content.
//
// Ranks of one run: each says that it is a rank of a larger world (distributedInfo), or its collectives have process groups
// of several ranks; the worlds agree and no rank comes twice. A reference: the second of two files, an eager step of what
// the first replays as a CUDA graph. Everything else is refused with a sentence that says why and what to give instead.
// Place in the flow: opened traces -> this -> Input. Errors: a role of kUnknown with its reason. Thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

enum class FilesRole : uint8_t { kSingle, kRanks, kReference, kUnknown };

struct FileRoles {
  FilesRole role = FilesRole::kUnknown;
  // With kRanks: by file. Where no file states its rank they are numbered in the order given.
  std::vector<int32_t> ranks;
  bool ranks_recorded = true;
  std::string problem;  // with kUnknown: one sentence for the user
};

// Processes of one capture of ours that are the ranks of a run, by number: at least two of them ran collectives. Empty
// otherwise, and for files of other recorders: those are not read a process at a time (ImportOptions::process).
std::vector<int64_t> RankProcesses(const Trace& trace);

FileRoles ClassifyFiles(std::span<const Trace* const> traces);

}  // namespace warpsight
