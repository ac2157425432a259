// Chrome JSON: always valid, and read back as the recording that it was made of, row by row.
#include <gtest/gtest.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "export/exports.h"
#include "export/hostile_traces.h"
#include "hostile/trace_dump.h"
#include "hostile/trace_text.h"

namespace warpsight::testing::export_chrome_test {
namespace {

bool IsFromChrome(const Trace& trace) {
  return trace.recording().producer == "pytorch-profiler" || trace.recording().producer == "chrome-trace";
}

Result<Trace> Reimport(const std::string& json) { return OpenTraceBytes(json, "exported.json", {}); }

void ExpectNoDamage(const Trace& again) {
  for (const ImportCause& cause : again.log().causes()) EXPECT_EQ(cause.effect, Effect::kNote) << cause.cause;
}

void ExpectRoundTrip(const Trace& trace) {
  const Exported exported = ExportTo("chrome", trace);
  EXPECT_TRUE(nlohmann::json::accept(exported.bytes));
  const Result<Trace> again = Reimport(exported.bytes);
  ASSERT_TRUE(again.ok()) << again.status().message();
  ExpectNoDamage(*again);
  if (!exported.outcome.lost.empty()) return;
  EXPECT_EQ(FirstDifference(DumpModel(trace), DumpModel(*again)), "");
}

// What can be said of a recording of any recorder: the same rows, whatever tells its streams and counters apart.
void ExpectSameRows(const Trace& trace, const Trace& again) {
  ASSERT_EQ(trace.host().size(), again.host().size());
  const HostEvents& a = trace.host();
  const HostEvents& b = again.host();
  for (uint32_t row = 0; row < a.size(); ++row) {
    ASSERT_EQ(a.start_ns[row], b.start_ns[row]) << row;
    ASSERT_EQ(a.end_ns[row], b.end_ns[row]) << row;
    ASSERT_EQ(trace.Text(a.name[row]), again.Text(b.name[row])) << row;
    ASSERT_EQ(a.kind[row], b.kind[row]) << row;
    ASSERT_EQ(a.parent[row], b.parent[row]) << row;
    ASSERT_EQ(a.correlation[row], b.correlation[row]) << row;
    ASSERT_EQ(a.external_id[row], b.external_id[row]) << row;
    ASSERT_EQ(trace.Text(a.shapes[row]), again.Text(b.shapes[row])) << row;
    ASSERT_EQ(a.sequence_plus_one[row], b.sequence_plus_one[row]) << row;
  }
  const GpuWork& g = trace.gpu();
  const GpuWork& h = again.gpu();
  ASSERT_EQ(g.size(), h.size());
  for (uint32_t row = 0; row < g.size(); ++row) {
    ASSERT_EQ(g.start_ns[row], h.start_ns[row]) << row;
    ASSERT_EQ(g.end_ns[row], h.end_ns[row]) << row;
    ASSERT_EQ(trace.Text(g.name[row]), again.Text(h.name[row])) << row;
    ASSERT_EQ(trace.device_of(row), again.device_of(row)) << row;
    ASSERT_EQ(trace.streams()[g.stream[row]].stream, again.streams()[h.stream[row]].stream) << row;
    ASSERT_EQ(g.launch[row], h.launch[row]) << row;
    ASSERT_EQ(g.op[row], h.op[row]) << row;
    ASSERT_EQ(g.bytes[row], h.bytes[row]) << row;
    ASSERT_EQ(g.copy_kind[row], h.copy_kind[row]) << row;
    ASSERT_EQ(g.source_memory[row], h.source_memory[row]) << row;
    ASSERT_EQ(g.destination_memory[row], h.destination_memory[row]) << row;
    ASSERT_EQ(g.graph_node_id[row], h.graph_node_id[row]) << row;
    ASSERT_TRUE(trace.launch_config(g.launch_config[row]) == again.launch_config(h.launch_config[row])) << row;
  }
  EXPECT_EQ(trace.gpu_spans().size(), again.gpu_spans().size());
  EXPECT_EQ(trace.counter_samples().size(), again.counter_samples().size());
  EXPECT_EQ(trace.instant_count(), again.instant_count());
  EXPECT_EQ(trace.recording().clock_base_ns, again.recording().clock_base_ns);
  ASSERT_EQ(trace.devices().size(), again.devices().size());
  for (size_t i = 0; i < trace.devices().size(); ++i) EXPECT_EQ(trace.devices()[i].name, again.devices()[i].name);
}

TEST(ExportChromeTest, EveryRecordingComesBackEqual) {
  int equal = 0;
  int same_rows = 0;
  int shared = 0;
  for (const std::string& file : RecordingFiles()) {
    const std::optional<Trace> trace = OpenIfTimeline(file);
    if (!trace) continue;
    SCOPED_TRACE(file);
    const Exported exported = ExportTo("chrome", *trace);
    ASSERT_TRUE(nlohmann::json::accept(exported.bytes));
    const Result<Trace> again = Reimport(exported.bytes);
    ASSERT_TRUE(again.ok()) << again.status().message();
    ExpectNoDamage(*again);
    if (IsFromChrome(*trace)) {
      EXPECT_EQ(FirstDifference(DumpModel(*trace), DumpModel(*again)), "");
      for (const ExportOutcome::Loss& loss : exported.outcome.lost) ADD_FAILURE() << loss.count << " " << loss.what;
      ++equal;
    } else {
      ExpectSameRows(*trace, *again);
      ++same_rows;
    }
    shared += file.find(SharedData().string()) == 0 ? 1 : 0;
  }
  std::cout << equal << " recordings equal, " << same_rows << " of other recorders with the same rows; " << shared
            << " of them from " << SharedData() << "\n";
  EXPECT_GT(equal, 8);
  EXPECT_GT(same_rows, 1);
}

TEST(ExportChromeTest, HostileTracesComeBackEqual) {
  for (const MadeTrace& made : HostileTraces()) {
    SCOPED_TRACE(made.name);
    ExpectRoundTrip(made.trace);
  }
}

TEST(ExportChromeTest, RandomTracesComeBackEqual) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    ExpectRoundTrip(RandomTrace(seed));
  }
}

