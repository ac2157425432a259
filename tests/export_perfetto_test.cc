// The Perfetto output, read by a plain decoder: every row is there with its times, slices pair up and nest truly, flows join
// launches to their work, work that overlaps is all drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/utf8.h"
#include "export/exports.h"
#include "export/hostile_traces.h"
#include "export/plain_perfetto.h"
#include "hostile/plain_events.h"

namespace warpsight::testing::export_perfetto_test {
namespace {

// Name, start, end: the words of categories are the exporter's.
using Row = std::tuple<std::string, int64_t, int64_t>;

std::vector<Row> RowsOf(const Trace& trace, Ns shift) {
  std::vector<Row> rows;
  const auto add = [&](const auto& table) {
    for (uint32_t row = 0; row < table.size(); ++row) {
      rows.emplace_back(MendedUtf8(trace.Text(table.name[row])), table.start_ns[row] + shift, table.end_ns[row] + shift);
    }
  };
  add(trace.host());
  add(trace.gpu());
  add(trace.gpu_spans());
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<Row> RowsOf(const PlainPerfetto& seen) {
  std::vector<Row> rows;
  for (const PlainSlice& slice : seen.slices) rows.emplace_back(slice.name, slice.start, slice.end);
  std::sort(rows.begin(), rows.end());
  return rows;
}

bool IsWork(const PlainSlice& slice) {
  return slice.category == "kernel" || slice.category == "memcpy" || slice.category == "memset";
}

// Work on a stream never lies inside of other work.
void ExpectFlatStreams(const PlainPerfetto& seen) {
  for (const PlainSlice& slice : seen.slices) {
    if (IsWork(slice)) {
      EXPECT_EQ(slice.depth, 0) << slice.name;
    }
  }
}

// Launches have ids of 32 bits, arrows between host events larger ones.
constexpr uint64_t kFirstHostArrow = uint64_t{1} << 33;

// Every piece of work with a known launch shares a flow with a call that has its correlation id.
void ExpectFlows(const Trace& trace, const PlainPerfetto& seen) {
  std::map<uint64_t, std::string> calls;  // flow -> correlation
  for (const PlainSlice& slice : seen.slices) {
    if (slice.category != "api") continue;
    for (const uint64_t flow : slice.flows) {
      if (flow < kFirstHostArrow) EXPECT_TRUE(calls.emplace(flow, slice.notes.at("correlation")).second);
    }
  }
  int64_t joined = 0;
  for (const PlainSlice& slice : seen.slices) {
    if (!IsWork(slice)) continue;
    EXPECT_LE(slice.flows.size(), 1u);
    for (const uint64_t flow : slice.flows) {
      ASSERT_TRUE(calls.contains(flow)) << slice.name;
      EXPECT_EQ(calls.at(flow), slice.notes.at("correlation"));
      ++joined;
    }
  }
  EXPECT_EQ(joined, trace.attribution().with_launch);
}

// What contains an event in its layer by the model's rule, walked anew: ranges and frames nest for themselves.
void ExpectTrueParents(const Trace& trace, const PlainPerfetto& seen, Ns shift) {
  std::map<std::string, std::vector<std::pair<Row, Row>>> expected;  // by category, row and its parent
  const HostEvents& host = trace.host();
  const auto row_of = [&](uint32_t row) {
    return Row(MendedUtf8(trace.Text(host.name[row])), host.start_ns[row] + shift, host.end_ns[row] + shift);
  };
  const auto layer_of = [](HostKind kind) {
    return kind == HostKind::kRange       ? "ranges"
           : kind == HostKind::kRecording ? "recording"
           : IsFrame(kind)                ? "frames"
                                          : "calls";
  };
  for (const Thread& thread : trace.threads()) {
    std::map<std::string, std::vector<uint32_t>> open;
    for (uint32_t row = thread.first_call; row < thread.end; ++row) {
      const std::string layer = layer_of(host.kind[row]);
      std::vector<uint32_t>& stack = open[layer];
      while (!stack.empty() &&
             (host.end_ns[stack.back()] <= host.start_ns[row] || host.end_ns[stack.back()] < host.end_ns[row])) {
        stack.pop_back();
      }
      expected[layer].emplace_back(row_of(row), stack.empty() ? Row() : row_of(stack.back()));
      stack.push_back(row);
    }
  }
  std::map<std::string, std::vector<std::pair<Row, Row>>> found;
  for (const PlainSlice& slice : seen.slices) {
    if (IsWork(slice) || slice.category.starts_with("gpu_")) continue;
    const std::string layer = slice.category == "range"       ? "ranges"
                              : slice.category == "recording" ? "recording"
                              : slice.category == "python"    ? "frames"
                                                              : "calls";
    Row parent;
    if (slice.parent >= 0) {
      const PlainSlice& outer = seen.slices[static_cast<size_t>(slice.parent)];
      parent = Row(outer.name, outer.start, outer.end);
    }
    found[layer].emplace_back(Row(slice.name, slice.start, slice.end), parent);
  }
  // A slice whose parent's lane is taken stands alone; none may have a parent that is not its own.
  for (auto& [layer, rows] : found) {
    std::vector<std::pair<Row, Row>>& truth = expected[layer];
    std::sort(truth.begin(), truth.end());
    for (const auto& row : rows) {
      if (row.second == Row()) continue;
      EXPECT_TRUE(std::binary_search(truth.begin(), truth.end(), row))
          << layer << ": " << std::get<0>(row.first) << " below " << std::get<0>(row.second);
    }
  }
}

void ExpectFaithful(const Trace& trace) {
  const Exported exported = ExportTo("perfetto", trace);
  const PlainPerfetto seen(exported.bytes);
  for (size_t i = 0; i < std::min<size_t>(seen.problems.size(), 5); ++i) ADD_FAILURE() << seen.problems[i];
  Ns shift = 0;
  for (const ExportOutcome::Loss& loss : exported.outcome.lost) {
    if (loss.what.starts_with("ns that")) shift = loss.count;
  }
  const std::vector<Row> expected = RowsOf(trace, shift);
  const std::vector<Row> found = RowsOf(seen);
  ASSERT_EQ(expected.size(), found.size());
  EXPECT_TRUE(expected == found);
  EXPECT_EQ(static_cast<int64_t>(seen.instants.size()), trace.instant_count());
  EXPECT_EQ(seen.samples.size(), size_t{trace.counter_samples().size()});
  ExpectFlatStreams(seen);
  ExpectFlows(trace, seen);
  ExpectTrueParents(trace, seen, shift);
}

TEST(ExportPerfettoTest, EveryRecordingIsAllThere) {
  int compared = 0;
  for (const std::string& file : RecordingFiles()) {
    const std::optional<Trace> trace = OpenIfTimeline(file);
    if (!trace) continue;
    SCOPED_TRACE(file);
    ExpectFaithful(*trace);
    ++compared;
  }
  std::cout << compared << " recordings compared\n";
  EXPECT_GT(compared, 10);
}

TEST(ExportPerfettoTest, HostileTracesAreAllThere) {
  for (const MadeTrace& made : HostileTraces()) {
    SCOPED_TRACE(made.name);
    ExpectFaithful(made.trace);
  }
}

TEST(ExportPerfettoTest, RandomTracesAreAllThere) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    ExpectFaithful(RandomTrace(seed));
  }
}

TEST(ExportPerfettoTest, OverlappingKernelsOfTheB200AreAllDrawn) {
  const std::filesystem::path file = SharedData() / "public/torch/tracelens_b200_eager.json.gz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const Result<Trace> trace = OpenTrace(file.string(), {});
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(OverlappingKernels(*trace), 74);
  const PlainPerfetto seen(ExportTo("perfetto", *trace).bytes);
  int64_t on_further_lanes = 0;
  int64_t work = 0;
  for (const PlainSlice& slice : seen.slices) {
    if (!IsWork(slice)) continue;
    ++work;
    EXPECT_EQ(slice.depth, 0);
    on_further_lanes += seen.tracks.at(slice.track).name.ends_with(")") ? 1 : 0;
  }
  EXPECT_EQ(work, int64_t{trace->gpu().size()});
  EXPECT_GT(on_further_lanes, 0);
  EXPECT_LE(on_further_lanes, 74);
}

// Arrows from forward to backward ops: both ends at events that begin where the recording says.
TEST(ExportPerfettoTest, ForwardIsTiedToBackward) {
  const std::filesystem::path file = SharedData() / "h200/torch/train_b2.pt.trace.json.gz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const Result<Trace> trace = OpenTrace(file.string(), {});
  ASSERT_TRUE(trace.ok());
  std::multiset<int64_t> expected;
  for (const auto& segment : trace->flows()) {
    for (const FlowRow& flow : segment) {
      if (trace->Text(flow.category) == "fwdbwd") expected.insert(flow.time_ns);
    }
  }
  EXPECT_GT(expected.size(), 100u);
  const Exported exported = ExportTo("perfetto", *trace);
  EXPECT_TRUE(exported.outcome.lost.empty());
  std::multiset<int64_t> found;
  std::map<uint64_t, int> ends;
  for (const PlainSlice& slice : PlainPerfetto(exported.bytes).slices) {
    for (const uint64_t flow : slice.flows) {
      if (flow < kFirstHostArrow) continue;
      EXPECT_EQ(slice.category, "op");
      found.insert(slice.start);
      ++ends[flow];
    }
  }
  EXPECT_TRUE(expected == found);
  for (const auto& [flow, count] : ends) EXPECT_EQ(count, 2) << flow;
}

std::string TextOf(const PlainPerfetto& seen) {
  std::string text;
  for (const auto& [uuid, track] : seen.tracks) {
    text += "track " + seen.PathOf(uuid);
    if (track.pid != 0) text += " pid " + std::to_string(track.pid);
    if (track.tid != 0) text += " tid " + std::to_string(track.tid);
    if (track.is_counter) text += " in " + track.unit;
    text += "\n";
  }
  for (const PlainSlice& slice : seen.slices) {
    text += "slice " + std::to_string(slice.start) + ".." + std::to_string(slice.end) + " " + slice.category + " " +
            slice.name + " on " + seen.tracks.at(slice.track).name;
    for (const auto& [name, value] : slice.notes) text += " " + name + "=" + value;
    for (const uint64_t flow : slice.flows) text += " flow " + std::to_string(flow);
    text += "\n";
  }
  for (const PlainPoint& point : seen.instants) text += "instant " + std::to_string(point.time) + " " + point.name + "\n";
  for (const PlainSample& sample : seen.samples) {
    text += "sample " + std::to_string(sample.time) + " " +
            (sample.is_integer ? std::to_string(sample.integer) : std::to_string(sample.real)) + "\n";
  }
  for (const auto& [id, time] : seen.clocks) text += "clock " + std::to_string(id) + " " + std::to_string(time) + "\n";
  return text;
}

TEST(ExportPerfettoTest, SmallTraceInFull) {
  TraceMaker maker;
  TraceBuilder& builder = maker.builder();
  maker.Host("ProfilerStep#1", HostKind::kRange, 100, 200);
  maker.Host("aten::mm", HostKind::kOp, 110, 150);
  maker.Host("cudaLaunchKernel", HostKind::kApi, 120, 130, 1, 9);
  maker.Host("main.py(1): step", HostKind::kPythonFrame, 90, 210);
  maker.Work("gemm", 140, 170, 7, 9);
  maker.Work("overlaps", 160, 180, 7, 0);
  maker.Span("ProfilerStep#1", 140, 180);
  CounterSeries series;
  series.name = builder.Intern("SM clock");
  series.unit = builder.Intern("MHz");
  series.device = 0;
  builder.shard().counters.AddInteger(builder.names().InternCounter(series), 150, 1980);
  builder.shard().log.CountRead();
  InstantRow mark;
  mark.time_ns = 155;
  mark.name = builder.Intern("mark");
  mark.thread = builder.names().InternThread("100", "1");
  builder.shard().instants.push_back(mark);
  builder.shard().log.CountRead();
  NameRow name;
  name.thread = mark.thread;
  name.name = "main thread";
  builder.shard().thread_names.push_back(name);
  Device device;
  device.id = 0;
  device.name = "NVIDIA H200";
  builder.header().devices.push_back(device);
  for (const auto& [time, phase] : {std::pair(Ns{110}, 's'), std::pair(Ns{120}, 'f'), std::pair(Ns{119}, 'f')}) {
    FlowRow flow;
    flow.category = builder.Intern("fwdbwd");
    flow.thread = mark.thread;
    flow.time_ns = time;
    flow.id = 5;
    flow.phase = phase;
    builder.shard().flows.push_back(flow);
    builder.shard().log.CountRead();
  }
  builder.header().recording.clock_base_ns = 1000;
  builder.header().recording.has_clock_base = true;
  const Exported exported = ExportTo("perfetto", std::move(maker).Seal());
  ASSERT_EQ(exported.outcome.lost.size(), 1u);
  EXPECT_EQ(exported.outcome.lost[0].what, "ends of arrows that lie at the begin of no op or call");
  const PlainPerfetto seen(exported.bytes);
  EXPECT_TRUE(seen.problems.empty());
  EXPECT_EQ(TextOf(seen),
            "track process 100 pid 100\n"
            "track process 100 / main thread pid 100 tid 1\n"
            "track process 100 / main thread / ranges\n"
            "track process 100 / main thread / Python\n"
            "track GPU 0: NVIDIA H200\n"
            "track GPU 0: NVIDIA H200 / stream 7\n"
            "track GPU 0: NVIDIA H200 / stream 7 (2)\n"
            "track GPU 0: NVIDIA H200 / stream 7 ranges\n"
            "track process 100 / main thread / marks\n"
            "track GPU 0: NVIDIA H200 / SM clock in MHz\n"
            "slice 90..210 python main.py(1): step on Python\n"
            "slice 100..200 range ProfilerStep#1 on ranges\n"
            "slice 110..150 op aten::mm on main thread flow 8589934597\n"
            "slice 120..130 api cudaLaunchKernel on main thread correlation=9 flow 1 flow 8589934597\n"
            "slice 140..170 kernel gemm on stream 7 block=128x1x1 correlation=9 grid=5x2x1 stream=7 flow 1\n"
            "slice 140..180 gpu_range ProfilerStep#1 on stream 7 ranges\n"
            "slice 160..180 kernel overlaps on stream 7 (2) block=128x1x1 grid=1x2x1 stream=7\n"
            "instant 155 mark\n"
            "sample 150 1980\n"
            "clock 1 1090\n"
            "clock 6 90\n");
}

}  // namespace
}  // namespace warpsight::testing::export_perfetto_test
