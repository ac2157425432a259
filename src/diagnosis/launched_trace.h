// LaunchedTrace: HandMadeTrace in the measure of the findings' tests: microseconds, and GPU work with its launch calls.
//
// Times are microseconds, so that sums in tests stay readable. Test code only.
#pragma once

#include <string>
#include <string_view>

#include "analysis/hand_made_trace.h"

namespace warpsight::testing {

inline constexpr Ns kUs = 1000;

// [start, end) in microseconds.
struct UsSpan {
  int64_t start = 0;
  int64_t end = 0;
};

struct WorkOptions {
  GpuKind kind = GpuKind::kKernel;
  CopyKind copy = CopyKind::kNone;
  int64_t stream = 7;
  int32_t device = 0;
  MemoryKind source_memory = MemoryKind::kUnknown;
  int64_t bytes = kAbsent;
};

class LaunchedTrace {
 public:
  LaunchedTrace& Host(std::string_view name, HostKind kind, UsSpan time, uint32_t correlation = 0) {
    make_.Host(kind, name, InNs(time), correlation);
    return *this;
  }
  LaunchedTrace& Step(int index, UsSpan time) { return Range("ProfilerStep#" + std::to_string(index), time); }
  LaunchedTrace& Range(std::string_view name, UsSpan time) { return Host(name, HostKind::kRange, time); }
  LaunchedTrace& Call(std::string_view name, UsSpan time) { return Host(name, HostKind::kApi, time); }
  LaunchedTrace& Op(std::string_view name, UsSpan time, std::string_view shapes = {}, std::string_view types = {}) {
    make_.OpWithShapes(name, InNs(time), shapes, types);
    return *this;
  }

  // GPU work without a launch call.
  LaunchedTrace& Work(std::string_view name, UsSpan time, WorkOptions options = {}, uint32_t correlation = 0) {
    GpuWorkRow row;
    row.kind = options.kind;
    row.copy_kind = options.copy;
    row.source_memory = options.source_memory;
    row.bytes = options.bytes;
    make_.OnStream(options.stream, options.device).Work(row, name, InNs(time), correlation);
    return *this;
  }
  // The same with the call that launched it.
  LaunchedTrace& Launch(std::string_view name, UsSpan call, UsSpan time, WorkOptions options = {}) {
    const uint32_t correlation = ++last_correlation_;
    Host(options.kind == GpuKind::kMemcpy ? "cudaMemcpyAsync" : "cudaLaunchKernel", HostKind::kApi, call, correlation);
    return Work(name, time, options, correlation);
  }
  // An op that launches one kernel: `host` holds the op and its launch, `time` is the kernel's.
  LaunchedTrace& OpKernel(std::string_view op, std::string_view kernel, UsSpan host, UsSpan time,
                          std::string_view shapes = {}, std::string_view types = {}) {
    return Op(op, host, shapes, types).Launch(kernel, host, time);
  }

  HandMadeTrace& make() { return make_; }
  Trace Seal() { return make_.Seal(); }

 private:
  static Interval InNs(UsSpan time) { return {time.start * kUs, time.end * kUs}; }

  HandMadeTrace make_;
  uint32_t last_correlation_ = 0;
};

}  // namespace warpsight::testing
