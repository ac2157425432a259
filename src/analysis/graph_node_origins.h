// GraphNodeOrigins: where in the program the nodes of CUDA graphs were made: the launch in a captured stream, or the call
// that added the node. Work of a replay names its node; nodes of a graph that is instantiated are clones, whose chain of
// originals leads to the one that was made.
//
// Place in the flow: Trace::graph_nodes -> this -> attribution. Each node is looked for once, however often it is replayed.
// Cost: a binary search a node. Errors: kNoRow. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "trace/trace.h"

namespace warpsight {

class GraphNodeOrigins {
 public:
  explicit GraphNodeOrigins(const Trace& trace) : trace_(trace) {}

  // The innermost host event, frames apart, in which its thread was when the node was made; kNoRow when that was not
  // recorded. `process`: whose node it is.
  uint32_t Of(int64_t process, uint64_t node);

 private:
  const GraphNodeRow* Find(int64_t process, uint64_t node) const;
  uint32_t InnermostAt(ThreadIndex index, Ns time) const;

  const Trace& trace_;
  std::map<std::pair<int64_t, uint64_t>, uint32_t> known_;
};

}  // namespace warpsight
