#include "analysis/open_host_events.h"

namespace warpsight {
namespace {

// What an API call does inside (the ioctl of cudaStreamSynchronize, where the recorder traces the OS runtime too) is the
// call's own business: the call is what is named.
bool IsInsideCall(const HostEvents& host, uint32_t row) {
  constexpr int kDeepest = 8;  // libraries over libraries; a hostile file may nest without end
  if (host.kind[row] != HostKind::kOther) return false;
  uint32_t at = host.parent[row];
  for (int up = 0; up < kDeepest && at != kNoRow && host.kind[at] == HostKind::kOther; ++up) at = host.parent[at];
  return at != kNoRow && host.kind[at] == HostKind::kApi;
}

}  // namespace

std::vector<std::vector<uint32_t>> OverheadByThread(const Trace& trace) {
  const HostEvents& host = trace.host();
  std::vector<std::vector<uint32_t>> by_thread(trace.threads().size());
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] != HostKind::kOverhead || host.parent[row] == kNoRow) continue;
    const ThreadIndex thread = host.thread[host.parent[row]];
    if (thread != host.thread[row]) by_thread[thread].push_back(row);
  }
  for (std::vector<uint32_t>& rows : by_thread) {
    std::stable_sort(rows.begin(), rows.end(),
                     [&host](uint32_t a, uint32_t b) { return host.start_ns[a] < host.start_ns[b]; });
  }
  return by_thread;
}

OpenHostEvents::OpenHostEvents(const Trace& trace, ThreadIndex thread, std::span<const uint32_t> overhead)
    : host_(trace.host()), overhead_(overhead) {
  const Thread& rows = trace.threads()[thread];
  cursor_ = {rows.first_frame, rows.first_call, 0};
  limit_ = {rows.end, rows.first_frame, static_cast<uint32_t>(overhead.size())};
  for (size_t layer = 0; layer < kLayers; ++layer) Advance(layer);
}

void OpenHostEvents::Advance(size_t layer) {
  starts_[layer] = cursor_[layer] == limit_[layer] ? kMaxNs : host_.start_ns[NextRow(layer)];
  // Of equal starts the outer layer is opened first, so that the inner one lies above it.
  next_layer_ = starts_[1] < starts_[0] ? 1 : 0;
  if (starts_[2] < starts_[next_layer_]) next_layer_ = 2;
  next_start_ = starts_[next_layer_];
}

void OpenHostEvents::OpenUntil(Ns t) {
  while (next_start_ <= t && next_start_ != kMaxNs) {
    const uint32_t row = NextRow(next_layer_);
    const Ns end = host_.end_ns[row];
    // What has ended by `t` is never seen again.
    if (end > t && host_.kind[row] != HostKind::kRecording && !IsInsideCall(host_, row)) {
      while (!open_.empty() && open_.back().end <= next_start_) open_.pop_back();
      open_.push_back({row, end});
    }
    ++cursor_[next_layer_];
    Advance(next_layer_);
  }
}

}  // namespace warpsight
