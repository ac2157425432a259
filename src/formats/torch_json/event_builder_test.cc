// What becomes of an event's fields: the row, and the causes in the ledger (the table of damage in
// docs/formats/torch_json.md).
#include "formats/torch_json/event_builder.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "formats/torch_json/block.h"
#include "formats/torch_json/event_parser.h"

namespace warpsight::torch_json {
namespace {

// The rows of some events.
class Built {
 public:
  explicit Built(std::initializer_list<std::string_view> events) : names_(std::make_shared<LocalNames>()), builder_(names_) {
    shard_.names = names_;
    builder_.Begin(shard_);
    EventParser parser;
    for (const std::string_view event : events) {
      PaddedText text;
      text.Assign(event);
      EventFields fields;
      EXPECT_EQ(parser.Parse(text.begin(), text.end(), fields).outcome, ParseOutcome::kEvent) << event;
      builder_.Add(fields, next_offset_);
      next_offset_ += 1000;
    }
  }
  const TraceShard& shard() const { return shard_; }
  const ImportLog& log() const { return shard_.log; }
  const HostEventRow& host() const { return shard_.host.at(0); }
  const GpuWorkRow& gpu() const { return shard_.gpu.at(0); }
  std::string_view Text(StringId id) const { return names_->strings.View(id); }
  Trace SealAll() {
    std::vector<TraceShard> shards;
    shards.push_back(std::move(shard_));
    return Seal({}, std::move(shards), {});
  }

