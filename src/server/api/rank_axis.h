// RankAxis: whether the open traces are ranks of one run, and how far each is to be moved to stand on the first one's clock.
//
// The clocks are those of `report RANK0 RANK1 ...` (analysis/ranks_pass.h): aligned on the ends of common collectives, with
// an error, or refused with the reason, never guessed. Worked out on the first question after all files have been read,
// once. Place in the flow: TraceStore -> RankAxis -> the answer `ranks`. Units: ns. Errors: none; what is wrong is the
// answer. Thread-safe: one works it out, the others wait.
#pragma once

#include <mutex>
#include <optional>

#include "server/api/json_text.h"
#include "server/api/trace_store.h"

namespace warpsight::server {

class RankAxis {
 public:
  // The store is borrowed.
  explicit RankAxis(const TraceStore& traces) : traces_(traces) {}

  Json Answer();

 private:
  const TraceStore& traces_;
  std::mutex mutex_;
  std::optional<Json> known_;
};

}  // namespace warpsight::server
