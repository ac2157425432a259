// RankMatching: which collective call of one rank is which of another.
//
// NCCL runs the collectives of a process group in the same order on every rank, so the calls of a group are matched by their
// place in that order. Where two ranks start at different places (one file is cut short, the recordings began in different
// steps) the shift between the two orders is told by step numbers, else by the one shift at which kinds, types and bytes
// agree, else, of several such shifts, by the one at which the calls' ends lie closest to a constant distance.
// Calls without a recorded group are matched by stream and order, and only where their ends agree (thresholds
// rank_clock_*). Point-to-point calls are never matched: the recording does not name the peer.
// Place in the flow: CollectivesPass of each rank -> matches -> waits, clock alignment. Units: ns, each rank on its own
// clock. Thread-compatible.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/collectives_pass.h"
#include "trace/trace.h"

namespace warpsight {

struct RankCalls {
  const Trace* trace = nullptr;
  const CollectivesResult* collectives = nullptr;  // null = the rank has no GPU work
  std::vector<int64_t> step_numbers;               // N of ProfilerStep#N by step; empty = steps carry no number
};

struct MatchedGroup {
  std::string name;               // process group; "stream 7" when none is recorded
  std::string ranks;              // as recorded
  std::vector<uint32_t> members;  // ranks given (indices of the input) that took part, ascending
  // matches x members, by order of the calls: index into that rank's CollectivesResult::calls.
  std::vector<uint32_t> calls;
  bool recorded = true;  // the group is in the recording
  std::string note;      // how it was matched when that is not certain; empty = by the full order

  size_t matches() const { return members.empty() ? 0 : calls.size() / members.size(); }
  uint32_t Call(size_t match, size_t member) const { return calls[match * members.size() + member]; }
};

struct RankMatching {
  std::vector<MatchedGroup> groups;  // with at least one match
  int64_t matched = 0;
  int64_t unmatched = 0;           // calls, over all ranks
  std::vector<std::string> notes;  // why calls were left out, a sentence each
};

RankMatching MatchRanks(std::span<const RankCalls> ranks);

}  // namespace warpsight
