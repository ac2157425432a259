#include "analysis/idle_classifier.h"

#include <algorithm>

#include "analysis/thresholds.h"

namespace warpsight {

IdleClassifier::IdleClassifier(const Trace& trace, const ApiCallKinds& kinds, const SyncCalls& syncs, const Device& device)
    : trace_(trace),
      kinds_(kinds),
      syncs_(syncs),
      device_(device),
      back_to_back_ns_(ThresholdNs("idle_back_to_back")),
      timeline_(device.id, trace.capture()) {}

IdleTimeline IdleClassifier::Run() {
  const GpuWork& gpu = trace_.gpu();
  const Interval capture = trace_.capture();
  Ns busy_end = capture.start;
  timeline_.Reserve(size_t{device_.end_work} - device_.first_work + 1);
  for (uint32_t row = device_.first_work; row < device_.end_work; ++row) {
    if (gpu.start_ns[row] > busy_end) AddGap({busy_end, gpu.start_ns[row]}, FirstLaunched(row));
    if (gpu.end_ns[row] < busy_end) continue;
    // A record without a duration ends a gap as well: it is work that took less than a tick.
    if (gpu.end_ns[row] > busy_end || gpu.start_ns[row] > busy_end) last_ended_.clear();
    last_ended_.push_back(row);
    busy_end = gpu.end_ns[row];
  }
  if (busy_end < capture.end) AddGap({busy_end, capture.end}, kNoRow);
  return std::move(timeline_);
}

uint32_t IdleClassifier::FirstLaunched(uint32_t first) const {
  const GpuWork& gpu = trace_.gpu();
  const LargeVector<Ns>& host_start = trace_.host().start_ns;
  uint32_t best = first;
  for (uint32_t row = first + 1; row < device_.end_work && gpu.start_ns[row] == gpu.start_ns[first]; ++row) {
    if (gpu.launch[row] == kNoRow) continue;
    if (gpu.launch[best] == kNoRow || host_start[gpu.launch[row]] < host_start[gpu.launch[best]]) best = row;
  }
  return best;
}

uint32_t IdleClassifier::EndedAtGapStart(uint32_t after) const {
  if (last_ended_.empty()) return kNoRow;
  if (after != kNoRow) {
    const auto same_stream = std::find_if(last_ended_.rbegin(), last_ended_.rend(), [this, after](uint32_t row) {
      return trace_.gpu().stream[row] == trace_.gpu().stream[after];
    });
    if (same_stream != last_ended_.rend()) return *same_stream;
  }
  return last_ended_.back();
}

void IdleClassifier::AddGap(Interval gap, uint32_t after) {
  timeline_.OpenGap(gap, EndedAtGapStart(after), after);
  timeline_.CloseGap(AddPieces(gap, after));
}

DeviceWait IdleClassifier::AddPieces(Interval gap, uint32_t after) {
  const uint32_t launch = after == kNoRow ? kNoRow : trace_.gpu().launch[after];
  if (launch == kNoRow) {
    timeline_.AddPiece(gap, IdleClass::kEdge);
    return DeviceWait::kNone;
  }
  const Ns call_start = trace_.host().start_ns[launch];
  if (call_start > gap.end) ++timeline_.launch_after_start;  // clocks differ; the launch is taken to start with the work
  const Ns launch_start = std::min(call_start, gap.end);
  if (launch_start >= gap.start) {
    SplitBeforeLaunch({gap.start, launch_start}, launch);
    timeline_.AddPiece({launch_start, gap.end}, IdleClass::kLaunch);
    return DeviceWait::kNone;
  }
  if (trace_.host().end_ns[launch] >= gap.start) {
    timeline_.AddPiece(gap, IdleClass::kLaunch);
    return DeviceWait::kNone;
  }
  const DeviceWait wait = WaitReason(after, gap.start);
  if (wait == DeviceWait::kNone && gap.duration() <= back_to_back_ns_) {
    timeline_.AddPiece(gap, IdleClass::kBackToBack);
    return DeviceWait::kNone;
  }
  timeline_.AddPiece(gap, IdleClass::kDeviceWait);
  return wait == DeviceWait::kNone ? DeviceWait::kUnknown : wait;
}

void IdleClassifier::SplitBeforeLaunch(Interval host_time, uint32_t launch) {
  const std::span<const SyncSpan> spans = syncs_.of_thread(trace_.host().thread[launch]);
  auto span = std::upper_bound(spans.begin(), spans.end(), host_time.start,
                               [](Ns time, const SyncSpan& one) { return time < one.time.end; });
  Ns covered_end = host_time.start;
  for (; span != spans.end() && span->time.start < host_time.end; ++span) {
    const Interval time = Intersect(span->time, host_time);
    if (time.empty()) continue;
    if (!round_trips_) round_trips_.emplace(trace_, kinds_, device_);
    timeline_.AddPiece({covered_end, time.start}, IdleClass::kHostWork);
    timeline_.AddPiece(time, round_trips_->WaitedForCopyToHost(span->call) ? IdleClass::kRoundTrip : IdleClass::kSync);
    covered_end = time.end;
  }
  timeline_.AddPiece({covered_end, host_time.end}, IdleClass::kHostWork);
}

DeviceWait IdleClassifier::WaitReason(uint32_t after, Ns gap_start) {
  const GpuWork& gpu = trace_.gpu();
  const uint32_t before = EndedAtGapStart(after);
  if (before == kNoRow || gpu.end_ns[before] != gap_start) return DeviceWait::kNone;
  if (gpu.stream[before] == gpu.stream[after]) {
    return gpu.kind[before] == GpuKind::kMemcpy ? DeviceWait::kStreamCopy : DeviceWait::kNone;
  }
  return LaunchedAfterStreamWait(gpu.launch[after]) ? DeviceWait::kOtherStreamEvent : DeviceWait::kNone;
}

bool IdleClassifier::LaunchedAfterStreamWait(uint32_t launch) {
  if (launch == waited_launch_) return waited_;
  waited_launch_ = launch;
  waited_ = false;
  // Back over the thread's calls to the one that gave the GPU work before: a wait in between was for this launch.
  // Only the calls right before it can be meant, so the look back is short.
  constexpr uint32_t kMostCallsBack = 256;
  const uint32_t first_call = trace_.threads()[trace_.host().thread[launch]].first_call;
  const uint32_t first = launch - first_call > kMostCallsBack ? launch - kMostCallsBack : first_call;
  for (uint32_t row = launch; row > first; --row) {
    const ApiCallKind kind = kinds_.kind(row - 1);
    if (kind == ApiCallKind::kStreamWait) waited_ = true;
    if (kind == ApiCallKind::kStreamWait || GivesGpuWork(kind)) break;
  }
  return waited_;
}

}  // namespace warpsight
