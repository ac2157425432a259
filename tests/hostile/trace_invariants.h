// What must hold for every sealed trace, whatever the file was. Returns the first broken rule as a sentence, empty when all
// hold, so that tests and fuzz targets can share it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "trace/trace.h"

namespace warpsight::testing {

inline std::string BrokenLedgerRule(const ImportLog& log) {
  int64_t repaired = 0;
  int64_t excluded = 0;
  for (const ImportCause& cause : log.causes()) {
    if (cause.count <= 0) return "the cause " + cause.cause + " has no case";
    if (cause.cause.empty() || cause.example.empty()) return "a cause has no name or no sentence: " + cause.cause;
    if (cause.example.find('\n') != std::string::npos) return "the sentence of " + cause.cause + " is more than a line";
    if (cause.effect == Effect::kRepaired) repaired += cause.count;
    if (cause.effect == Effect::kExcluded) excluded += cause.count;
  }
  if (repaired != log.repaired() || excluded != log.excluded()) return "the causes do not sum to repaired and excluded";
  if (log.kept() < 0) return "more events are repaired and excluded than were read";
  if (log.read() != log.kept() + log.repaired() + log.excluded()) return "read is not kept + repaired + excluded";
  return "";
}

// Events in the tables can't outnumber those that the ledger says are in the trace.
inline std::string BrokenCountRule(const Trace& trace) {
  const int64_t rows = int64_t{trace.host().size()} + trace.gpu().size() + trace.gpu_spans().size() + trace.flow_count() +
                       trace.instant_count() + trace.counter_events() + trace.cpu_samples().size() +
                       trace.thread_switches().size();
  const int64_t in_trace = trace.log().kept() + trace.log().repaired();
  if (rows > in_trace) return std::to_string(rows) + " rows, but " + std::to_string(in_trace) + " events in the ledger";
  return "";
}

inline bool Contains(const HostEvents& host, uint32_t outer, uint32_t inner) {
  return host.start_ns[outer] <= host.start_ns[inner] && host.end_ns[inner] <= host.end_ns[outer];
}

inline std::string BrokenHostRowRule(const Trace& trace, uint32_t row) {
  const HostEvents& host = trace.host();
  if (host.end_ns[row] < host.start_ns[row]) return "ends before it starts";
  if (host.thread[row] >= trace.threads().size()) return "has no thread";
  const Thread& thread = trace.threads()[host.thread[row]];
  const bool frame = IsFrame(host.kind[row]);
  const uint32_t first = frame ? thread.first_frame : thread.first_call;
  const uint32_t end = frame ? thread.end : thread.first_frame;
  if (row < first || row >= end) return "lies outside of its thread's rows";
  if (row > first &&
      std::tie(host.start_ns[row], host.end_ns[row - 1]) < std::tie(host.start_ns[row - 1], host.end_ns[row])) {
    return "is out of order";
  }
  const uint32_t parent = host.parent[row];
  if (parent == kNoRow) return "";
  if (parent >= host.size()) return "has a parent that does not exist";
  const bool adopted = host.kind[row] == HostKind::kOverhead && host.thread[parent] != host.thread[row];
  if (!adopted && (parent >= row || host.thread[parent] != host.thread[row])) return "has a parent behind it or elsewhere";
  if (IsFrame(host.kind[parent]) != frame) return "has a parent in the other layer";
  if (host.kind[parent] == HostKind::kRecording) return "hangs below the recorder's span";
  if (!Contains(host, parent, row)) return "is not inside its parent";
  return "";
}

inline std::string BrokenGpuRowRule(const Trace& trace, uint32_t row) {
  const GpuWork& gpu = trace.gpu();
  if (gpu.end_ns[row] < gpu.start_ns[row]) return "ends before it starts";
  if (gpu.stream[row] >= trace.streams().size()) return "has no stream";
  if (row > 0) {
    const auto key = [&](uint32_t r) {
      return std::tuple(trace.device_of(r), gpu.start_ns[r], gpu.end_ns[r], gpu.stream[r]);
    };
    if (key(row - 1) > key(row)) return "is out of order";
  }
  const Device* device = trace.FindDevice(trace.device_of(row));
  if (device == nullptr || row < device->first_work || row >= device->end_work) return "lies outside of its device's rows";
  const HostEvents& host = trace.host();
  if (gpu.launch[row] != kNoRow) {
    if (gpu.launch[row] >= host.size() || host.kind[gpu.launch[row]] != HostKind::kApi) return "is launched by no API call";
    if (gpu.correlation[row] != host.correlation[gpu.launch[row]]) return "has another correlation id than its launch";
  }
  if (gpu.op[row] != kNoRow) {
    if (gpu.op[row] >= host.size()) return "has an op that does not exist";
    const HostKind kind = host.kind[gpu.op[row]];
    if (kind != HostKind::kOp && kind != HostKind::kRange) return "has an op that is none";
  }
  return "";
}

inline std::string BrokenColumnRule(const Trace& trace) {
  const HostEvents& h = trace.host();
  const auto same = [](size_t size, auto... sizes) { return ((sizes == size) && ...); };
  if (!same(h.size(), h.end_ns.size(), h.name.size(), h.kind.size(), h.thread.size(), h.parent.size(), h.correlation.size(),
            h.external_id.size(), h.shapes.size(), h.types.size(), h.sequence_plus_one.size(), h.forward_thread.size(),
            h.source.size())) {
    return "the host columns differ in length";
  }
  const GpuWork& g = trace.gpu();
  if (!same(g.size(), g.end_ns.size(), g.name.size(), g.kind.size(), g.stream.size(), g.correlation.size(),
            g.external_id.size(), g.launch.size(), g.op.size(), g.bytes.size(), g.launch_config.size(), g.collective.size(),
            g.graph_id.size(), g.graph_node_id.size(), g.copy_kind.size(), g.source_memory.size(),
            g.destination_memory.size(), g.source.size())) {
    return "the GPU columns differ in length";
  }
  const GpuSpans& s = trace.gpu_spans();
  if (!same(s.size(), s.end_ns.size(), s.name.size(), s.kind.size(), s.stream.size(), s.external_id.size(),
            s.source.size())) {
    return "the span columns differ in length";
  }
  for (uint32_t row = 0; row < s.size(); ++row) {
    if (s.end_ns[row] < s.start_ns[row]) return "span " + std::to_string(row) + " ends before it starts";
    if (s.stream[row] >= trace.streams().size()) return "span " + std::to_string(row) + " has no stream";
  }
  return "";
}

inline std::string BrokenCounterRule(const Trace& trace) {
  const CounterSamples& samples = trace.counter_samples();
  if (samples.time_ns.size() != samples.value.size()) return "the counter columns differ in length";
  uint32_t next = 0;
  for (const CounterSeries& series : trace.counters()) {
    const std::string name = "counter " + std::string(trace.Text(series.name)) + " ";
    if (series.first != next || series.end <= series.first) return name + "has no rows or not the next ones";
    next = series.end;
    if (series.device >= 0 && trace.FindDevice(series.device) == nullptr) return name + "has a device that is not listed";
    for (uint32_t row = series.first; row < series.end; ++row) {
      if (row > series.first && samples.time_ns[row] < samples.time_ns[row - 1]) return name + "is out of order";
      if (!std::isfinite(samples.Double(series, row))) return name + "has a value that is no number";
    }
  }
  if (next != samples.size()) return "samples belong to no counter";
  if (trace.counter_events() < 0 || trace.counter_events() > next) return "more counter events than samples";
  return "";
}

inline std::string BrokenSampleRule(const Trace& trace) {
  const CpuSamples& samples = trace.cpu_samples();
  if (samples.thread.size() != samples.size() || samples.stack.size() != samples.size())
    return "the columns of CPU samples differ in length";
  uint32_t next = 0;
  for (ThreadIndex index = 0; index < trace.threads().size(); ++index) {
    const Thread& thread = trace.threads()[index];
    if (thread.first_sample != next || thread.end_sample < next) return "a thread's CPU samples are not the next ones";
    for (; next < thread.end_sample; ++next) {
      const std::string name = "CPU sample " + std::to_string(next);
      if (samples.thread[next] != index) return name + " is another thread's";
      if (next > thread.first_sample && samples.time_ns[next] < samples.time_ns[next - 1]) return name + " is out of order";
      if (samples.stack[next] >= trace.stacks().size()) return name + " has no stack";
    }
  }
  if (next != samples.size()) return "CPU samples belong to no thread";
  for (StackIndex frame = 1; frame < trace.stacks().size(); ++frame) {
    if (trace.stacks().frame(frame).parent >= frame) return "a frame of a stack does not stand behind its caller";
  }
  return "";
}

inline std::string BrokenSwitchRule(const Trace& trace) {
  const ThreadSwitches& switches = trace.thread_switches();
  if (switches.thread.size() != switches.size() || switches.state.size() != switches.size())
    return "the columns of thread switches differ in length";
  uint32_t next = 0;
  for (ThreadIndex index = 0; index < trace.threads().size(); ++index) {
    const Thread& thread = trace.threads()[index];
    if (thread.first_switch != next || thread.end_switch < next) return "a thread's switches are not the next ones";
    for (; next < thread.end_switch; ++next) {
      const std::string name = "thread switch " + std::to_string(next);
      if (switches.thread[next] != index) return name + " is another thread's";
      if (next > thread.first_switch && switches.time_ns[next] < switches.time_ns[next - 1])
        return name + " is out of order";
      if (switches.state[next] > ThreadState::kUnknown) return name + " has no state";
    }
  }
  return next == switches.size() ? "" : "thread switches belong to no thread";
}

inline std::string BrokenTraceRule(const Trace& trace) {
  for (std::string broken : {BrokenLedgerRule(trace.log()), BrokenColumnRule(trace), BrokenCountRule(trace),
                             BrokenCounterRule(trace), BrokenSampleRule(trace), BrokenSwitchRule(trace)}) {
    if (!broken.empty()) return broken;
  }
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    const std::string broken = BrokenHostRowRule(trace, row);
    if (!broken.empty()) return "host row " + std::to_string(row) + " " + broken;
  }
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
    const std::string broken = BrokenGpuRowRule(trace, row);
    if (!broken.empty()) return "GPU row " + std::to_string(row) + " " + broken;
  }
  return "";
}

}  // namespace warpsight::testing
