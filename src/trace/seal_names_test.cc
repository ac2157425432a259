// Names merged over parts of a file, and that the cut into parts and the number of threads do not show.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

TEST(SealNamesTest, ThreadsInNumericOrderTheRecordersOwnLast) {
  TraceBuilder builder;
  HostEventRow row;
  row.kind = HostKind::kOp;
  for (const auto& [pid, tid] : std::vector<std::pair<std::string, std::string>>{
           {"Spans", "PyTorch Profiler"}, {"20", "3"}, {"-1", "0"}, {"3", "20"}, {"3", "3"}, {"3", "worker"}}) {
    row.thread = builder.names().InternThread(pid, tid);
    builder.Add(row);
  }
  std::string order;
  const Trace trace = std::move(builder).Seal();
  for (const Thread& thread : trace.threads()) order += thread.process_label + "/" + thread.label + " ";
  EXPECT_EQ(order, "3/worker 3/3 3/20 20/3 -1/0 Spans/PyTorch Profiler ");
  EXPECT_EQ(trace.threads()[1].pid, 3);
  EXPECT_EQ(trace.threads()[1].tid, 3);
  EXPECT_EQ(trace.threads()[5].pid, -1);
}

TEST(SealNamesTest, NamesOfThreadsAndProcesses) {
  TraceBuilder builder;
  const ThreadIndex first = builder.names().InternThread("3", "1");
  const ThreadIndex second = builder.names().InternThread("3", "2");
  const ThreadIndex other = builder.names().InternThread("4", "1");
  builder.shard().thread_names = {
      {first, false, "early"}, {first, false, "main"}, {second, true, "python"}, {other, false, "io"}};
  const Trace trace = std::move(builder).Seal();
  EXPECT_EQ(trace.threads()[0].name, "main");  // the last one counts
  EXPECT_EQ(trace.threads()[0].process_name, "python");
  EXPECT_EQ(trace.threads()[1].name, "");
  EXPECT_EQ(trace.threads()[1].process_name, "python");
  EXPECT_EQ(trace.threads()[2].name, "io");
  EXPECT_EQ(trace.threads()[2].process_name, "");
}

TEST(SealNamesTest, StreamsAreOneWhateverTheContext) {
  LocalNames names;
  const StreamIndex first = names.InternStream(0, 7, kAbsent);
  EXPECT_EQ(names.InternStream(0, 7, 2), first);
  EXPECT_NE(names.InternStream(1, 7, 2), first);
  EXPECT_NE(names.InternStream(0, 8, 2), first);
}

TEST(SealNamesTest, EqualLaunchConfigsAreOne) {
  LocalNames names;
  LaunchConfig config;
  EXPECT_NE(names.InternLaunchConfig(config), 0u);  // recorded, if empty
  config.grid = {16, 1, 1};
  const LaunchIndex index = names.InternLaunchConfig(config);
  EXPECT_EQ(names.InternLaunchConfig(config), index);
  config.registers_per_thread = 32;
  EXPECT_NE(names.InternLaunchConfig(config), index);
}

TEST(SealNamesTest, ThreadsOfOneTextAreOne) {
  LocalNames names;
  const ThreadIndex first = names.InternThread("1", "2");
  EXPECT_NE(names.InternThread("12", ""), first);
  EXPECT_NE(names.InternThread("2", "1"), first);
  EXPECT_EQ(names.InternThread("1", "2"), first);
}

// --- the same rows in other parts

// One row of any table, before it is given to a part of the file.
struct Event {
  enum class Kind { kHost, kBegin, kEnd, kGpu, kSpan, kInstant, kFlow, kName } kind = Kind::kHost;
  std::string name;
  std::string tid;
  Ns start_ns = 0;
  Ns duration_ns = 0;
  uint32_t id = 0;
};

std::vector<Event> RandomEvents(size_t count) {
  std::mt19937 random(11);
  std::vector<Event> events;
  for (size_t i = 0; i < count; ++i) {
    Event event;
    event.kind = static_cast<Event::Kind>(random() % 8);
    event.name = "name " + std::to_string(random() % 40);
    event.tid = std::to_string(random() % 3);
    event.start_ns = static_cast<Ns>(random() % 300);  // few distinct times: many ties
    event.duration_ns = static_cast<Ns>(random() % 20);
    event.id = random() % 60;
    events.push_back(std::move(event));
  }
  return events;
}

