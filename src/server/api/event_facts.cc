#include "server/api/event_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/counters/occupancy.h"

namespace warpsight::server {
namespace {

constexpr std::array<std::string_view, kHostKinds> kHostKindNames = {"op",    "range",     "API call",    "overhead",
                                                                     "other", "recording", "Python frame"};
constexpr std::array<std::string_view, 3> kGpuKindNames = {"kernel", "memcpy", "memset"};
constexpr std::array<std::string_view, 7> kCopyNames = {
    "", "host to device", "device to host", "device to device", "peer to peer", "host to host", "other"};
constexpr std::array<std::string_view, 6> kMemoryNames = {"", "pageable", "pinned", "device", "array", "managed"};
constexpr std::array<std::string_view, 3> kSpanKindNames = {"range", "synchronisation", "other"};

class FactList {
 public:
  template <typename T>
  void Add(std::string_view word, const T& value) {
    facts_.push_back(Json::array({word, value}));
  }
  // Left out when the value is the one that stands for "not recorded".
  template <typename T>
  void AddUnless(std::string_view word, const T& value, const T& absent) {
    if (value != absent) Add(word, value);
  }
  void AddText(std::string_view word, std::string_view text) { AddUnless(word, text, std::string_view()); }
  Json Take() && { return std::move(facts_); }