 private:
  std::shared_ptr<LocalNames> names_;
  EventBuilder builder_;
  TraceShard shard_;
  uint64_t next_offset_ = 0;
};

// --- rows

TEST(EventBuilderTest, Op) {
  const Built built(
      {R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 5, "tid": 6, "ts": 10.5, "dur": 2.25, "args": {"External id": 11,)"
       R"( "Input Dims": [[1, 2], []], "Input type": ["float", ""], "Sequence number": 0, "Fwd thread id": 2}})"});
  const HostEventRow& row = built.host();
  EXPECT_EQ(row.kind, HostKind::kOp);
  EXPECT_EQ(built.Text(row.name), "aten::mm");
  EXPECT_EQ(row.start_ns, 10500);
  EXPECT_EQ(row.duration_ns, 2250);
  EXPECT_EQ(row.external_id, 11u);
  EXPECT_EQ(built.Text(row.shapes), "[[1, 2], []]");
  EXPECT_EQ(built.Text(row.types), R"(["float", ""])");
  EXPECT_EQ(row.sequence_plus_one, 1u);
  EXPECT_EQ(row.forward_thread, 2);
  EXPECT_EQ(row.source, 0u);
  EXPECT_FALSE(row.mended);
  EXPECT_EQ(built.log().kept(), 1);
}

TEST(EventBuilderTest, StepsOf2021AreRanges) {
  EXPECT_EQ(Built({R"({"ph": "X", "cat": "Operator", "name": "ProfilerStep#3", "pid": 1, "tid": 1, "ts": 1, "dur": 1})"})
                .host()
                .kind,
            HostKind::kRange);
  EXPECT_EQ(
      Built({R"({"ph": "X", "cat": "Operator", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 1})"}).host().kind,
      HostKind::kOp);
}

TEST(EventBuilderTest, Kernel) {
  const Built built(
      {R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {"device": 1, "context": 3,)"
       R"( "stream": 20, "correlation": 501, "grid": [16, 2, 1], "block": [128, 1, 1], "registers per thread": 64,)"
       R"( "shared memory": 4096, "est. achieved occupancy %": 61.0, "graph id": 5, "graph node id": 6, "Collective name": "allreduce",)"
       R"( "dtype": "BFloat16", "In msg nelems": 1024, "Out msg nelems": 2048, "Group size": 8, "Rank": 3}})"});
  const GpuWorkRow& row = built.gpu();
  EXPECT_EQ(row.kind, GpuKind::kKernel);
  EXPECT_EQ(row.correlation, 501u);
  EXPECT_EQ(row.graph_id, 5u);
  EXPECT_EQ(row.graph_node_id, 6u);
  Built again(
      {R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {"device": 1, "stream": 20,)"
       R"( "grid": [16, 2, 1], "block": [128, 1, 1], "registers per thread": 64, "est. achieved occupancy %": 61.0,)"
       R"( "Collective name": "allreduce", "In msg nelems": 1024, "Group size": 8}})"});
  const Trace trace = again.SealAll();
  const LaunchConfig& config = trace.launch_config(trace.gpu().launch_config[0]);
  EXPECT_EQ(config.grid, (std::array<int32_t, 3>{16, 2, 1}));
  EXPECT_EQ(config.block[0], 128);
  EXPECT_EQ(config.registers_per_thread, 64);
  EXPECT_EQ(config.estimated_occupancy_percent, 61);
  EXPECT_EQ(config.shared_bytes, -1);
  const Collective& collective = trace.collective(trace.gpu().collective[0]);
  EXPECT_EQ(trace.Text(collective.name), "allreduce");
  EXPECT_EQ(collective.in_elements, 1024);
  EXPECT_EQ(collective.out_elements, kAbsent);
  EXPECT_EQ(collective.group_size, 8);
  EXPECT_EQ(trace.device_of(0), 1);
  EXPECT_EQ(trace.streams()[0].stream, 20);
}

TEST(EventBuilderTest, DeviceAndStreamFromArgsElseFromPidAndTid) {
  Built built(
      {R"({"ph": "X", "cat": "kernel", "name": "a", "pid": 3, "tid": "stream 9", "ts": 1, "dur": 1})",
       R"({"ph": "X", "cat": "kernel", "name": "b", "pid": "4", "tid": 9, "ts": 1, "dur": 1, "args": {"queue": 2}})",
       R"({"ph": "X", "cat": "kernel", "name": "c", "pid": 3, "tid": 9, "ts": 1, "dur": 1, "args": {"device": "5", "stream": "1"}})"});
  const Trace trace = built.SealAll();
  std::vector<std::pair<int32_t, int64_t>> streams;
  for (const Stream& stream : trace.streams()) streams.emplace_back(stream.device, stream.stream);
  EXPECT_EQ(streams, (std::vector<std::pair<int32_t, int64_t>>{{3, 9}, {4, 2}, {5, 1}}));
  EXPECT_EQ(trace.log().repaired(), 0);
}

TEST(EventBuilderTest, CopiesAndSets) {
  const Built copy(
      {R"json({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 1, "dur": 1,)json"
       R"( "args": {"bytes": 4096}})"});
  EXPECT_EQ(copy.gpu().kind, GpuKind::kMemcpy);
  EXPECT_EQ(copy.gpu().copy_kind, CopyKind::kHostToDevice);
  EXPECT_EQ(copy.gpu().source_memory, MemoryKind::kPinned);
  EXPECT_EQ(copy.gpu().bytes, 4096);
  const Built set(
      {R"json({"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 7, "ts": 1, "dur": 1})json"});
  EXPECT_EQ(set.gpu().kind, GpuKind::kMemset);
  EXPECT_EQ(set.gpu().destination_memory, MemoryKind::kDevice);
  EXPECT_EQ(set.gpu().bytes, kAbsent);
}

TEST(EventBuilderTest, OtherPhases) {
  const Built built({R"({"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 7, "pid": 1, "tid": 1, "ts": 1})",
                     R"({"ph": "f", "cat": "ac2g", "name": "ac2g", "id": "7", "pid": 0, "tid": 7, "ts": 2})",
                     R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 3})",
                     R"({"ph": "C", "name": "counter", "pid": 1, "ts": 3})",
                     R"({"ph": "B", "name": "b", "pid": 1, "tid": 1, "ts": 4})",
                     R"({"ph": "E", "pid": 1, "tid": 1, "ts": 5})",
                     R"({"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "main \u00e9"}})",
                     R"({"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "python"}})",
                     R"({"ph": "M", "name": "thread_sort_index", "pid": 1, "tid": 1, "args": {"sort_index": 5}})"});
  const TraceShard& shard = built.shard();
  ASSERT_EQ(shard.flows.size(), 2u);
  EXPECT_EQ(shard.flows[0].id, shard.flows[1].id);
  EXPECT_EQ(shard.flows[1].phase, 'f');
  ASSERT_EQ(shard.instants.size(), 2u);
  EXPECT_EQ(shard.instants[1].phase, 'C');
  ASSERT_EQ(shard.duration_ends.size(), 2u);
  EXPECT_FALSE(shard.duration_ends[1].begin);
  ASSERT_EQ(shard.thread_names.size(), 2u);
  EXPECT_EQ(shard.thread_names[0].name, "main \xC3\xA9");
  EXPECT_TRUE(shard.thread_names[1].process);
  EXPECT_EQ(built.log().kept(), 9);
}