HostEventRow HostRow(const Event& event, size_t place, LocalNames& names) {
  HostEventRow row;
  row.name = names.strings.Intern(event.name);
  row.thread = names.InternThread("1", event.tid);
  row.start_ns = event.start_ns;
  row.duration_ns = event.duration_ns;
  row.correlation = event.id;
  row.external_id = event.id % 7;
  row.kind = static_cast<HostKind>(event.id % 7);
  row.source = place;
  return row;
}

void AppendGpu(const Event& event, size_t place, TraceShard& shard) {
  LocalNames& names = *shard.names;
  GpuWorkRow row;
  row.name = names.strings.Intern(event.name);
  row.stream = names.InternStream(event.id % 2, event.id % 3, event.id % 4 == 0 ? kAbsent : 1);
  row.start_ns = event.start_ns;
  row.duration_ns = event.duration_ns;
  row.correlation = event.id;
  row.source = place;
  LaunchConfig config;
  config.grid = {static_cast<int32_t>(event.id % 5), 1, 1};
  row.launch_config = names.InternLaunchConfig(config);
  Collective collective;
  collective.name = names.strings.Intern(event.name);
  if (event.id % 5 == 0) row.collective = names.AddCollective(collective);
  shard.gpu.push_back(row);
}

void Append(const Event& event, size_t place, TraceShard& shard) {
  LocalNames& names = *shard.names;
  shard.log.CountRead();
  switch (event.kind) {
    case Event::Kind::kHost:
      shard.host.push_back(HostRow(event, place, names));
      break;
    case Event::Kind::kBegin:
    case Event::Kind::kEnd:
      shard.duration_ends.push_back({HostRow(event, place, names), event.kind == Event::Kind::kBegin});
      break;
    case Event::Kind::kGpu:
      AppendGpu(event, place, shard);
      break;
    case Event::Kind::kSpan: {
      GpuSpanRow row;
      row.name = names.strings.Intern(event.name);
      row.stream = names.InternStream(event.id % 2, event.id % 3, kAbsent);
      row.start_ns = event.start_ns;
      row.source = place;
      shard.gpu_spans.push_back(row);
      break;
    }
    case Event::Kind::kInstant:
      shard.instants.push_back(
          {event.start_ns, place, names.strings.Intern(event.name), names.InternThread("1", event.tid), 'i'});
      break;
    case Event::Kind::kFlow:
      shard.flows.push_back(
          {event.start_ns, names.strings.Intern(event.name), names.InternThread("1", event.tid), event.id, 's'});
      break;
    case Event::Kind::kName:
      shard.thread_names.push_back({names.InternThread("1", event.tid), event.id % 2 == 0, event.name});
      break;
  }
}

// Cuts the events at random places; the parts use the names of `workers` workers in turn.
Trace SealInParts(const std::vector<Event>& events, uint32_t seed, size_t workers, int threads) {
  std::mt19937 random(seed);
  std::vector<std::shared_ptr<LocalNames>> names;
  for (size_t i = 0; i < workers; ++i) names.push_back(std::make_shared<LocalNames>());
  std::vector<TraceShard> shards;
  for (size_t i = 0; i < events.size(); ++i) {
    if (shards.empty() || (seed != 0 && random() % 20 == 0)) shards.emplace_back().names = names[random() % workers];
    Append(events[i], i, shards.back());
  }
  return Seal({}, std::move(shards), {.threads = threads});
}

std::string DumpHost(const Trace& trace) {
  std::string dump;
  const HostEvents& host = trace.host();
  for (uint32_t row = 0; row < host.size(); ++row) {
    for (const int64_t value : {host.start_ns[row], host.end_ns[row], int64_t{host.thread[row]}, int64_t{host.parent[row]},
                                int64_t{host.correlation[row]}, static_cast<int64_t>(host.source[row])}) {
      dump += std::to_string(value) + " ";
    }
    dump += std::string(trace.Text(host.name[row])) + "\n";
  }
  return dump;
}

