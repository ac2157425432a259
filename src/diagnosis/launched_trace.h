// LaunchedTrace: a small recording made by hand, for tests: host events on one thread, GPU work with its launch calls.
//
// Times are microseconds, so that sums in tests stay readable.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "trace/trace_builder.h"

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
};

class LaunchedTrace {
 public:
  LaunchedTrace& Host(std::string_view name, HostKind kind, UsSpan time, uint32_t correlation = 0) {
    HostEventRow row;
    row.name = builder_.Intern(name);
    row.kind = kind;
    row.start_ns = time.start * kUs;
    row.duration_ns = (time.end - time.start) * kUs;
    row.thread = builder_.names().InternThread("1", "1");
    row.correlation = correlation;
    builder_.Add(row);
    return *this;
  }
  LaunchedTrace& Step(int index, UsSpan time) {
    return Host("ProfilerStep#" + std::to_string(index), HostKind::kRange, time);
  }
  LaunchedTrace& Op(std::string_view name, UsSpan time) { return Host(name, HostKind::kOp, time); }
  LaunchedTrace& Call(std::string_view name, UsSpan time) { return Host(name, HostKind::kApi, time); }

  // GPU work without a launch call.
  LaunchedTrace& Work(std::string_view name, UsSpan time, WorkOptions options = {}, uint32_t correlation = 0) {
    GpuWorkRow row;
    row.name = builder_.Intern(name);
    row.kind = options.kind;
    row.copy_kind = options.copy;
    row.start_ns = time.start * kUs;
    row.duration_ns = (time.end - time.start) * kUs;
    row.stream = builder_.names().InternStream(options.device, options.stream, kAbsent);
    row.correlation = correlation;
    builder_.Add(row);
    return *this;
  }
  // The same with the call that launched it.
  LaunchedTrace& Launch(std::string_view name, UsSpan call, UsSpan time, WorkOptions options = {}) {
    const uint32_t correlation = ++last_correlation_;
    Host(options.kind == GpuKind::kMemcpy ? "cudaMemcpyAsync" : "cudaLaunchKernel", HostKind::kApi, call, correlation);
    return Work(name, time, options, correlation);
  }
  Trace Seal() { return std::move(builder_).Seal(); }

 private:
  TraceBuilder builder_;
  uint32_t last_correlation_ = 0;
};

}  // namespace warpsight::testing
