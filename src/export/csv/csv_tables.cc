#include "export/csv/csv_tables.h"

#include <array>
#include <map>
#include <string>
#include <vector>

#include "export/row_words.h"

namespace warpsight::csv {
namespace {

void WriteTime(CsvWriter& csv, Interval time) {
  csv.Integer(time.start);
  csv.Integer(time.end);
  csv.Integer(SaturatingSubtract(time.end, time.start));
}

void WriteRowNumber(CsvWriter& csv, uint32_t row) { csv.IntegerUnless(row, kNoRow); }

int64_t WriteHostEvents(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out) {
  const HostEvents& host = trace.host();
  int64_t written = 0;
  for (uint32_t row = 0; row < host.size() && !out.stopped(); ++row) {
    Interval time{host.start_ns[row], host.end_ns[row]};
    if (!window.Take(time)) continue;
    csv.Integer(row);
    WriteTime(csv, time);
    csv.Text(trace.Text(host.name[row]));
    csv.Text(HostKindWord(host.kind[row]));
    csv.Integer(host.thread[row]);
    WriteRowNumber(csv, host.parent[row]);
    csv.IntegerUnless(host.correlation[row], 0);
    csv.IntegerUnless(host.external_id[row], 0);
    csv.Text(trace.Text(host.shapes[row]));
    csv.Text(trace.Text(host.types[row]));
    csv.IntegerUnless(int64_t{host.sequence_plus_one[row]} - 1, -1);
    csv.IntegerUnless(host.forward_thread[row], 0);
    csv.EndRow();
    ++written;
  }
  return written;
}

void WriteLaunch(CsvWriter& csv, const LaunchConfig& config, bool recorded) {
  for (const std::array<int32_t, 3>& triple : {config.grid, config.block}) {
    for (const int32_t value : triple) csv.IntegerUnless(recorded ? value : -1, -1);
  }
  for (const int32_t value : {config.registers_per_thread, config.static_shared_bytes, config.dynamic_shared_bytes,
                              config.shared_bytes, config.estimated_occupancy_percent}) {
    csv.IntegerUnless(value, -1);
  }
}

void WriteCollective(CsvWriter& csv, const Trace& trace, const Collective& collective) {
  for (const StringId text : {collective.name, collective.dtype, collective.group_name, collective.group_ranks}) {
    csv.Text(trace.Text(text));
  }
  csv.IntegerUnless(collective.in_elements, kAbsent);
  csv.IntegerUnless(collective.out_elements, kAbsent);
  csv.IntegerUnless(collective.group_size, -1);
  csv.IntegerUnless(collective.rank, -1);
}

int64_t WriteGpuWork(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out) {
  const GpuWork& gpu = trace.gpu();
  int64_t written = 0;
  for (uint32_t row = 0; row < gpu.size() && !out.stopped(); ++row) {
    Interval time{gpu.start_ns[row], gpu.end_ns[row]};
    const Stream& stream = trace.streams()[gpu.stream[row]];
    if (!window.TakesDevice(stream.device) || !window.Take(time)) continue;
    csv.Integer(row);
    WriteTime(csv, time);
    csv.Text(trace.Text(gpu.name[row]));
    csv.Text(GpuKindWord(gpu.kind[row]));
    csv.Integer(stream.device);
    csv.Integer(gpu.stream[row]);
    csv.IntegerUnless(gpu.correlation[row], 0);
    csv.IntegerUnless(gpu.external_id[row], 0);
    WriteRowNumber(csv, gpu.launch[row]);
    WriteRowNumber(csv, gpu.op[row]);
    csv.IntegerUnless(gpu.bytes[row], kAbsent);
    csv.Text(CopyKindWord(gpu.copy_kind[row]));
    csv.Text(MemoryKindWord(gpu.source_memory[row]));
    csv.Text(MemoryKindWord(gpu.destination_memory[row]));
    csv.IntegerUnless(gpu.graph_id[row], 0);
    if (gpu.graph_node_id[row] == 0) {
      csv.Absent();
    } else {
      csv.Unsigned(gpu.graph_node_id[row]);
    }
    WriteLaunch(csv, trace.launch_config(gpu.launch_config[row]), gpu.launch_config[row] != 0);
    WriteCollective(csv, trace, trace.collective(gpu.collective[row]));
    csv.EndRow();
    ++written;
  }
  return written;
}

int64_t WriteGpuSpans(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out) {
  const GpuSpans& spans = trace.gpu_spans();
  int64_t written = 0;
  for (uint32_t row = 0; row < spans.size() && !out.stopped(); ++row) {
    Interval time{spans.start_ns[row], spans.end_ns[row]};
    const Stream& stream = trace.streams()[spans.stream[row]];
    if (!window.TakesDevice(stream.device) || !window.Take(time)) continue;
    csv.Integer(row);
    WriteTime(csv, time);
    csv.Text(trace.Text(spans.name[row]));
    csv.Text(GpuSpanKindWord(spans.kind[row]));
    csv.Integer(stream.device);
    csv.Integer(spans.stream[row]);
    csv.IntegerUnless(spans.external_id[row], 0);
    csv.EndRow();
    ++written;
  }
  return written;
}

int64_t WriteFlows(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out) {
  int64_t written = 0;
  for (const std::vector<FlowRow>& segment : trace.flows()) {
    for (const FlowRow& flow : segment) {
      if (out.stopped()) return written;
      if (!window.TakesPoint(flow.time_ns)) continue;
      csv.Integer(flow.time_ns);
      csv.Text(std::string_view(&flow.phase, 1));
      csv.Integer(flow.id);
      csv.Text(trace.Text(flow.category));
      csv.Integer(flow.thread);
      csv.EndRow();
      ++written;
    }
  }
  return written;
}

int64_t WriteInstants(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out) {
  int64_t written = 0;
  for (const std::vector<InstantRow>& segment : trace.instants()) {
    for (const InstantRow& instant : segment) {
      if (out.stopped()) return written;
      if (!window.TakesPoint(instant.time_ns)) continue;
      csv.Integer(instant.time_ns);
      csv.Text(std::string_view(&instant.phase, 1));
      csv.Text(trace.Text(instant.name));
      csv.Integer(instant.thread);
      csv.EndRow();
      ++written;
    }
  }
  return written;
}

int64_t WriteCounters(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out) {
  const CounterSamples& samples = trace.counter_samples();
  int64_t written = 0;
  for (const CounterSeries& series : trace.counters()) {
    if (!window.TakesDevice(series.device)) continue;
    for (uint32_t row = series.first; row < series.end && !out.stopped(); ++row) {
      if (!window.TakesPoint(samples.time_ns[row])) continue;
      csv.Integer(samples.time_ns[row]);
      csv.Text(trace.Text(series.name));
      csv.Text(trace.Text(series.unit));
      csv.IntegerUnless(series.device, -1);
      csv.Text(trace.Text(series.process));
      if (series.kind == CounterKind::kInteger) {
        csv.Integer(samples.value[row]);
      } else {
        csv.Double(samples.Double(series, row));
      }
      csv.EndRow();
      ++written;
    }
  }
  return written;
}

// "main;Run;Work": outermost first, as tools for flame graphs read stacks.
std::string FoldedStack(const Trace& trace, StackIndex innermost) {
  std::vector<std::string_view> functions;
  for (StackIndex frame = innermost; frame != 0; frame = trace.stacks().frame(frame).parent)
    functions.push_back(trace.Text(trace.stacks().frame(frame).function));
  std::string folded;
  for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
    if (!folded.empty()) folded += ';';
    folded += *function;
  }
  return folded;
}

int64_t WriteCpuSamples(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out) {
  const CpuSamples& samples = trace.cpu_samples();
  std::map<StackIndex, std::string> folded;
  int64_t written = 0;
  for (uint32_t row = 0; row < samples.size() && !out.stopped(); ++row) {
    if (!window.TakesPoint(samples.time_ns[row])) continue;
    const auto [stack, is_new] = folded.try_emplace(samples.stack[row]);
    if (is_new) stack->second = FoldedStack(trace, samples.stack[row]);
    csv.Integer(samples.time_ns[row]);
    csv.Integer(samples.thread[row]);
    csv.Text(stack->second);
    csv.EndRow();
    ++written;
  }
  return written;
}

int64_t WriteGraphNodes(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out) {
  int64_t written = 0;
  for (const GraphNodeRow& row : trace.graph_nodes()) {
    if (out.stopped()) break;
    if (!window.TakesPoint(row.time_ns)) continue;
    csv.Integer(row.time_ns);
    csv.Integer(row.thread);
    csv.Integer(static_cast<int64_t>(row.node));
    csv.Integer(static_cast<int64_t>(row.original));
    csv.EndRow();
    ++written;
  }
  return written;
}

int64_t WriteThreadSwitches(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& out) {
  constexpr std::string_view kStates[] = {"on", "waiting", "preempted", "unknown"};
  const ThreadSwitches& switches = trace.thread_switches();
  int64_t written = 0;
  for (uint32_t row = 0; row < switches.size() && !out.stopped(); ++row) {
    if (!window.TakesPoint(switches.time_ns[row])) continue;
    csv.Integer(switches.time_ns[row]);
    csv.Integer(switches.thread[row]);
    csv.Text(kStates[static_cast<size_t>(switches.state[row])]);
    csv.EndRow();
    ++written;
  }
  return written;
}

int64_t WriteThreads(const Trace& trace, RowWindow& /*window*/, CsvWriter& csv, const OutputBuffer& /*out*/) {
  int64_t number = 0;
  for (const Thread& thread : trace.threads()) {
    csv.Integer(number++);
    csv.Text(thread.process_label);
    csv.Text(thread.label);
    csv.Text(thread.process_name);
    csv.Text(thread.name);
    csv.EndRow();
  }
  return number;
}

int64_t WriteStreams(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& /*out*/) {
  int64_t number = 0;
  int64_t written = 0;
  for (const Stream& stream : trace.streams()) {
    const int64_t index = number++;
    if (!window.TakesDevice(stream.device)) continue;
    csv.Integer(index);
    csv.Integer(stream.device);
    csv.IntegerUnless(stream.stream, kAbsent);
    csv.IntegerUnless(stream.context, kAbsent);
    csv.IntegerUnless(stream.process, kAbsent);
    csv.Text(stream.label);
    csv.EndRow();
    ++written;
  }
  return written;
}

int64_t WriteDevices(const Trace& trace, RowWindow& window, CsvWriter& csv, const OutputBuffer& /*out*/) {
  int64_t written = 0;
  for (const Device& device : trace.devices()) {
    if (!window.TakesDevice(device.id)) continue;
    csv.Integer(device.id);
    csv.Text(device.name);
    csv.IntegerUnless(device.total_memory_bytes, -1);
    csv.IntegerUnless(device.compute_major, -1);
    csv.IntegerUnless(device.compute_minor, -1);
    csv.IntegerUnless(device.sm_count, -1);
    csv.EndRow();
    ++written;
  }
  return written;
}

int64_t WriteRecording(const Trace& trace, RowWindow& /*window*/, CsvWriter& csv, const OutputBuffer& /*out*/) {
  const RecordingInfo& info = trace.recording();
  int64_t written = 0;
  const auto add = [&](std::string_view key, std::string_view value) {
    if (value.empty()) return;
    csv.Text(key);
    csv.Text(value);
    csv.EndRow();
    ++written;
  };
  add("producer", info.producer);
  add("version", info.version);
  add("trace_name", info.trace_name);
  if (info.has_clock_base) add("clock_base_ns", std::to_string(info.clock_base_ns));
  if (info.rank >= 0) add("rank", std::to_string(info.rank));
  if (info.world_size >= 0) add("world_size", std::to_string(info.world_size));
  add("backend", info.backend);
  for (const auto& [key, value] : info.properties) add("property: " + key, value);
  return written;
}

constexpr CsvTable kTables[] = {
    {"host_events",
     "row,start_ns,end_ns,dur_ns,name,kind,thread,parent,correlation,external_id,shapes,types,sequence,forward_thread",
     WriteHostEvents},
    {"gpu_work",
     "row,start_ns,end_ns,dur_ns,name,kind,device,stream,correlation,external_id,launch,op,bytes,copy_kind,source_memory,"
     "destination_memory,graph_id,graph_node_id,grid_x,grid_y,grid_z,block_x,block_y,block_z,registers_per_thread,"
     "static_shared_bytes,dynamic_shared_bytes,shared_bytes,occupancy_percent,collective,dtype,group,ranks,in_elements,"
     "out_elements,group_size,rank",
     WriteGpuWork},
    {"gpu_spans", "row,start_ns,end_ns,dur_ns,name,kind,device,stream,external_id", WriteGpuSpans},
    {"flows", "time_ns,phase,id,category,thread", WriteFlows},
    {"instants", "time_ns,phase,name,thread", WriteInstants},
    {"counters", "time_ns,name,unit,device,process,value", WriteCounters},
    {"cpu_samples", "time_ns,thread,stack", WriteCpuSamples},
    {"thread_switches", "time_ns,thread,state", WriteThreadSwitches},
    {"graph_nodes", "time_ns,thread,node,original", WriteGraphNodes},
    {"threads", "thread,pid,tid,process_name,name", WriteThreads},
    {"streams", "stream,device,number,context,process,label", WriteStreams},
    {"devices", "device,name,total_memory_bytes,compute_major,compute_minor,sm_count", WriteDevices},
    {"recording", "key,value", WriteRecording},
};

}  // namespace

std::span<const CsvTable> CsvTables() { return kTables; }

}  // namespace warpsight::csv