std::string DumpGpu(const Trace& trace) {
  std::string dump;
  const GpuWork& gpu = trace.gpu();
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    for (const int64_t value :
         {gpu.start_ns[row], gpu.end_ns[row], int64_t{gpu.stream[row]}, int64_t{gpu.launch[row]}, int64_t{gpu.op[row]},
          static_cast<int64_t>(gpu.source[row]), int64_t{trace.launch_config(gpu.launch_config[row]).grid[0]}}) {
      dump += std::to_string(value) + " ";
    }
    dump += std::string(trace.Text(gpu.name[row])) + " " +
            std::string(trace.Text(trace.collective(gpu.collective[row]).name)) + "\n";
  }
  for (uint32_t row = 0; row < trace.gpu_spans().size(); ++row) {
    dump +=
        std::to_string(trace.gpu_spans().source[row]) + " " + std::string(trace.Text(trace.gpu_spans().name[row])) + "\n";
  }
  return dump;
}

std::string DumpRest(const Trace& trace) {
  std::string dump;
  for (const auto& segment : trace.flows()) {
    for (const FlowRow& row : segment) {
      dump += std::string(trace.Text(row.category)) + " " + std::to_string(row.thread) + " " + std::to_string(row.id) + "\n";
    }
  }
  for (const auto& segment : trace.instants()) {
    for (const InstantRow& row : segment)
      dump += std::string(trace.Text(row.name)) + " " + std::to_string(row.thread) + "\n";
  }
  for (const Thread& thread : trace.threads()) {
    dump += thread.label + " " + thread.name + " " + thread.process_name + " " + std::to_string(thread.first_frame) + "\n";
  }
  for (const Stream& stream : trace.streams()) {
    dump +=
        std::to_string(stream.device) + " " + std::to_string(stream.stream) + " " + std::to_string(stream.context) + "\n";
  }
  for (const ImportCause& cause : trace.log().causes()) {
    dump += cause.cause + " " + std::to_string(cause.count) + " " + std::to_string(cause.first_place) + "\n";
  }
  return dump;
}

TEST(SealPartsTest, PartsAndThreadsDoNotShow) {
  const std::vector<Event> events = RandomEvents(3000);
  const Trace whole = SealInParts(events, 0, 1, 1);
  const std::string host = DumpHost(whole);
  const std::string gpu = DumpGpu(whole);
  const std::string rest = DumpRest(whole);
  for (uint32_t seed = 1; seed < 20; ++seed) {
    const Trace trace = SealInParts(events, seed, 1 + seed % 4, 1 + static_cast<int>(seed % 3));
    ASSERT_TRUE(DumpHost(trace) == host) << seed;
    ASSERT_TRUE(DumpGpu(trace) == gpu) << seed;
    ASSERT_TRUE(DumpRest(trace) == rest) << seed;
  }
}

TEST(SealPartsTest, NamesOfEveryWorkerFindTheirText) {
  std::vector<TraceShard> shards(3);
  const auto shared = std::make_shared<LocalNames>();
  const auto other = std::make_shared<LocalNames>();
  shards[0].names = shared;
  shards[1].names = other;
  shards[2].names = shared;
  for (size_t i = 0; i < 3; ++i) {
    other->strings.Intern("only in the second, so that ids differ " + std::to_string(i));
    HostEventRow row;
    row.kind = HostKind::kOp;
    row.start_ns = static_cast<Ns>(i) * 10;
    row.thread = shards[i].names->InternThread("1", "1");
    row.name = shards[i].names->strings.Intern("op");
    row.shapes = shards[i].names->strings.Intern("shape " + std::to_string(i));
    shards[i].host.push_back(row);
    shards[i].log.CountRead();
  }
  const Trace trace = Seal({}, std::move(shards), {});
  EXPECT_EQ(trace.threads().size(), 1u);
  for (uint32_t row = 0; row < 3; ++row) {
    EXPECT_EQ(trace.host().name[row], trace.host().name[0]);
    EXPECT_EQ(trace.Text(trace.host().shapes[row]), "shape " + std::to_string(row));
  }
}

TEST(SealPartsTest, LogsOfAllPartsAreOne) {
  std::vector<TraceShard> shards(2);
  for (TraceShard& shard : shards) {
    shard.names = std::make_shared<LocalNames>();
    shard.log.CountRead(3);
    shard.log.Add("broken_event", ImportSeverity::kError, Effect::kExcluded, "x", 5);
  }
  const Trace trace = Seal({}, std::move(shards), {});
  EXPECT_EQ(trace.log().read(), 6);
  EXPECT_EQ(trace.log().excluded(), 2);
}

}  // namespace
}  // namespace warpsight
