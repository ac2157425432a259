// Nodes of CUDA graphs in sealing: their threads are mapped, and they are sorted by process and node.
#include <algorithm>
#include <tuple>

#include "trace/sealer.h"

namespace warpsight {

void Sealer::SealGraphNodes() {
  std::vector<GraphNodeRow>& nodes = trace_.graph_nodes_;
  for (TraceShard& shard : shards_) {
    const NameMaps& map = maps(shard);
    for (GraphNodeRow row : shard.graph_nodes) {
      row.thread = map.threads[row.thread];
      nodes.push_back(row);
    }
    shard.graph_nodes = {};
  }
  const auto key = [this](const GraphNodeRow& row) {
    return std::tuple(trace_.threads_[row.thread].pid, row.node, row.original == 0, row.time_ns);
  };
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](const GraphNodeRow& a, const GraphNodeRow& b) { return key(a) < key(b); });
}

}  // namespace warpsight