 private:
  Json facts_ = Json::array();
};

// Text, as it may be larger than a browser's numbers.
void AddSource(SourceOffset source, FactList& facts) {
  if (source != kNoSource) facts.Add("source", std::to_string(source));
}

std::string Sizes(const std::array<int32_t, 3>& sizes) { return fmt::format("{} x {} x {}", sizes[0], sizes[1], sizes[2]); }

void AddStream(const Trace& trace, StreamIndex index, FactList& facts) {
  const Stream& stream = trace.streams()[index];
  facts.Add("device", stream.device);
  facts.Add("stream", stream.stream);
  facts.AddUnless("context", stream.context, int64_t{kAbsent});
  facts.AddUnless("process", stream.process, int64_t{kAbsent});
}

void AddLaunch(const LaunchConfig& launch, FactList& facts) {
  constexpr std::array<int32_t, 3> kNone = {0, 0, 0};
  if (launch.grid != kNone) facts.Add("grid", Sizes(launch.grid));
  if (launch.block != kNone) facts.Add("block", Sizes(launch.block));
  facts.AddUnless("registers per thread", launch.registers_per_thread, -1);
  facts.AddUnless("static shared bytes", launch.static_shared_bytes, -1);
  facts.AddUnless("dynamic shared bytes", launch.dynamic_shared_bytes, -1);
  facts.AddUnless("shared bytes", launch.shared_bytes, -1);
  facts.AddUnless("estimated occupancy %", launch.estimated_occupancy_percent, -1);
}

// How many of an SM's warps its limits let a kernel have, with as much shared memory as can be configured.
void AddOccupancy(const Device* device, const LaunchConfig& launch, FactList& facts) {
  // A file may say anything: beyond these nothing is a device or a block, and products would not fit their type.
  constexpr int kMostOfCapability = 1000;
  constexpr int32_t kMostThreads = 1024;
  if (device == nullptr || device->compute_major < 0 || device->compute_major > kMostOfCapability ||
      device->compute_minor > kMostOfCapability || std::ranges::max(launch.block) > kMostThreads)
    return;
  const int64_t threads = int64_t{launch.block[0]} * launch.block[1] * std::max(1, launch.block[2]);
  const OccupancyRules* const rules = OccupancyRulesFor(device->compute_major * 10 + std::max(0, device->compute_minor));
  if (rules == nullptr || threads <= 0 || threads > kMostThreads || launch.registers_per_thread < 0) return;
  const int64_t parts = int64_t{std::max(0, launch.static_shared_bytes)} + std::max(0, launch.dynamic_shared_bytes);
  const int64_t shared = launch.shared_bytes >= 0 ? launch.shared_bytes : parts;
  const Occupancy occupancy = ComputeOccupancy(
      *rules, {threads, launch.registers_per_thread, shared + rules->shared_reserved_bytes, rules->shared_bytes_per_sm, 0});
  if (occupancy.warps_per_sm == 0) return;  // facts that do not go together
  facts.Add("theoretical occupancy",
            fmt::format("{} %, limited by {}", 100 * occupancy.share, fmt::join(occupancy.limiters, ", ")));
}

void AddCollective(const Trace& trace, const Collective& collective, FactList& facts) {
  facts.AddText("collective", trace.Text(collective.name));
  facts.AddText("type", trace.Text(collective.dtype));
  facts.AddUnless("elements in", collective.in_elements, int64_t{kAbsent});
  facts.AddUnless("elements out", collective.out_elements, int64_t{kAbsent});
  facts.AddUnless("group size", collective.group_size, -1);
  facts.AddText("group", trace.Text(collective.group_name));
  facts.AddText("group ranks", trace.Text(collective.group_ranks));
  facts.AddUnless("rank", collective.rank, -1);
}

}  // namespace

Json HostFacts(const Trace& trace, uint32_t row) {
  const HostEvents& host = trace.host();
  const Thread& thread = trace.threads()[host.thread[row]];
  FactList facts;
  facts.Add("kind", kHostKindNames[static_cast<size_t>(host.kind[row])]);
  facts.Add("process", thread.process_label);
  facts.Add("thread", thread.label);
  facts.AddUnless("correlation", host.correlation[row], 0u);
  facts.AddUnless("External id", host.external_id[row], 0u);
  facts.AddText("shapes", trace.Text(host.shapes[row]));
  facts.AddText("types", trace.Text(host.types[row]));
  if (host.sequence_plus_one[row] != 0) facts.Add("sequence number", host.sequence_plus_one[row] - 1);
  facts.AddUnless("forward thread", host.forward_thread[row], uint16_t{0});
  AddSource(host.source[row], facts);
  return std::move(facts).Take();
}

Json WorkFactsOf(const Trace& trace, uint32_t row) {
  const GpuWork& gpu = trace.gpu();
  FactList facts;
  facts.Add("kind", kGpuKindNames[static_cast<size_t>(gpu.kind[row])]);
  AddStream(trace, gpu.stream[row], facts);
  if (gpu.launch_config[row] != 0) {
    const LaunchConfig& launch = trace.launch_config(gpu.launch_config[row]);
    AddLaunch(launch, facts);
    AddOccupancy(trace.FindDevice(trace.streams()[gpu.stream[row]].device), launch, facts);
  }
  if (const uint32_t op = gpu.op[row]; op != kNoRow) {
    facts.AddText("shapes of its op", trace.Text(trace.host().shapes[op]));
    facts.AddText("types of its op", trace.Text(trace.host().types[op]));
  }
  facts.AddUnless("bytes", gpu.bytes[row], int64_t{kAbsent});
  facts.AddText("copy", kCopyNames[static_cast<size_t>(gpu.copy_kind[row])]);
  facts.AddText("from memory", kMemoryNames[static_cast<size_t>(gpu.source_memory[row])]);
  facts.AddText("to memory", kMemoryNames[static_cast<size_t>(gpu.destination_memory[row])]);
  if (gpu.collective[row] != 0) AddCollective(trace, trace.collective(gpu.collective[row]), facts);
  facts.AddUnless("graph", gpu.graph_id[row], 0u);
  facts.AddUnless("graph node", gpu.graph_node_id[row], uint64_t{0});
  facts.AddUnless("correlation", gpu.correlation[row], 0u);
  facts.AddUnless("External id", gpu.external_id[row], 0u);
  AddSource(gpu.source[row], facts);
  return std::move(facts).Take();
}

Json SpanFacts(const Trace& trace, uint32_t row) {
  const GpuSpans& spans = trace.gpu_spans();
  FactList facts;
  facts.Add("kind", kSpanKindNames[static_cast<size_t>(spans.kind[row])]);
  AddStream(trace, spans.stream[row], facts);
  facts.AddUnless("External id", spans.external_id[row], 0u);
  AddSource(spans.source[row], facts);
  return std::move(facts).Take();
}

}  // namespace warpsight::server
