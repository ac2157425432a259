// GPU side of sealing: sort and gather, then the attribution chain work -> launch (correlation id) -> op (External id).
#include <algorithm>
#include <tuple>

#include "trace/id_index.h"
#include "trace/run_sort.h"
#include "trace/sealer.h"

namespace warpsight {
namespace {

// For every host row the op or range that is innermost at it, itself included: calls and others are stepped over. Parents
// stand before their children, so one pass is enough however deep the nesting.
LargeVector<uint32_t> InnermostOps(const HostEvents& host) {
  LargeVector<uint32_t> innermost(host.size());
  for (uint32_t row = 0; row < host.size(); ++row) {
    const bool is_op = host.kind[row] == HostKind::kOp || host.kind[row] == HostKind::kRange;
    innermost[row] = is_op ? row : host.parent[row] == kNoRow ? kNoRow : innermost[host.parent[row]];
  }
  return innermost;
}

}  // namespace

void Sealer::SealGpu() {
  struct Key : RowKey {
    int32_t device = 0;
    StreamIndex stream = 0;
  };
  LargeVector<Key> keys;
  size_t count = 0;
  for (const TraceShard& shard : shards_) count += shard.gpu.size();
  keys.reserve(count);
  for (uint32_t s = 0; s < shards_.size(); ++s) {
    const std::vector<StreamIndex>& streams = maps(shards_[s]).streams;
    for (uint32_t i = 0; i < shards_[s].gpu.size(); ++i) {
      const GpuWorkRow& row = shards_[s].gpu[i];
      const StreamIndex stream = streams[row.stream];
      keys.push_back(
          {{row.start_ns, SaturatingAdd(row.start_ns, row.duration_ns), s, i}, trace_.streams_[stream].device, stream});
    }
  }
  RunSort(keys, [](const Key& a, const Key& b) {
    return std::tie(a.device, a.start, a.end, a.stream) < std::tie(b.device, b.start, b.end, b.stream);
  });
  GatherGpu({keys.begin(), keys.end()});
}

void Sealer::GatherGpu(const LargeVector<RowKey>& order) {
  GpuWork& gpu = trace_.gpu_;
  const size_t count = order.size();
  const auto resize = [count](auto&... columns) { (columns.resize(count), ...); };
  resize(gpu.start_ns, gpu.end_ns, gpu.name, gpu.kind, gpu.stream, gpu.correlation, gpu.external_id, gpu.bytes,
         gpu.launch_config, gpu.collective, gpu.graph_id, gpu.graph_node_id, gpu.copy_kind, gpu.source_memory,
         gpu.destination_memory, gpu.source);
  gpu.launch.assign(count, kNoRow);
  gpu.op.assign(count, kNoRow);
  const std::vector<const NameMaps*> maps_of = MapsByShard();
  for (size_t at = 0; at < count; ++at) {
    const RowKey& key = order[at];
    const TraceShard& shard = shards_[key.shard];
    const NameMaps& map = *maps_of[key.shard];
    const GpuWorkRow& row = shard.gpu[key.index];
    gpu.start_ns[at] = key.start;
    gpu.end_ns[at] = key.end;
    gpu.name[at] = map.strings[static_cast<uint32_t>(row.name)];
    gpu.kind[at] = row.kind;
    gpu.stream[at] = map.streams[row.stream];
    gpu.correlation[at] = row.correlation;
    gpu.external_id[at] = row.external_id;
    gpu.bytes[at] = row.bytes;
    gpu.launch_config[at] = map.launch_configs[row.launch_config];
    gpu.collective[at] = map.collectives[row.collective];
    gpu.graph_id[at] = row.graph_id;
    gpu.graph_node_id[at] = row.graph_node_id;
    gpu.copy_kind[at] = row.copy_kind;
    gpu.source_memory[at] = row.source_memory;
    gpu.destination_memory[at] = row.destination_memory;
    gpu.source[at] = row.source;
  }
}

void Sealer::SealGpuSpans() {
  struct Ref {
    int32_t device;
    Ns start;
    const TraceShard* shard;
    const GpuSpanRow* row;
  };
  std::vector<Ref> order;
  for (const TraceShard& shard : shards_) {
    for (const GpuSpanRow& row : shard.gpu_spans) {
      order.push_back({trace_.streams_[maps(shard).streams[row.stream]].device, row.start_ns, &shard, &row});
    }
  }
  RunSort(order, [](const Ref& a, const Ref& b) { return std::tie(a.device, a.start) < std::tie(b.device, b.start); });
  GpuSpans& spans = trace_.gpu_spans_;
  for (const Ref& ref : order) {
    const NameMaps& map = maps(*ref.shard);
    spans.start_ns.push_back(ref.row->start_ns);
    spans.end_ns.push_back(SaturatingAdd(ref.row->start_ns, ref.row->duration_ns));
    spans.name.push_back(map.strings[static_cast<uint32_t>(ref.row->name)]);
    spans.kind.push_back(ref.row->kind);
    spans.stream.push_back(map.streams[ref.row->stream]);
    spans.external_id.push_back(ref.row->external_id);
    spans.source.push_back(ref.row->source);
  }
}

void Sealer::Correlate() {
  const HostEvents& host = trace_.host_;
  GpuWork& gpu = trace_.gpu_;
  IdIndex calls;
  IdIndex ops;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] == HostKind::kApi && host.correlation[row] != 0) calls.Add(host.correlation[row], row);
    const bool is_op = host.kind[row] == HostKind::kOp || host.kind[row] == HostKind::kRange;
    if (is_op && host.external_id[row] != 0) ops.Add(host.external_id[row], row);
  }
  trace_.log_.Add("duplicate_correlation", ImportSeverity::kWarning, Effect::kNote,
                  "two API calls carry the same correlation id: GPU work is tied to the first", -1, calls.Build());
  trace_.log_.Add("duplicate_external_id", ImportSeverity::kInfo, Effect::kNote,
                  "two ops carry the same External id: GPU work is tied to the first", -1, ops.Build());

  const LargeVector<uint32_t> innermost = InnermostOps(host);
  AttributionCounts& counts = trace_.attribution_;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    const uint32_t call = gpu.correlation[row] == 0 ? kNoRow : calls.Find(gpu.correlation[row]);
    gpu.launch[row] = call;
    ++(call == kNoRow ? counts.without_launch : counts.with_launch);
    if (call != kNoRow && host.start_ns[call] > gpu.start_ns[row]) ++counts.launch_after_start;

    const uint32_t id = gpu.external_id[row] != 0 ? gpu.external_id[row] : call == kNoRow ? 0 : host.external_id[call];
    const uint32_t by_id = id == 0 ? kNoRow : ops.Find(id);
    const uint32_t by_containment = call == kNoRow ? kNoRow : innermost[call];
    gpu.op[row] = by_id != kNoRow ? by_id : by_containment;
    if (by_id != kNoRow) ++counts.by_external_id;
    if (by_id == kNoRow && by_containment != kNoRow) ++counts.by_containment;
    if (by_id != kNoRow && by_containment != kNoRow && by_id != by_containment) ++counts.disagreements;
  }
  CountUnmatched();

  Interval capture = host_capture_;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    capture.start = std::min(capture.start, gpu.start_ns[row]);
    capture.end = std::max(capture.end, gpu.end_ns[row]);
  }
  trace_.capture_ = capture.start > capture.end ? Interval{} : capture;
}

void Sealer::CountUnmatched() {
  const AttributionCounts& counts = trace_.attribution_;
  ImportLog& log = trace_.log_;
  log.Add("work_without_launch", ImportSeverity::kInfo, Effect::kNote,
          "GPU work whose launch call is not in the recording (launched before it began, or API calls not recorded): "
          "counted in GPU "
          "time, not attributed to an op",
          -1, counts.without_launch);
  log.Add(
      "launch_after_start", ImportSeverity::kInfo, Effect::kNote,
      "GPU work starts before its launch call does: host and device clocks differ; idle time uses the earlier of the two",
      -1, counts.launch_after_start);
  log.Add("attribution_disagreement", ImportSeverity::kInfo, Effect::kNote,
          "External id and containment name different ops for GPU work: External id is used", -1, counts.disagreements);
}

}  // namespace warpsight