TEST(EventBuilderTest, MemoryReportsThatCanNotBeAreSaid) {
  const auto report = [](const char* args) {
    return std::string(R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 3, "args": {)") + args + "}}";
  };
  for (const char* total : {"-1", "9223372036854775808", "9223372036854775807", "1e300", "\"x\"", "null", "1.5"}) {
    const Built built({report(
        (std::string(R"("Device Type": 1, "Device Id": 0, "Total Reserved": 8, "Total Allocated": )") + total).c_str())});
    EXPECT_EQ(built.log().count("bad_memory_report"), 1) << total;
    EXPECT_EQ(built.log().repaired(), 1) << total;
    EXPECT_EQ(built.shard().counters.counter.size(), 1u) << total;
  }
  for (const char* device : {"", R"("Device Id": -1, )", R"("Device Id": 4294967296, )", R"("Device Id": "x", )"}) {
    const Built built({report((std::string(R"("Device Type": 1, )") + device + R"("Total Allocated": 5)").c_str())});
    EXPECT_EQ(built.log().count("bad_memory_report"), 1) << device;
    EXPECT_EQ(built.shard().instants.size(), 1u) << device;
    EXPECT_TRUE(built.shard().counters.counter.empty()) << device;
  }
  const Built host({report(R"("Device Type": 0, "Device Id": -1, "Total Allocated": 5)")});
  EXPECT_EQ(host.log().repaired(), 0);
  EXPECT_EQ(host.shard().counters.counter.size(), 1u);
}

TEST(EventBuilderTest, NumbersOfACounterAreSamples) {
  const Built built({R"({"ph": "C", "name": "queue", "pid": 1, "ts": 3, "args": {"value": 5}})",
                     R"({"ph": "C", "name": "memory", "pid": "0", "ts": 4.5, "args": {"used": 10, "free": 2.5, "of": "x"}})",
                     R"({"ph": "C", "name": "queue", "id": 7, "pid": 1, "ts": 5, "args": {"value": 6}})",
                     R"({"ph": "C", "name": "queue", "pid": 1, "args": {"value": 6}})",
                     R"({"ph": "C", "name": "queue", "pid": 1, "ts": 8, "args": {"state": "idle"}})"});
  const CounterColumns& counters = built.shard().counters;
  ASSERT_EQ(counters.size(), 4u);
  EXPECT_EQ(counters.events(), 3);
  EXPECT_EQ(counters.time_ns, (std::vector<Ns>{3000, 4500, 4500, 5000}));
  EXPECT_EQ(counters.value[0], 5);
  EXPECT_EQ(counters.value[1], 10);
  EXPECT_EQ(std::bit_cast<double>(counters.value[2]), 2.5);
  ASSERT_EQ(built.shard().instants.size(), 1u);
  EXPECT_EQ(built.log().count("missing_timestamp"), 1);
  EXPECT_EQ(built.log().kept(), 4);
}

// 0 stands for an estimate that failed, or for one below half a percent.
TEST(EventBuilderTest, AnOccupancyOfNothingIsAbsent) {
  Built built({R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {"device": 0,)"
               R"( "stream": 7, "grid": [132, 1, 1], "block": [384, 1, 1], "shared memory": 232448, "warps per SM": 12.0,)"
               R"( "est. achieved occupancy %": 0}})"});
  const Trace trace = built.SealAll();
  EXPECT_EQ(trace.launch_config(trace.gpu().launch_config[0]).estimated_occupancy_percent, -1);
}

TEST(EventBuilderTest, TotalsOfTheAllocatorAreCounters) {
  const Built built(
      {R"({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 3, "args": {
           "Total Reserved": 100, "Total Allocated": 40, "Bytes": 8, "Addr": 7, "Device Id": 1, "Device Type": 1}})",
       R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 4, "args": {"Total Allocated": 0, "Total Reserved": 100,
           "Bytes": -40, "Device Id": 1, "Device Type": 6}})",
       R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Total Allocated": 9, "Total Reserved": 0,
           "Device Type": 0, "Device Id": -1}})",
       R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 6, "args": {"Bytes": 4, "Device Type": 0, "Device Id": -1}})",
       R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 7, "args": {"Total Allocated": -1, "Total Reserved": "x"}})",
       R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "args": {"Total Allocated": 1}})"});
  const CounterColumns& counters = built.shard().counters;
  EXPECT_EQ(counters.time_ns, (std::vector<Ns>{3000, 3000, 4000, 4000, 5000}));
  EXPECT_EQ(counters.value, (std::vector<int64_t>{40, 100, 0, 100, 9}));
  EXPECT_EQ(counters.counter[0], counters.counter[2]);
  EXPECT_NE(counters.counter[0], counters.counter[4]);
  EXPECT_EQ(counters.events(), 3);
  EXPECT_EQ(built.shard().instants.size(), 2u);
  EXPECT_TRUE(built.shard().has_memory_reports);
  EXPECT_EQ(built.log().count("missing_timestamp"), 1);
  EXPECT_EQ(built.log().kept(), 4);
  EXPECT_EQ(built.log().repaired(), 1);
}

