// EagerTrace: a recording of eager ops, each launching one kernel, for tests of attribution and parts. Test code only.
//
//   EagerTrace make;
//   make.Linear(1, 64, 16);                          // aten::linear > aten::mm > cudaLaunchKernel, and a gemm kernel
//   make.Op("aten::pow", "[[1, 1, 64], []]", "pow");  // the op, its launch, its kernel
//   const Trace trace = make.Seal();
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include <string>
#include <string_view>
#include <utility>

#include "trace/trace_builder.h"

namespace warpsight {

class EagerTrace {
 public:
  static constexpr Ns kOpNs = 100;

  EagerTrace& OnThread(int thread) {
    thread_ = builder_.names().InternThread("1", std::to_string(thread));
    return *this;
  }
  // Ops from here on carry the next numbers of autograd.
  EagerTrace& WithSequence(uint32_t next) {
    sequence_ = next;
    return *this;
  }

  void Op(std::string_view name, std::string_view shapes, std::string_view kernel, Ns kernel_ns = 10) {
    Host(HostKind::kOp, name, shapes, now_, kOpNs, sequence_ == 0 ? 0 : ++sequence_);
    Launch(now_ + 50, kernel, kernel_ns);
    now_ += 2 * kOpNs;
  }
  void Linear(int64_t tokens, int64_t in, int64_t out, Ns kernel_ns = 10) {
    Host(HostKind::kOp, "aten::linear", fmt::format("[[1, {}, {}], [{}, {}], []]", tokens, in, out, in), now_, kOpNs, 0);
    Host(HostKind::kOp, "aten::mm", fmt::format("[[{}, {}], [{}, {}]]", tokens, in, in, out), now_ + 10, kOpNs - 20,
         sequence_ == 0 ? 0 : ++sequence_);
    Launch(now_ + 50, "sm80_gemm", kernel_ns);
    now_ += 2 * kOpNs;
  }
  // An op of the backward pass of number `sequence`, made by thread `forward_thread` of the framework.
  void BackwardOp(std::string_view name, uint32_t sequence, uint16_t forward_thread, std::string_view kernel) {
    HostEventRow row = Event(HostKind::kOp, name, "", now_, kOpNs);
    row.sequence_plus_one = sequence + 1;
    row.forward_thread = forward_thread;
    builder_.Add(row);
    Launch(now_ + 50, kernel, 10);
    now_ += 2 * kOpNs;
  }
  void Range(std::string_view name, Ns start, Ns duration) { Host(HostKind::kRange, name, "", start, duration, 0); }
  void Frame(std::string_view name, Ns start, Ns duration) { Host(HostKind::kPythonFrame, name, "", start, duration, 0); }
  // From Begin to End launches build a graph and run nothing.
  void BeginCapture() { Capture("cudaStreamBeginCapture", true); }
  void EndCapture() { Capture("cudaStreamEndCapture", false); }
  // A node of a graph that comes up at this time, at its launch or as a clone.
  void GraphNode(Ns time, uint64_t node, uint64_t original = 0) {
    GraphNodeRow row;
    row.time_ns = time;
    row.node = node;
    row.original = original;
    row.thread = thread_;
    builder_.Add(row);
  }
  // Kernels that one graph launch replayed; with the numbers of their nodes.
  void Graph(std::initializer_list<std::string_view> kernels, std::initializer_list<uint64_t> nodes = {}) {
    HostEventRow call = Event(HostKind::kApi, "cudaGraphLaunch", "", now_, 20);
    call.correlation = ++correlation_;
    builder_.Add(call);
    const uint64_t* node = nodes.begin();
    for (const std::string_view kernel : kernels) Kernel(kernel, 10, correlation_, node == nodes.end() ? 0 : *node++);
    now_ += 2 * kOpNs;
  }
  // A kernel without a launch.
  void Orphan(std::string_view kernel) { Kernel(kernel, 10, 0); }

  Ns now() const { return now_; }
  TraceBuilder& builder() { return builder_; }
  Trace Seal() { return std::move(builder_).Seal(); }

 private:
  HostEventRow Event(HostKind kind, std::string_view name, std::string_view shapes, Ns start, Ns duration) {
    HostEventRow row;
    row.kind = kind;
    row.name = builder_.Intern(name);
    row.thread = thread_;
    row.start_ns = start;
    row.duration_ns = duration;
    if (!shapes.empty()) row.shapes = builder_.Intern(shapes);
    return row;
  }
  void Host(HostKind kind, std::string_view name, std::string_view shapes, Ns start, Ns duration, uint32_t sequence) {
    HostEventRow row = Event(kind, name, shapes, start, duration);
    row.sequence_plus_one = sequence == 0 ? 0 : sequence + 1;
    builder_.Add(row);
  }
  void Launch(Ns start, std::string_view kernel, Ns kernel_ns) {
    HostEventRow call = Event(HostKind::kApi, "cudaLaunchKernel", "", start, 10);
    call.correlation = ++correlation_;
    builder_.Add(call);
    Kernel(kernel, kernel_ns, correlation_);
  }
  void Capture(std::string_view call, bool begins) {
    builder_.Add(Event(HostKind::kApi, call, "", now_, 20));
    capturing_ = begins;
    now_ += 2 * kOpNs;
  }
  void Kernel(std::string_view name, Ns duration, uint32_t correlation, uint64_t node = 0) {
    if (capturing_) return;
    GpuWorkRow row;
    row.name = builder_.Intern(name);
    row.stream = stream_;
    row.start_ns = gpu_now_ = std::max(gpu_now_, now_ + 60);
    row.duration_ns = duration;
    row.correlation = correlation;
    row.graph_node_id = node;
    row.graph_id = node == 0 ? 0 : 2;
    builder_.Add(row);
    gpu_now_ += duration;
  }

  TraceBuilder builder_;
  ThreadIndex thread_ = builder_.names().InternThread("1", "1");
  StreamIndex stream_ = builder_.names().InternStream(0, 7, kAbsent);
  bool capturing_ = false;
  uint32_t correlation_ = 0;
  uint32_t sequence_ = 0;
  Ns now_ = 0;
  Ns gpu_now_ = 0;
};

}  // namespace warpsight
