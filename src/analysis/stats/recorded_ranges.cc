#include "analysis/stats/recorded_ranges.h"

#include <algorithm>

namespace warpsight {
namespace {

constexpr std::string_view kStartEndLine = " start/end ranges";

}  // namespace

RecordedRanges::RecordedRanges(const Trace& trace)
    : trace_(trace),
      ops_are_ranges_(trace.recording().ops_are_ranges),
      owner_(trace.threads().size(), kNoThread),
      launches_(trace.threads().size()) {
  const std::vector<Thread>& threads = trace.threads();
  for (ThreadIndex line = 0; line < threads.size(); ++line) {
    if (!threads[line].label.ends_with(kStartEndLine)) continue;
    const std::string label = threads[line].label.substr(0, threads[line].label.size() - kStartEndLine.size());
    owner_[line] = line;  // of no thread that has rows
    for (ThreadIndex thread = 0; thread < threads.size(); ++thread) {
      if (threads[thread].process_label == threads[line].process_label && threads[thread].label == label)
        owner_[line] = thread;
    }
  }
  CollectLaunches();
}

void RecordedRanges::CollectLaunches() {
  const GpuWork& gpu = trace_.gpu();
  const HostEvents& host = trace_.host();
  std::vector<uint32_t> slot(host.size(), kNoRow);
  std::vector<std::pair<uint32_t, Launch>> found;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    const uint32_t call = gpu.launch[row];
    if (call == kNoRow) continue;
    if (slot[call] == kNoRow) {
      slot[call] = static_cast<uint32_t>(found.size());
      found.push_back({call, {host.start_ns[call], host.end_ns[call], {gpu.start_ns[row], gpu.end_ns[row]}, 0, 0}});
    }
    Launch& launch = found[slot[call]].second;
    launch.work.start = std::min(launch.work.start, gpu.start_ns[row]);
    launch.work.end = std::max(launch.work.end, gpu.end_ns[row]);
    ++launch.operations;
    launch.work_ns = SaturatingAdd(launch.work_ns, gpu.duration_ns(row));
  }
  for (const auto& [call, launch] : found) launches_[host.thread[call]].push_back(launch);
  for (std::vector<Launch>& of_thread : launches_)
    std::sort(of_thread.begin(), of_thread.end(), [](const Launch& a, const Launch& b) { return a.start < b.start; });
}

bool RecordedRanges::Has(uint32_t host_row) const {
  const HostKind kind = trace_.host().kind[host_row];
  return kind == HostKind::kRange || (ops_are_ranges_ && kind == HostKind::kOp);
}

std::string RecordedRanges::PrintedName(uint32_t host_row) const {
  const HostEvents& host = trace_.host();
  std::string name = host.kind[host_row] == HostKind::kRange ? std::string(trace_.Text(host.types[host_row])) : "";
  name += ':';
  name += trace_.Text(host.name[host_row]);
  if (host.kind[host_row] != HostKind::kOp) return name;
  if (host.sequence_plus_one[host_row] != 0) name += ", seq = " + std::to_string(host.sequence_plus_one[host_row] - 1);
  if (host.correlation[host_row] != 0) name += ", op_id = " + std::to_string(host.correlation[host_row]);
  if (host.shapes[host_row] != StringId::kEmpty) name += ", sizes = " + std::string(trace_.Text(host.shapes[host_row]));
  return name;
}

std::optional<RecordedRanges::Projection> RecordedRanges::ProjectionOf(uint32_t host_row) const {
  const HostEvents& host = trace_.host();
  const ThreadIndex line = host.thread[host_row];
  const std::vector<Launch>& launches = launches_[owner_[line] == kNoThread ? line : owner_[line]];
  const Interval range{host.start_ns[host_row], host.end_ns[host_row]};
  auto at = std::lower_bound(launches.begin(), launches.end(), range.start,
                             [](const Launch& launch, Ns start) { return launch.start < start; });
  Projection projection{{kMaxNs, kMinNs}, 0, 0};
  for (; at != launches.end() && at->start <= range.end; ++at) {
    if (at->end > range.end) continue;
    projection.time.start = std::min(projection.time.start, at->work.start);
    projection.time.end = std::max(projection.time.end, at->work.end);
    projection.operations += at->operations;
    projection.work_ns = SaturatingAdd(projection.work_ns, at->work_ns);
  }
  return projection.operations > 0 ? std::optional(projection) : std::nullopt;
}

}  // namespace warpsight