TEST(EventBuilderTest, ArrowsNamedByTextMeetAgain) {
  const Built built({R"({"ph": "s", "id": "0xab", "pid": 1, "tid": 1, "ts": 1})",
                     R"({"ph": "f", "id": "0xab", "pid": 1, "tid": 1, "ts": 1})",
                     R"({"ph": "f", "id": "0xac", "pid": 1, "tid": 1, "ts": 1})"});
  EXPECT_EQ(built.shard().flows[0].id, built.shard().flows[1].id);
  EXPECT_NE(built.shard().flows[0].id, built.shard().flows[2].id);
}

// --- damage

// An op with some members put in place of the good ones.
std::string Op(std::string_view name, std::string_view thread, std::string_view time, std::string_view more = "") {
  std::string event = R"({"ph": "X", "cat": "cpu_op")";
  for (const std::string_view part : {name, thread, time, more}) event += (part.empty() ? "" : ", ") + std::string(part);
  return event + "}";
}
constexpr std::string_view kName = R"("name": "n")";
constexpr std::string_view kThread = R"("pid": 1, "tid": 2)";
constexpr std::string_view kTime = R"("ts": 5, "dur": 1)";

std::string OpWithTime(std::string_view time) { return Op(kName, kThread, time); }

struct Damage {
  const char* name;
  std::string event;
  std::string cause;
  Effect effect;
  std::optional<Ns> duration_ns = std::nullopt;  // of the row, where the cause is about it
};

std::ostream& operator<<(std::ostream& out, const Damage& damage) { return out << damage.name; }

class EventBuilderDamageTest : public ::testing::TestWithParam<Damage> {};

TEST_P(EventBuilderDamageTest, IsInTheLedgerOnce) {
  const Damage& damage = GetParam();
  const Built built({damage.event});
  const ImportLog& log = built.log();
  EXPECT_EQ(log.count(damage.cause), 1);
  EXPECT_EQ(log.read(), 1);
  EXPECT_EQ(log.repaired(), damage.effect == Effect::kRepaired ? 1 : 0);
  EXPECT_EQ(log.excluded(), damage.effect == Effect::kExcluded ? 1 : 0);
  const size_t rows = built.shard().host.size() + built.shard().gpu.size();
  EXPECT_EQ(rows, damage.effect == Effect::kExcluded ? 0u : 1u);
  if (!built.shard().host.empty()) {
    EXPECT_EQ(built.host().mended, damage.effect == Effect::kRepaired);
    EXPECT_EQ(built.host().duration_ns, damage.duration_ns.value_or(1000));
  }
}