// Texts that are held as the JSON they were read from, in every place where they may stand.
TEST(ExportChromeTest, HeldJsonComesBackEqual) {
  const std::vector<std::string> values = {"[[1, 2], [3]]",
                                           "\"text\"",
                                           "\"a \\\"b\\\" \\u0041 \\\\\"",
                                           "17",
                                           "-0.5e3",
                                           "true",
                                           "{\"a\": [1, {}]}",
                                           "[ 1 ,\n 2 ]",
                                           "\"[1, 2]\"",
                                           "\"[1, 2\"",
                                           "\"\"",
                                           "\"\\n\""};
  std::vector<std::string> events;
  for (const std::string& value : values) {
    events.push_back(R"({"ph":"X","cat":"cpu_op","name":"op","pid":)" + value + R"(,"tid":)" + value +
                     R"(,"ts":5,"dur":1,"args":{"Input Dims":)" + value + R"(,"Input type":)" + value + "}}");
    events.push_back(R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":1,"args":{"Collective name":)" +
                     value + R"(,"dtype":)" + value + R"(,"Process Group Ranks":)" + value + "}}");
    events.push_back(R"({"ph":"s","id":3,"cat":)" + value + R"(,"name":"x","pid":1,"tid":1,"ts":5})");
    events.push_back(R"({"ph":"C","name":"c","pid":)" + value + R"(,"ts":5,"args":{"value":3.0,"other":7}})");
  }
  std::string head = "{\"schemaVersion\": 1, ";
  for (size_t i = 0; i < values.size(); ++i) head += "\"fact " + std::to_string(i) + "\": " + values[i] + ", ";
  const Result<Trace> trace = Reimport(MakeTrace(events, head + "\"traceEvents\": [").text);
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_TRUE(ExportTo("chrome", *trace).outcome.lost.empty());
  ExpectRoundTrip(*trace);
}

// A file that no JSON could hold: it stays valid, and what was changed is counted.
TEST(ExportChromeTest, WhatIsNoJsonIsEscapedAndCounted) {
  const std::string event =
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"\xFF\x01\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":1,"
      "\"args\":{\"Input Dims\":\"a\x01\xFF\\q\"}}";
  const Result<Trace> trace = Reimport(MakeTrace({event}).text);
  ASSERT_TRUE(trace.ok());
  const Exported exported = ExportTo("chrome", *trace);
  EXPECT_TRUE(nlohmann::json::accept(exported.bytes));
  ASSERT_EQ(exported.outcome.lost.size(), 1u);
  EXPECT_EQ(exported.outcome.lost[0].count, 1);
}

TEST(ExportChromeTest, WindowCutsRowsAndCountsThem) {
  TraceMaker maker;
  maker.Host("before", HostKind::kOp, 0, 10);
  maker.Host("across", HostKind::kOp, 5, 15);
  maker.Host("inside", HostKind::kOp, 12, 14);
  maker.Host("nothing long", HostKind::kApi, 20, 20);
  maker.Work("across the end", 18, 30);
  maker.Work("other device", 12, 13, 7, 0, 1);
  ExportRequest request;
  request.window = Interval{10, 20};
  request.device = 0;
  const Exported exported = ExportTo("chrome", std::move(maker).Seal(), request);
  EXPECT_EQ(exported.outcome.cut, 2);
  const Result<Trace> again = Reimport(exported.bytes);
  ASSERT_TRUE(again.ok());
  ASSERT_EQ(again->host().size(), 2u);
  EXPECT_EQ(again->host().start_ns[0], 10);
  EXPECT_EQ(again->host().end_ns[0], 15);
  ASSERT_EQ(again->gpu().size(), 1u);
  EXPECT_EQ(again->gpu().end_ns[0], 20);
}

}  // namespace
}  // namespace warpsight::testing::export_chrome_test
