#include "analysis/graph_node_origins.h"

#include <algorithm>
#include <vector>

#include "analysis/enclosing_events.h"

namespace warpsight {
namespace {

// Of clones of clones; in a damaged file nodes may be one another's originals.
constexpr int kMostClones = 64;

}  // namespace

uint32_t GraphNodeOrigins::Of(int64_t process, uint64_t node) {
  const auto [known, added] = known_.try_emplace({process, node}, kNoRow);
  if (!added) return known->second;
  const GraphNodeRow* row = Find(process, node);
  for (int i = 0; row != nullptr && row->original != 0; ++i) {
    const GraphNodeRow* const original = i < kMostClones ? Find(process, row->original) : nullptr;
    row = original;
  }
  if (row != nullptr) known->second = InnermostAt(row->thread, row->time_ns);
  return known->second;
}

const GraphNodeRow* GraphNodeOrigins::Find(int64_t process, uint64_t node) const {
  const std::vector<GraphNodeRow>& nodes = trace_.graph_nodes();
  const auto key = [&](const GraphNodeRow& row) { return std::pair(trace_.threads()[row.thread].pid, row.node); };
  const auto found = std::lower_bound(nodes.begin(), nodes.end(), std::pair(process, node),
                                      [&](const GraphNodeRow& row, const auto& wanted) { return key(row) < wanted; });
  return found != nodes.end() && key(*found) == std::pair(process, node) ? &*found : nullptr;
}

uint32_t GraphNodeOrigins::InnermostAt(ThreadIndex index, Ns time) const {
  const HostEvents& host = trace_.host();
  const Thread& thread = trace_.threads()[index];
  const auto first = host.start_ns.begin() + thread.first_call;
  const auto after = std::upper_bound(first, host.start_ns.begin() + thread.first_frame, time);
  if (after == first) return kNoRow;
  for (const uint32_t event : EnclosingEvents(host, static_cast<uint32_t>(after - host.start_ns.begin()) - 1)) {
    if (host.end_ns[event] > time) return event;
  }
  return kNoRow;
}

}  // namespace warpsight
