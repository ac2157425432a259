// The plain slow form of busy, work and idle classes: one elementary interval after the other, every question answered by
// looking at all rows. Written from the definitions, apart from src/analysis; reads the columns of a Trace and nothing else.
//
// Between two neighbouring times at which anything starts or ends nothing changes, so each such elementary interval is busy
// or belongs to one idle class as a whole. Quadratic in the number of records. Units: ns.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight::reference {

// "busy", or the name of an idle class.
struct Elementary {
  Interval time;
  std::string what;
};

class IdleReference {
 public:
  IdleReference(const Trace& trace, int32_t device) : trace_(trace), capture_(trace.capture()) {
    for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
      if (trace.device_of(row) == device) work_.push_back(row);
    }
    for (uint32_t row = 0; row < trace.host().size(); ++row) {
      if (trace.host().kind[row] != HostKind::kApi) continue;
      const std::string_view name = trace.Text(trace.host().name[row]);
      if (IsSync(name)) syncs_.push_back(row);
      if (GivesWork(name) || IsStreamWait(name)) launches_and_waits_.push_back(row);
    }
    Cut();
  }

  const std::vector<Elementary>& all() const { return all_; }

  // Time by what it is; what of the window lies outside of the capture is edge.
  std::map<std::string, Ns> In(Interval window) const {
    std::map<std::string, Ns> sums;
    Ns inside = 0;
    for (const Elementary& one : all_) {
      const Ns time = std::max<Ns>(0, std::min(one.time.end, window.end) - std::max(one.time.start, window.start));
      sums[one.what] += time;
      inside += time;
    }
    sums["edge"] += std::max<Ns>(0, window.end - window.start) - inside;
    std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
    return sums;
  }

  Ns Work(Interval window) const {
    Ns sum = 0;
    for (uint32_t row : work_) {
      sum += std::max<Ns>(
          0, std::min(trace_.gpu().end_ns[row], window.end) - std::max(trace_.gpu().start_ns[row], window.start));
    }
    return sum;
  }

  int64_t KernelStarts(Interval window) const {
    return std::count_if(work_.begin(), work_.end(), [&](uint32_t row) {
      return trace_.gpu().kind[row] == GpuKind::kKernel && window.start <= trace_.gpu().start_ns[row] &&
             trace_.gpu().start_ns[row] < window.end;
    });
  }

 private:
  static bool Contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
  static bool IsBlockingCopy(std::string_view name) {
    return Contains(name, "Memcpy") && !Contains(name, "Async") && !Contains(name, "Peer") && !Contains(name, "DtoD");
  }
  static bool IsSync(std::string_view name) {
    for (std::string_view what : {"Device", "Stream", "Event", "Ctx", "Thread"}) {
      if (name.ends_with(std::string(what) + "Synchronize")) return true;
    }
    return IsBlockingCopy(name);
  }
  static bool GivesWork(std::string_view name) {
    return Contains(name, "LaunchKernel") || Contains(name, "LaunchCooperative") || Contains(name, "GraphLaunch") ||
           Contains(name, "Memcpy") || Contains(name, "Memset");
  }
  static bool IsStreamWait(std::string_view name) { return Contains(name, "StreamWait"); }

  void Cut() {
    std::vector<Ns> borders = {capture_.start, capture_.end};
    for (uint32_t row : work_) {
      borders.insert(borders.end(), {trace_.gpu().start_ns[row], trace_.gpu().end_ns[row]});
      if (const uint32_t launch = trace_.gpu().launch[row]; launch != kNoRow)
        borders.push_back(trace_.host().start_ns[launch]);
    }
    for (uint32_t row : syncs_) borders.insert(borders.end(), {trace_.host().start_ns[row], trace_.host().end_ns[row]});
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    for (size_t i = 0; i + 1 < borders.size(); ++i) {
      const Interval time = {borders[i], borders[i + 1]};
      if (time.start >= capture_.start && time.end <= capture_.end) all_.push_back({time, Classify(time)});
    }
  }

  std::string Classify(Interval time) const {
    const GpuWork& gpu = trace_.gpu();
    Ns gap_start = capture_.start;
    std::optional<Ns> gap_end;
    for (uint32_t row : work_) {
      if (gpu.start_ns[row] <= time.start && gpu.end_ns[row] >= time.end) return "busy";
      if (gpu.end_ns[row] <= time.start) gap_start = std::max(gap_start, gpu.end_ns[row]);
      if (gpu.start_ns[row] >= time.end) gap_end = std::min(gap_end.value_or(kMaxNs), gpu.start_ns[row]);
    }
    if (!gap_end) return "edge";
    uint32_t after = kNoRow;
    for (uint32_t row : work_) {
      if (gpu.start_ns[row] != *gap_end || gpu.launch[row] == kNoRow) continue;
      if (after == kNoRow || LaunchStart(row) < LaunchStart(after)) after = row;
    }
    if (after == kNoRow) return "edge";
    const Ns launch_start = std::min(LaunchStart(after), *gap_end);
    const Ns launch_end = trace_.host().end_ns[gpu.launch[after]];
    if (launch_start >= gap_start) {
      return time.start >= launch_start ? "launch" : ClassifyHostTime(time, trace_.host().thread[gpu.launch[after]]);
    }
    if (launch_end >= gap_start) return "launch";
    return *gap_end - gap_start <= 2000 && !WaitedForSomething(after, gap_start) ? "back_to_back" : "device_wait";
  }

  Ns LaunchStart(uint32_t gpu_row) const { return trace_.host().start_ns[trace_.gpu().launch[gpu_row]]; }

  std::string ClassifyHostTime(Interval time, ThreadIndex thread) const {
    const HostEvents& host = trace_.host();
    uint32_t owner = kNoRow;  // of the synchronising calls that are open the one that started first
    for (uint32_t row : syncs_) {
      if (host.thread[row] != thread || host.start_ns[row] > time.start || host.end_ns[row] < time.end) continue;
      if (owner == kNoRow || host.start_ns[row] < host.start_ns[owner]) owner = row;
    }
    if (owner == kNoRow) return "host_work";
    return WaitedForCopyToHost(owner) ? "round_trip" : "sync";
  }

  bool WaitedForCopyToHost(uint32_t call) const {
    const GpuWork& gpu = trace_.gpu();
    if (IsBlockingCopy(trace_.Text(trace_.host().name[call]))) {
      bool own_work = false;
      for (uint32_t row : work_) {
        if (gpu.launch[row] != call) continue;
        own_work = true;
        if (gpu.copy_kind[row] == CopyKind::kDeviceToHost) return true;
      }
      if (own_work) return false;
    }
    uint32_t last = kNoRow;
    for (uint32_t row : work_) {
      const bool launched_before = gpu.launch[row] != kNoRow && LaunchStart(row) < trace_.host().start_ns[call];
      if (!launched_before || gpu.end_ns[row] > trace_.host().end_ns[call]) continue;
      if (last == kNoRow || gpu.end_ns[row] >= gpu.end_ns[last]) last = row;
    }
    return last != kNoRow && gpu.copy_kind[last] == CopyKind::kDeviceToHost;
  }

  // A copy on its own stream, or the event of another stream, that ended where the gap starts.
  bool WaitedForSomething(uint32_t after, Ns gap_start) const {
    const GpuWork& gpu = trace_.gpu();
    uint32_t on_stream = kNoRow;
    bool any = false;
    for (uint32_t row : work_) {
      if (gpu.end_ns[row] != gap_start) continue;
      any = true;
      if (gpu.stream[row] == gpu.stream[after]) on_stream = row;
    }
    if (!any) return false;
    if (on_stream != kNoRow) return gpu.kind[on_stream] == GpuKind::kMemcpy;
    uint32_t previous = kNoRow;  // what the thread gave the GPU, or made it wait for, just before the launch
    const uint32_t launch = gpu.launch[after];
    for (uint32_t row : launches_and_waits_) {
      if (row < launch && trace_.host().thread[row] == trace_.host().thread[launch]) previous = row;
    }
    return previous != kNoRow && IsStreamWait(trace_.Text(trace_.host().name[previous]));
  }

  const Trace& trace_;
  Interval capture_;
  std::vector<uint32_t> work_;
  std::vector<uint32_t> syncs_;
  std::vector<uint32_t> launches_and_waits_;
  std::vector<Elementary> all_;
};

}  // namespace warpsight::reference