std::vector<Damage> Damages() {
  constexpr Effect kRepaired = Effect::kRepaired;
  constexpr Effect kExcluded = Effect::kExcluded;
  constexpr Effect kNote = Effect::kNote;
  const std::string text = "\"name\": \"";
  return {
      {"UnescapedQuote", Op(R"("name": "a "b" c")", kThread, kTime), "unescaped_quote", kRepaired},
      {"ControlCharacter", Op(text + "a\nb\"", kThread, kTime), "control_character", kRepaired},
      {"WrongEscape", Op(R"("name": "C:\win")", kThread, kTime), "damaged_name", kRepaired},
      {"NotUtf8", Op(text + "\xFF\"", kThread, kTime), "damaged_name", kRepaired},
      {"NaNInArgs", Op(kName, kThread, kTime, R"("args": {"x": NaN})"), "non_json_number", kRepaired},
      {"NaNTime", OpWithTime(R"("ts": NaN, "dur": 1)"), "bad_timestamp", kExcluded},
      {"TextTime", OpWithTime(R"("ts": "soon", "dur": 1)"), "bad_timestamp", kExcluded},
      {"DecimalComma", OpWithTime(R"("ts": 5, "dur": 2,5)"), "decimal_comma", kRepaired, 2500},
      {"KeyTwice", OpWithTime(R"("ts": 5, "dur": 1, "ts": 6)"), "duplicate_key", kRepaired},
      {"NoDuration", OpWithTime(R"("ts": 5)"), "missing_duration", kRepaired, 0},
      {"NegativeDuration", OpWithTime(R"("ts": 5, "dur": -1)"), "negative_duration", kRepaired, 0},
      {"BadDuration", OpWithTime(R"("ts": 5, "dur": "long")"), "bad_duration", kRepaired, 0},
      {"YearsOfDuration", OpWithTime(R"("ts": 5, "dur": 40000000000000)"), "absurd_duration", kRepaired, 0},
      {"DurationOutOfRange", OpWithTime(R"("ts": 5, "dur": 9223372036854775807)"), "absurd_duration", kRepaired, 0},
      {"EndOutOfRange", OpWithTime(R"("ts": 9223372036854775.0, "dur": 1)"), "end_out_of_range", kRepaired, 0},
      {"NoPid", Op(kName, R"("tid": 1)", kTime), "missing_thread", kRepaired},
      {"NoTid", Op(kName, R"("pid": 1)", kTime), "missing_thread", kRepaired},
      {"NoName", Op("", kThread, kTime), "missing_name", kRepaired},
      {"NoDevice", R"({"ph": "X", "cat": "kernel", "name": "k", "pid": "GPU", "tid": 7, "ts": 1, "dur": 1})",
       "missing_device", kRepaired},
      {"NegativeDevice", R"({"ph": "X", "cat": "kernel", "name": "k", "pid": -1, "tid": 7, "ts": 1, "dur": 1})",
       "missing_device", kRepaired},
      {"NoTime", OpWithTime(R"("dur": 1)"), "missing_timestamp", kExcluded},
      {"TimeOutOfRange", OpWithTime(R"("ts": 9223372036854775.808, "dur": 1)"), "timestamp_out_of_range", kExcluded},
      {"NoPhase", R"({"name": "a", "ts": 1, "dur": 1})", "no_phase", kExcluded},
      {"LongPhase", R"({"ph": "XX", "name": "a", "ts": 1, "dur": 1})", "no_phase", kExcluded},
      {"BelowNanosecond", OpWithTime(R"("ts": 5.00012, "dur": 1)"), "below_nanosecond", kNote},
      {"NegativeId", Op(kName, kThread, kTime, R"("args": {"External id": -3})"), "id_out_of_range", kNote},
      {"LongId", Op(kName, kThread, kTime, R"("args": {"correlation": 4294967296})"), "id_out_of_range", kNote},
  };
}

std::string NameOf(const ::testing::TestParamInfo<Damage>& tested) { return tested.param.name; }
INSTANTIATE_TEST_SUITE_P(Rows, EventBuilderDamageTest, ::testing::ValuesIn(Damages()), NameOf);

TEST(EventBuilderTest, SecondFaultOfAnEventIsANote) {
  const Built built({Op("", R"("tid": 1)", R"("ts": 5, "dur": -1, "ts": 5)"), Op("", kThread, kTime)});
  EXPECT_EQ(built.log().read(), 2);
  EXPECT_EQ(built.log().repaired(), 2);
  EXPECT_EQ(built.log().kept(), 0);
  EXPECT_EQ(built.log().count("missing_name"), 2);
  EXPECT_EQ(built.log().count("duplicate_key"), 1);
}

TEST(EventBuilderTest, ExcludedEventsAreNotMendedToo) {
  const Built built({OpWithTime(R"("ts": NaN, "ts": NaN)")});
  EXPECT_EQ(built.log().excluded(), 1);
  EXPECT_EQ(built.log().repaired(), 0);
  EXPECT_EQ(built.log().kept(), 0);
}

TEST(EventBuilderTest, PlaceOfTheFirstCase) {
  const Built built({OpWithTime(kTime), OpWithTime(R"("ts": 1)"), OpWithTime(R"("ts": 2)")});
  ASSERT_EQ(built.log().causes().size(), 1u);
  EXPECT_EQ(built.log().causes()[0].first_place, 1000);
}

}  // namespace
}  // namespace warpsight::torch_json
