// HandMadeTrace: small traces for the tests of analyses, written down event by event. Test code only.
//
//   HandMadeTrace make;
//   make.Api("cudaLaunchKernel", {0, 10}, 1);
//   make.Kernel("gemm", {15, 40}, 1);   // launched by the call with correlation 1
//   const Trace trace = make.Seal();
//
// Times are intervals in ns. Host events lie on thread 1 and GPU work on device 0, stream 7 unless said otherwise.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "trace/trace_builder.h"

namespace warpsight {

class HandMadeTrace {
 public:
  // Where the following host events lie.
  HandMadeTrace& OnThread(int thread) {
    thread_ = builder_.names().InternThread("1", std::to_string(thread));
    return *this;
  }
  // Where the following GPU work lies.
  HandMadeTrace& OnStream(int64_t stream, int32_t device = 0) {
    stream_ = builder_.names().InternStream(device, stream, kAbsent);
    return *this;
  }

  void Host(HostKind kind, std::string_view name, Interval time, uint32_t correlation = 0) {
    HostEventRow row;
    row.kind = kind;
    row.correlation = correlation;
    Host(row, name, time);
  }
  // `row` says all but the name, the thread and the time.
  void Host(HostEventRow row, std::string_view name, Interval time) {
    row.name = builder_.Intern(name);
    row.thread = thread_;
    row.start_ns = time.start;
    row.duration_ns = time.end - time.start;
    builder_.Add(row);
  }
  // Shapes and types as a recorder writes them: "[[1, 2048], [2048, 2048]]", "['c10::Half', 'c10::Half']".
  void OpWithShapes(std::string_view name, Interval time, std::string_view shapes, std::string_view types) {
    HostEventRow row;
    row.kind = HostKind::kOp;
    row.shapes = builder_.Intern(shapes);
    row.types = builder_.Intern(types);
    if (!shapes.empty()) builder_.header().recording.has_shapes = true;
    Host(row, name, time);
  }
  void Op(std::string_view name, Interval time) { Host(HostKind::kOp, name, time); }
  void Range(std::string_view name, Interval time) { Host(HostKind::kRange, name, time); }
  void Frame(std::string_view name, Interval time) { Host(HostKind::kPythonFrame, name, time); }
  void Api(std::string_view name, Interval time, uint32_t correlation = 0) { Host(HostKind::kApi, name, time, correlation); }

  // Functions of the stack from the outermost; those whose name holds ".py" are Python's.
  void Sample(Ns time, std::initializer_list<std::string_view> functions) {
    StackFrame frame;
    for (const std::string_view function : functions) {
      frame.function = builder_.Intern(function);
      frame.kind = function.find(".py") != std::string_view::npos ? FrameKind::kPython : FrameKind::kNative;
      frame.parent = builder_.names().InternStack(frame);
    }
    builder_.shard().samples.push_back({time, thread_, frame.parent});
    builder_.shard().log.CountRead();
  }

  // From this time on the thread is in that state.
  void Switch(Ns time, ThreadState state) {
    builder_.shard().thread_switches.push_back({time, thread_, state});
    builder_.shard().log.CountRead();
  }

  void Work(GpuKind kind, std::string_view name, Interval time, uint32_t correlation, CopyKind copy = CopyKind::kNone) {
    GpuWorkRow row;
    row.kind = kind;
    row.copy_kind = copy;
    Work(row, name, time, correlation);
  }
  // `row` says all but the name, the stream, the time and the correlation.
  void Work(GpuWorkRow row, std::string_view name, Interval time, uint32_t correlation) {
    row.name = builder_.Intern(name);
    row.stream = stream_;
    row.start_ns = time.start;
    row.duration_ns = time.end - time.start;
    row.correlation = correlation;
    builder_.Add(row);
  }
  void Kernel(std::string_view name, Interval time, uint32_t correlation = 0) {
    Work(GpuKind::kKernel, name, time, correlation);
  }
  // A collective kernel with the facts that a recorder writes on it.
  struct CollectiveSpec {
    std::string_view name = "allreduce";
    std::string_view dtype = "BFloat16";
    int64_t in_elements = 1024;
    int64_t out_elements = 1024;
    int32_t group_size = 2;
    std::string_view group = "0";
    std::string_view ranks = "[0, 1]";
  };
  void Collective(std::string_view kernel, Interval time, const CollectiveSpec& spec, uint32_t correlation = 0) {
    warpsight::Collective collective;
    collective.name = builder_.Intern(spec.name);
    collective.dtype = builder_.Intern(spec.dtype);
    collective.group_name = builder_.Intern(spec.group);
    collective.group_ranks = builder_.Intern(spec.ranks);
    collective.in_elements = spec.in_elements;
    collective.out_elements = spec.out_elements;
    collective.group_size = spec.group_size;
    GpuWorkRow row;
    row.name = builder_.Intern(kernel);
    row.stream = stream_;
    row.start_ns = time.start;
    row.duration_ns = time.end - time.start;
    row.correlation = correlation;
    row.collective = builder_.names().AddCollective(collective);
    builder_.Add(row);
  }
  void Copy(CopyKind direction, Interval time, uint32_t correlation = 0) {
    Work(GpuKind::kMemcpy, "copy", time, correlation, direction);
  }

  TraceBuilder& builder() { return builder_; }
  Trace Seal() { return std::move(builder_).Seal(); }

 private:
  TraceBuilder builder_;
  ThreadIndex thread_ = builder_.names().InternThread("1", "1");
  StreamIndex stream_ = builder_.names().InternStream(0, 7, kAbsent);
};

}  // namespace warpsight
