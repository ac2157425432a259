#include "formats/native/join_chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace warpsight::native {
namespace {

struct OpenRange {
  ChunkRows* chunk;
  uint32_t host_row;
};

void Close(const OpenRange& open, Ns end_ns) {
  HostEventRow& row = open.chunk->shard.host[open.host_row];
  row.duration_ns = std::max<Ns>(0, SaturatingSubtract(end_ns, row.start_ns));
}

// Started ranges: the end may stand before its start, since threads are written block by block.
void PairStarted(std::vector<ChunkRows>& chunks, Ns last) {
  std::map<std::pair<ProcessId, uint64_t>, OpenRange> started;
  for (ChunkRows& chunk : chunks) {
    for (const RangeEnd& end : chunk.range_ends) {
      if (end.id != 0 && end.host_row != ~0u)
        started.insert_or_assign({chunk.process, end.id}, OpenRange{&chunk, end.host_row});
    }
  }
  for (ChunkRows& chunk : chunks) {
    for (const RangeEnd& end : chunk.range_ends) {
      if (end.id == 0 || end.host_row != ~0u) continue;
      const auto found = started.find({chunk.process, end.id});
      if (found == started.end()) {
        chunk.ExcludeRangeEnd();
        continue;
      }
      Close(found->second, end.time_ns);
      started.erase(found);
    }
  }
  for (auto& [key, open] : started) open.chunk->LeaveOpen(open.host_row, last);
}

// Pushed ranges: each thread's stand in the order in which they were made, one stack a domain.
void PairPushed(std::vector<ChunkRows>& chunks, Ns last) {
  std::map<std::string_view, uint32_t> domain_numbers;  // of all chunks
  std::map<std::tuple<ProcessId, uint32_t, uint32_t>, std::vector<OpenRange>> pushed;
  for (ChunkRows& chunk : chunks) {
    std::vector<uint32_t> numbers;
    for (const std::string& domain : chunk.domains)
      numbers.push_back(domain_numbers.try_emplace(domain, static_cast<uint32_t>(domain_numbers.size())).first->second);
    for (const RangeEnd& end : chunk.range_ends) {
      if (end.id != 0) continue;
      std::vector<OpenRange>& stack = pushed[{chunk.process, end.thread, numbers[end.domain]}];
      if (end.host_row != ~0u) {
        stack.push_back({&chunk, end.host_row});
      } else if (!stack.empty()) {
        Close(stack.back(), end.time_ns);
        stack.pop_back();
      } else {
        chunk.ExcludeRangeEnd();
      }
    }
  }
  for (auto& [key, stack] : pushed) {
    for (const OpenRange& open : stack) open.chunk->LeaveOpen(open.host_row, last);
  }
}

void PairRanges(std::vector<ChunkRows>& chunks) {
  Ns last = kMinNs;
  for (const ChunkRows& chunk : chunks) {
    last = std::max(last, chunk.last_ns);
    for (const RangeEnd& end : chunk.range_ends) last = std::max(last, end.time_ns);
  }
  PairPushed(chunks, last);
  PairStarted(chunks, last);
}

// Processes may number the same device differently, or different ones alike (CUDA_VISIBLE_DEVICES, one GPU a rank): then
// devices are numbered anew, in the order of the processes and of their own numbers.
void NumberDevices(std::vector<ChunkRows>& chunks) {
  std::map<ProcessId, std::map<uint32_t, Uuid>> uuids;
  for (const ChunkRows& chunk : chunks) uuids[chunk.process].insert(chunk.uuids.begin(), chunk.uuids.end());
  std::map<uint32_t, Uuid> by_number;
  std::map<Uuid, uint32_t> by_uuid;
  bool alike = true;
  for (const auto& [process, devices] : uuids) {
    for (const auto& [number, uuid] : devices) {
      alike = alike && by_number.try_emplace(number, uuid).first->second == uuid &&
              by_uuid.try_emplace(uuid, number).first->second == number;
    }
  }
  if (alike) return;
  by_uuid.clear();
  for (const auto& [process, devices] : uuids) {
    for (const auto& [number, uuid] : devices) by_uuid.try_emplace(uuid, static_cast<uint32_t>(by_uuid.size()));
  }
  for (ChunkRows& chunk : chunks) {
    const std::map<uint32_t, Uuid>& own = uuids[chunk.process];
    const auto renumbered = [&](uint32_t number) {
      const auto found = own.find(number);
      return found == own.end() ? number : by_uuid[found->second];
    };
    for (GpuWorkRow& row : chunk.shard.gpu) {
      wire::Place place = chunk.PlaceOf(row.stream);
      place.device = renumbered(place.device);
      row.stream = chunk.InternStream(place);
    }
    for (CounterIndex& counter : chunk.shard.counters.counter) {
      CounterSeries series = chunk.shard.names->counter(counter);
      if (series.device < 0) continue;
      series.device = static_cast<int32_t>(renumbered(static_cast<uint32_t>(series.device)));
      counter = chunk.shard.names->InternCounter(series);
    }
    for (auto& [context, device] : chunk.device_of_context) device = renumbered(device);
    for (Device& device : chunk.devices) device.id = static_cast<int32_t>(renumbered(static_cast<uint32_t>(device.id)));
  }
}

// Every process gets the ids behind those of the one before.
void NumberCorrelations(std::vector<ChunkRows>& chunks, ImportLog& log) {
  std::map<ProcessId, uint64_t> most;
  for (const ChunkRows& chunk : chunks)
    most[chunk.process] = std::max<uint64_t>(most[chunk.process], chunk.most_correlation);
  if (most.size() < 2) return;
  uint64_t before = 0;
  for (auto& [process, largest] : most) {
    const uint64_t own = largest;
    largest = before;
    before += own;
  }
  const bool fits = before <= std::numeric_limits<uint32_t>::max();
  if (!fits) {
    log.Add("correlation_ids_overflow", ImportSeverity::kError, Effect::kNote,
            "the processes have more calls together than can be numbered: work is not tied to its launches", -1);
  }
  for (ChunkRows& chunk : chunks) {
    const auto offset = static_cast<uint32_t>(most[chunk.process]);
    const auto number = [&](uint32_t& id) { id = id == 0 || !fits ? 0 : id + offset; };
    for (HostEventRow& row : chunk.shard.host) number(row.correlation);
    for (GpuWorkRow& row : chunk.shard.gpu) number(row.correlation);
    for (GpuSpanRow& row : chunk.shard.gpu_spans) number(row.correlation);
  }
}

void PlaceSpans(std::vector<ChunkRows>& chunks) {
  std::map<std::pair<ProcessId, uint32_t>, uint32_t> device_of_context;
  for (const ChunkRows& chunk : chunks) {
    for (const auto& [context, device] : chunk.device_of_context)
      device_of_context.try_emplace({chunk.process, context}, device);
  }
  for (ChunkRows& chunk : chunks) {
    for (const SpanToPlace& span : chunk.spans_to_place) {
      const auto found = device_of_context.find({chunk.process, span.context});
      const uint32_t device = found == device_of_context.end() ? 0 : found->second;
      chunk.shard.gpu_spans[span.span_row].stream = chunk.InternStream({device, span.context, span.stream, 0});
    }
  }
}

// Threads beyond are shown by their numbers.
void NameThreads(std::vector<ChunkRows>& chunks, ImportLog& log) {
  constexpr size_t kMostLabels = 200'000;
  constexpr size_t kMostLabelBytes = 1024;
  size_t labels = 0;
  std::map<ProcessId, std::string> commands;
  for (ChunkRows& chunk : chunks) {
    const std::string pid = std::to_string(chunk.process.process);
    for (const auto& [number, label] : chunk.thread_labels) {
      const std::string_view text = chunk.shard.names->strings.View(label).substr(0, kMostLabelBytes);
      const ThreadIndex thread = chunk.shard.names->InternThread(pid, std::to_string(number));
      if (labels++ < kMostLabels) chunk.shard.thread_names.push_back({thread, false, std::string(text)});
    }
    if (chunk.command.empty() || !commands.try_emplace(chunk.process, chunk.command).second) continue;
    const ThreadIndex main = chunk.shard.names->InternThread(pid, pid);
    chunk.shard.thread_names.push_back({main, true, chunk.command});
  }
  if (labels > kMostLabels) {
    log.Add("thread_names_left_out", ImportSeverity::kWarning, Effect::kNote,
            "more threads are named than any program has: they are shown by their numbers", -1,
            static_cast<int64_t>(labels - kMostLabels));
  }
}

// What stands for a cause that the recorder counts; empty when it is none of them, and so not ours.
std::string_view LossText(std::string_view cause) {
  if (cause == "dropped_no_room") return "records for which the size limit (--max-size) or the disk had no room";
  if (cause == "dropped_unread_buffers") return "buffers of CUPTI that it could not walk to their end";
  if (cause == "dropped_without_time") return "kernels and copies for which CUPTI had no time";
  if (cause == "dropped_names") return "names of threads and categories beyond what is kept";
  if (cause == "dropped_by_cupti") return "records that CUPTI dropped, since it got no buffer in time";
  if (cause == "dropped_ranges_no_memory") return "NVTX events and library calls for which there was no memory";
  if (cause == "dropped_counter_samples") return "samples of counters that came faster than they were written";
  if (cause == "dropped_cpu_samples") return "CPU samples that came faster than they were written";
  if (cause == "dropped_thread_switches") return "switches of threads that came faster than they were written";
  if (cause == "texts_cut") return "texts longer than a capture may hold, cut";
  if (cause == "unknown_activity_records") return "records of a kind that this recorder does not know";
  return {};
}

// What the recorder counted as lost. Lost records are no rows: they stand as notes with their number.
void NoteLosses(const std::vector<ChunkRows>& chunks, ImportLog& log) {
  // A damaged count may be any number; sums stop here.
  constexpr uint64_t kMostTimes = INT64_MAX;
  std::map<std::string, uint64_t> counts;
  for (const ChunkRows& chunk : chunks) {
    for (const auto& [cause, count] : chunk.counts) counts[cause] += std::min(count, kMostTimes - counts[cause]);
  }
  constexpr std::string_view kProblem = "problem: ";
  constexpr std::string_view kNote = "note: ";
  for (const auto& [cause, count] : counts) {
    const auto times = static_cast<int64_t>(count);
    if (count == 0) continue;  // what a chunk of a ring says of itself
    if (cause.ends_with("_kept") || cause == "buffers_refused" || cause == "kernels_among_dropped") continue;
    if (cause.starts_with(kNote)) {
      log.Add("recorder_note", ImportSeverity::kInfo, Effect::kNote, cause.substr(kNote.size()), -1, times);
    } else if (cause.starts_with(kProblem)) {
      log.Add("recorder_problem", ImportSeverity::kError, Effect::kNote, cause.substr(kProblem.size()), -1, times);
    } else if (cause == "ring_records_aged") {
      log.Add(cause, ImportSeverity::kInfo, Effect::kNote,
              "the ring kept the newest part: records that left it at its old end", -1, times);
    } else if (cause == "payloads_left_out") {
      log.Add(cause, ImportSeverity::kInfo, Effect::kNote,
              "NVTX events whose payload is a structure (NVTX's extension of schemas): they are kept without it", -1, times);
    } else if (const std::string_view lost = LossText(cause); !lost.empty()) {
      log.Add(cause, ImportSeverity::kError, Effect::kNote, fmt::format("{}: sums are too small by them", lost), -1, times);
    } else {
      // Of a newer recorder, or damaged: the name is no key of ours.
      log.Add("unknown_count", ImportSeverity::kWarning, Effect::kNote,
              fmt::format("the recorder counted '{}', which this version does not know", cause), -1, times);
    }
  }
}

// A gap in the numbers of a process's chunks; an end that never came.
void NoteMissingChunks(const std::vector<ChunkRows>& chunks, const std::vector<uint32_t>& sequences, ImportLog& log) {
  std::map<ProcessId, std::set<uint32_t>> seen;
  std::set<ProcessId> finished;
  std::set<ProcessId> ringed;
  for (size_t i = 0; i < chunks.size(); ++i) {
    seen[chunks[i].process].insert(sequences[i]);
    if (chunks[i].finished) finished.insert(chunks[i].process);
    if (chunks[i].counts.count("ring_records_aged") != 0) ringed.insert(chunks[i].process);
  }
  for (const auto& [process, numbers] : seen) {
    if (finished.count(process) == 0 && process.process == 0) {
      log.Add("recorder_problem", ImportSeverity::kError, Effect::kNote, "GPU metrics end early: their sampler was ended",
              -1);
    } else if (finished.count(process) == 0) {
      log.Add("recording_not_finished", ImportSeverity::kWarning, Effect::kNote,
              fmt::format("process {} ended without closing its recording (killed, or it replaced itself): up to a second "
                          "before its end is missing",
                          process.process),
              -1);
    }
    if (ringed.count(process) != 0) continue;
    const int64_t missing = int64_t{*numbers.rbegin()} + 1 - static_cast<int64_t>(numbers.size());
    if (missing > 0)
      log.Add("missing_chunks", ImportSeverity::kError, Effect::kNote,
              "chunks of the capture are missing: what they held is in no sum", -1, missing);
  }
}

// "rank=1 ranks=8".
void ReadRank(const std::string& text, RecordingInfo& info) {
  int rank = -1;
  int ranks = -1;
  if (std::sscanf(text.c_str(), "rank=%d ranks=%d", &rank, &ranks) != 2 || rank < 0 || ranks <= rank) return;
  info.rank = rank;
  info.world_size = ranks;
}

void FillHeader(const std::vector<ChunkRows>& chunks, TraceHeader& header) {
  RecordingInfo& info = header.recording;
  info.producer = "warpsight";
  info.ops_are_ranges = true;
  uint32_t cupti = 0;
  wire::ClockRecord clock;
  clock.error_ns = ~uint64_t{0};
  std::map<int32_t, Device> devices;
  std::set<ProcessId> processes;
  std::string command;
  std::set<std::string> ranks;
  for (const ChunkRows& chunk : chunks) {
    if (chunk.process.process != 0) processes.insert(chunk.process);
    cupti = std::max(cupti, chunk.cupti_version);
    if (command.empty()) command = chunk.command;
    if (!chunk.rank.empty()) ranks.insert(chunk.rank);
    for (const Device& device : chunk.devices) {
      // What samples a device knows less of it than who used it.
      Device& known = devices.try_emplace(device.id, device).first->second;
      if (known.sm_count <= 0) known = device;
    }
    for (const wire::ClockRecord& read : chunk.clocks) {
      if (read.error_ns < clock.error_ns) clock = read;
    }
    info.has_shapes |= chunk.shard.has_shapes;
  }
  for (auto& [id, device] : devices) header.devices.push_back(std::move(device));
  info.version = fmt::format("capture {}", wire::kFileVersion);
  if (cupti > 0) info.version += fmt::format("; cupti {}", cupti);
  if (!command.empty()) info.properties.emplace_back("command", command);
  // Several ranks in one file are none of it.
  if (ranks.size() == 1) ReadRank(*ranks.begin(), info);
  if (processes.size() > 1) info.properties.emplace_back("processes", std::to_string(processes.size()));
  if (clock.error_ns == ~uint64_t{0}) return;
  info.clock_base_ns = static_cast<Ns>(clock.realtime_ns - clock.monotonic_ns);
  info.has_clock_base = true;
  info.properties.emplace_back("clock_error_ns", std::to_string(clock.error_ns));
}

}  // namespace

void JoinChunks(std::vector<ChunkRows>& chunks, const std::vector<uint32_t>& sequences, TraceHeader& header,
                ImportLog& log) {
  PairRanges(chunks);
  NumberDevices(chunks);
  NumberCorrelations(chunks, log);
  PlaceSpans(chunks);
  NameThreads(chunks, log);
  NoteLosses(chunks, log);
  NoteMissingChunks(chunks, sequences, log);
  FillHeader(chunks, header);
}

}  // namespace warpsight::native
