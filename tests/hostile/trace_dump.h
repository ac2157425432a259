// DumpTrace: everything a sealed trace holds, as text, so that two imports can be compared whatever ids they gave to names.
//
// One line a row. Left out on purpose: where the bytes came from (file name, container, size on disk), since the same trace
// is opened as a file, from memory and through gzip. DumpModel leaves out too what is of the file and not of the recording:
// places of events, the ledger, how many events the samples came from, the unit in which viewers show times.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "trace/trace.h"

namespace warpsight::testing {

class TraceDump {
 public:
  explicit TraceDump(const Trace& trace, bool with_file = true) : trace_(trace), with_file_(with_file) {}

  std::string Text() {
    AddTables();
    AddHost();
    AddGpu();
    AddMarks();
    AddCounters();
    AddSamples();
    AddSwitches();
    AddRecording();
    if (with_file_) AddLedger();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void AddTables() {
    for (const Thread& t : trace_.threads()) {
      Line("thread {} {} [{}] [{}] [{}] [{}] {} {} {}", t.pid, t.tid, t.process_label, t.label, t.name, t.process_name,
           t.first_call, t.first_frame, t.end);
    }
    for (const Stream& s : trace_.streams())
      Line("stream {} {} {} {} [{}]", s.device, s.context, s.stream, s.process, s.label);
    for (const Device& d : trace_.devices()) {
      Line("device {} [{}] {} {}.{} {} {} {} {}", d.id, d.name, d.total_memory_bytes, d.compute_major, d.compute_minor,
           d.sm_count, d.has_work, d.first_work, d.end_work);
    }
  }

  void AddHost() {
    const HostEvents& h = trace_.host();
    for (uint32_t i = 0; i < h.size(); ++i) {
      Line("host {} {} [{}] {} {} {} {} {} [{}] [{}] {} {} {}", h.start_ns[i], h.end_ns[i], trace_.Text(h.name[i]),
           static_cast<int>(h.kind[i]), h.thread[i], h.parent[i], h.correlation[i], h.external_id[i],
           trace_.Text(h.shapes[i]), trace_.Text(h.types[i]), h.sequence_plus_one[i], h.forward_thread[i],
           Place(h.source[i]));
    }
  }

  void AddGpu() {
    const GpuWork& g = trace_.gpu();
    for (uint32_t i = 0; i < g.size(); ++i) {
      Line("gpu {} {} [{}] {} {} {} {} {} {} {} {} {} {} {} {} {}", g.start_ns[i], g.end_ns[i], trace_.Text(g.name[i]),
           static_cast<int>(g.kind[i]), g.stream[i], g.correlation[i], g.external_id[i], g.launch[i], g.op[i], g.bytes[i],
           g.graph_id[i], g.graph_node_id[i], static_cast<int>(g.copy_kind[i]), static_cast<int>(g.source_memory[i]),
           static_cast<int>(g.destination_memory[i]), Place(g.source[i]));
      const LaunchConfig& c = trace_.launch_config(g.launch_config[i]);
      Line("  launch {}x{}x{} {}x{}x{} {} {} {} {} {}", c.grid[0], c.grid[1], c.grid[2], c.block[0], c.block[1], c.block[2],
           c.registers_per_thread, c.static_shared_bytes, c.dynamic_shared_bytes, c.shared_bytes,
           c.estimated_occupancy_percent);
      if (g.collective[i] == 0) continue;
      const Collective& l = trace_.collective(g.collective[i]);
      Line("  collective [{}] [{}] [{}] [{}] {} {} {} {}", trace_.Text(l.name), trace_.Text(l.dtype),
           trace_.Text(l.group_name), trace_.Text(l.group_ranks), l.in_elements, l.out_elements, l.group_size, l.rank);
    }
    const GpuSpans& s = trace_.gpu_spans();
    for (uint32_t i = 0; i < s.size(); ++i) {
      Line("span {} {} [{}] {} {} {} {}", s.start_ns[i], s.end_ns[i], trace_.Text(s.name[i]), static_cast<int>(s.kind[i]),
           s.stream[i], s.external_id[i], Place(s.source[i]));
    }
  }

  // Stacks by their texts: their numbers depend on how the file was read.
  void AddSamples() {
    const CpuSamples& samples = trace_.cpu_samples();
    for (uint32_t i = 0; i < samples.size(); ++i) {
      Line("sample {} {}", samples.time_ns[i], samples.thread[i]);
      for (StackIndex stack = samples.stack[i]; stack != 0; stack = trace_.stacks().frame(stack).parent) {
        const StackFrame& frame = trace_.stacks().frame(stack);
        Line("  [{}] [{}] {}", trace_.Text(frame.function), trace_.Text(frame.module), static_cast<int>(frame.kind));
      }
    }
  }

  void AddSwitches() {
    const ThreadSwitches& switches = trace_.thread_switches();
    for (uint32_t i = 0; i < switches.size(); ++i)
      Line("switch {} {} {}", switches.time_ns[i], switches.thread[i], static_cast<int>(switches.state[i]));
  }

  void AddMarks() {
    for (const auto& segment : trace_.flows()) {
      for (const FlowRow& f : segment) {
        Line("flow {} [{}] {} {} {}", f.time_ns, trace_.Text(f.category), f.thread, f.id, f.phase);
      }
    }
    for (const auto& segment : trace_.instants()) {
      for (const InstantRow& i : segment) {
        Line("instant {} [{}] {} {} {}", i.time_ns, trace_.Text(i.name), i.thread, i.phase, Place(i.source));
      }
    }
  }

  void AddCounters() {
    const CounterSamples& samples = trace_.counter_samples();
    for (const CounterSeries& c : trace_.counters()) {
      Line("counter [{}] [{}] [{}] {} {}", trace_.Text(c.name), trace_.Text(c.unit), trace_.Text(c.process), c.device,
           static_cast<int>(c.kind));
      for (uint32_t i = c.first; i < c.end; ++i) Line("  sample {} {}", samples.time_ns[i], samples.value[i]);
    }
    if (with_file_) Line("counter events {}", trace_.counter_events());
  }

  void AddRecording() {
    const RecordingInfo& r = trace_.recording();
    Line("recording [{}] [{}] [{}] {} {} {} {} {} {} {} [{}] inflated {}", r.producer, r.version, r.trace_name,
         r.clock_base_ns, r.has_clock_base, r.has_shapes, r.has_stacks, r.has_memory_events, r.rank, r.world_size, r.backend,
         with_file_ ? r.inflated_bytes : 0);
    for (const auto& [key, value] : r.properties) {
      if (with_file_ || key != "displayTimeUnit") Line("property [{}] [{}]", key, value);
    }
    const AttributionCounts& a = trace_.attribution();
    Line("attribution {} {} {} {} {} {}", a.with_launch, a.without_launch, a.by_external_id, a.by_containment,
         a.disagreements, a.launch_after_start);
    Line("capture {} {}", trace_.capture().start, trace_.capture().end);
  }

  void AddLedger() {
    const ImportLog& log = trace_.log();
    Line("ledger {} = {} + {} + {}", log.read(), log.kept(), log.repaired(), log.excluded());
    for (const ImportCause& c : log.causes()) {
      Line("cause {} {} {} {} at {} [{}]", c.cause, c.count, static_cast<int>(c.severity), static_cast<int>(c.effect),
           c.first_place, c.example);
    }
  }

  SourceOffset Place(SourceOffset source) const { return with_file_ ? source : 0; }

  const Trace& trace_;
  bool with_file_;
  std::string out_;
};

inline std::string DumpTrace(const Trace& trace) { return TraceDump(trace).Text(); }
inline std::string DumpModel(const Trace& trace) { return TraceDump(trace, false).Text(); }

// The first line in which two dumps differ, for a message that a person can read; empty when they are equal.
inline std::string FirstDifference(std::string_view a, std::string_view b) {
  if (a == b) return "";
  size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  const auto line = [at](std::string_view text) {
    const size_t begin = at == 0 ? 0 : text.rfind('\n', std::min(at, text.size()) - 1) + 1;
    return std::string(text.substr(begin, text.find('\n', at) - begin));
  };
  return line(a) + "\n  differs from\n" + line(b);
}

}  // namespace warpsight::testing
