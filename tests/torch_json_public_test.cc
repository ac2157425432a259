// Real traces of other people (not part of the repository): every event of the file is found in the trace, exactly, or
// counted as left out, by comparison with an independent reading of the same bytes.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/open_trace.h"
#include "hostile/opening.h"
#include "hostile/plain_events.h"
#include "hostile/sample_files.h"

namespace warpsight::testing::torch_json_public_test {
namespace {

// A row of any of the three tables, by the byte at which its event stands.
struct Row {
  Ns start_ns;
  Ns end_ns;
  std::string_view name;
  std::string table;
};

std::unordered_map<uint64_t, Row> RowsBySource(const Trace& trace) {
  std::unordered_map<uint64_t, Row> rows;
  const auto add = [&](uint64_t source, const Row& row) {
    EXPECT_TRUE(rows.emplace(source, row).second) << "two rows of the event at byte " << source;
  };
  const HostEvents& host = trace.host();
  for (uint32_t i = 0; i < host.size(); ++i) {
    add(host.source[i], {host.start_ns[i], host.end_ns[i], trace.Text(host.name[i]), "host"});
  }
  const GpuWork& gpu = trace.gpu();
  for (uint32_t i = 0; i < gpu.size(); ++i) {
    const char* const tables[] = {"kernel", "memcpy", "memset"};
    add(gpu.source[i], {gpu.start_ns[i], gpu.end_ns[i], trace.Text(gpu.name[i]), tables[static_cast<int>(gpu.kind[i])]});
  }
  const GpuSpans& spans = trace.gpu_spans();
  for (uint32_t i = 0; i < spans.size(); ++i) {
    add(spans.source[i], {spans.start_ns[i], spans.end_ns[i], trace.Text(spans.name[i]), "span"});
  }
  return rows;
}

// Where events of a category must go; every category that is not named is a host event.
std::string TableOf(const std::string& category) {
  static const std::map<std::string, std::string> tables = {{"kernel", "kernel"},
                                                            {"Kernel", "kernel"},
                                                            {"gpu_memcpy", "memcpy"},
                                                            {"Memcpy", "memcpy"},
                                                            {"gpu_memset", "memset"},
                                                            {"Memset", "memset"},
                                                            {"gpu_user_annotation", "span"},
                                                            {"mtia_ccp_events", "kernel"},
                                                            {"cuda_sync", "span"},
                                                            {"cuda_profiler_range", "span"}};
  const auto found = tables.find(category);
  return found == tables.end() ? "host" : found->second;
}

Result<Trace> Open(const std::string& path) { return OpenTrace(path, OptionsOf({2, size_t{1} << 20})); }

std::string PublicFile(const std::string& name) { return (SharedData() / "public/torch" / name).string(); }

class PublicTrace : public ::testing::TestWithParam<std::string> {};

TEST_P(PublicTrace, HoldsEveryEvent) {
  const std::string text = ReadText(GetParam());
  bool found = false;
  const std::vector<PlainEvent> events = ReadPlainEvents(text, &found);
  const Result<Trace> trace = Open(GetParam());
  if (!found) {
    ASSERT_FALSE(trace.ok());
    return ExpectRefusal(trace.status(), GetParam());
  }
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(BrokenTraceRule(*trace), "");
  EXPECT_EQ(trace->log().read(), static_cast<int64_t>(events.size()));
  const std::unordered_map<uint64_t, Row> rows = RowsBySource(*trace);
  std::map<std::string, int64_t> by_phase;
  std::map<std::string, int64_t> misplaced;
  int64_t missing = 0;
  int64_t differing = 0;
  for (const PlainEvent& event : events) {
    ++by_phase[event.phase];
    if (event.phase != "X") continue;
    const auto at = rows.find(event.offset);
    if (at == rows.end()) {
      ++missing;
      continue;
    }
    const Row& row = at->second;
    misplaced[event.category + " in " + row.table] += row.table == TableOf(event.category) ? 0 : 1;
    const bool same =
        row.start_ns == event.start_ns && row.end_ns == event.start_ns + event.duration_ns && row.name == event.name;
    if (!same && ++differing <= 3) {
      ADD_FAILURE() << "the event at byte " << event.offset << " is " << event.name << " " << event.start_ns << " +"
                    << event.duration_ns << ", its row " << row.name << " " << row.start_ns << " +"
                    << row.end_ns - row.start_ns;
    }
  }
  for (const auto& [what, count] : misplaced) EXPECT_EQ(count, 0) << what;
  EXPECT_EQ(missing, trace->log().excluded()) << CausesOf(trace->log());
  EXPECT_LE(differing, trace->log().repaired()) << CausesOf(trace->log());
  EXPECT_EQ(trace->flow_count(), by_phase["s"] + by_phase["t"] + by_phase["f"]);
  EXPECT_EQ(trace->instant_count() + trace->counter_events(),
            by_phase["i"] + by_phase["I"] + by_phase["C"] + by_phase["b"] + by_phase["n"] + by_phase["e"]);
  EXPECT_EQ(static_cast<int64_t>(rows.size()), by_phase["X"] + by_phase["B"] - missing);
}

std::string NameOf(const ::testing::TestParamInfo<std::string>& tested) { return TestNameOf(tested.param); }

INSTANTIATE_TEST_SUITE_P(Files, PublicTrace, ::testing::ValuesIn(TracesIn(SharedData() / "public/torch")), NameOf);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PublicTrace);

TEST(PublicTraces, AreThere) {
  const size_t count = TracesIn(SharedData() / "public/torch").size();
  if (count == 0) GTEST_SKIP() << "0 traces: there is no " << SharedData() / "public/torch";
  EXPECT_EQ(count, 38u);
}

// What only one of the files shows.
class OneTrace : public ::testing::Test {
 protected:
  void SetUp() override {
    if (TracesIn(SharedData() / "public/torch").empty()) GTEST_SKIP() << "there is no " << SharedData() / "public/torch";
  }
};

TEST_F(OneTrace, B200KernelsThatOverlapStay) {
  const Result<Trace> trace = Open(PublicFile("tracelens_b200_eager.json.gz"));
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(OverlappingKernels(*trace), 74);
  EXPECT_EQ(trace->log().kept(), trace->log().read()) << CausesOf(trace->log());
}

TEST_F(OneTrace, NanosecondTimesMakeNoFalseOverlap) {
  const Result<Trace> trace = Open(PublicFile("hta_ns_resolution_rank0.pt.trace.json.gz"));
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(OverlappingKernels(*trace), 0);
  EXPECT_EQ(trace->recording().rank, 0);
}

TEST_F(OneTrace, OrphanKernelsAreCounted) {
  const Result<Trace> trace = Open(PublicFile("tracelens_h100_qwen0.5b.json.gz"));
  ASSERT_TRUE(trace.ok());
  int64_t kernels = 0;
  int64_t orphans = 0;
  for (uint32_t row = 0; row < trace->gpu().size(); ++row) {
    if (trace->gpu().kind[row] != GpuKind::kKernel) continue;
    ++kernels;
    orphans += trace->gpu().launch[row] == kNoRow ? 1 : 0;
  }
  EXPECT_EQ(kernels, 1465);
  EXPECT_EQ(orphans, 436);
}

TEST_F(OneTrace, GraphReplayGivesManyKernelsOneLaunch) {
  const Result<Trace> trace = Open(PublicFile("tracelens_sglang_decode_qwen3.json.gz"));
  ASSERT_TRUE(trace.ok());
  std::map<uint32_t, int64_t> kernels_of_launch;
  for (const uint32_t launch : trace->gpu().launch) kernels_of_launch[launch] += launch == kNoRow ? 0 : 1;
  int64_t most = 0;
  for (const auto& [launch, kernels] : kernels_of_launch) most = std::max(most, kernels);
  EXPECT_EQ(most, 544);
}

TEST_F(OneTrace, RanksAreKnown) {
  for (const int32_t rank : {0, 1}) {
    const Result<Trace> trace = Open(PublicFile("hta_multirank_sampled_rank-" + std::to_string(rank) + ".json.gz"));
    ASSERT_TRUE(trace.ok());
    EXPECT_EQ(trace->recording().rank, rank);
    EXPECT_GT(trace->gpu().size(), 1000u);
  }
}

// 2021: thread names such as "stream 7", whole microseconds, zero-length kernels.
TEST_F(OneTrace, OldestFormIsRead) {
  const Result<Trace> trace = Open(PublicFile("kineto_resnet50_w0_2021.pt.trace.json.gz"));
  ASSERT_TRUE(trace.ok());
  int64_t kernels = 0;
  int64_t empty = 0;
  int64_t launched = 0;
  for (uint32_t row = 0; row < trace->gpu().size(); ++row) {
    if (trace->gpu().kind[row] != GpuKind::kKernel) continue;
    ++kernels;
    empty += trace->gpu().duration_ns(row) == 0 ? 1 : 0;
    launched += trace->gpu().launch[row] != kNoRow ? 1 : 0;
  }
  EXPECT_EQ(kernels, 8772);
  EXPECT_EQ(empty, 639);
  EXPECT_GT(launched, 8000);
}

TEST_F(OneTrace, AmdKernelsHaveADevice) {
  const Result<Trace> trace = Open(PublicFile("tracelens_mi300_resnet_act_checkpoint.json.gz"));
  ASSERT_TRUE(trace.ok());
  int64_t orphans = 0;
  for (uint32_t row = 0; row < trace->gpu().size(); ++row) {
    EXPECT_GE(trace->device_of(row), 0);
    orphans += trace->gpu().kind[row] == GpuKind::kKernel && trace->gpu().launch[row] == kNoRow ? 1 : 0;
  }
  EXPECT_EQ(orphans, 757);
}

// --- broken ones: refused with a reason, or read as far as they go

class PublicCorrupt : public ::testing::TestWithParam<std::string> {};

TEST_P(PublicCorrupt, IsReadOrRefusedWithAReason) {
  const Result<Trace> trace = Open(GetParam());
  if (!trace.ok()) return ExpectRefusal(trace.status(), GetParam());
  EXPECT_EQ(BrokenTraceRule(*trace), "");
  EXPECT_GT(trace->log().read(), 0);
  EXPECT_GT(trace->log().kept() + trace->log().repaired(), 0);
}

INSTANTIATE_TEST_SUITE_P(Files, PublicCorrupt, ::testing::ValuesIn(TracesIn(SharedData() / "public/corrupt")), NameOf);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PublicCorrupt);

struct CorruptCase {
  const char* file;
  int64_t read;  // 0: must be refused
  int64_t excluded;
  bool damage_told;
};

// Counts by an independent reading; gpumodel_trace has 104 events, hta_alexnet 1408.
TEST_F(OneTrace, BrokenFilesGiveWhatIsWhole) {
  const CorruptCase cases[] = {
      {"derived_array_format_ok.json", 104, 0, false},       {"derived_array_format_unterminated.json", 104, 0, false},
      {"derived_bad_utf8_name.json", 104, 0, false},         {"derived_utf8_bom.json", 104, 0, false},
      {"derived_gz_bad_crc.json.gz", 1408, 0, true},         {"derived_gz_trailing_garbage.json.gz", 1408, 0, false},
      {"derived_gz_two_members.json.gz", 104, 0, false},     {"empty_file.json", 0, 0, false},
      {"gitlfs_pointer_kineto_trace.json", 0, 0, false},     {"notatrace_style_transfer.json", 0, 0, false},
      {"notatrace_torch_memory_timeline.json", 0, 0, false}, {"notatrace_triton_server_trace.json", 0, 0, false},
      {"speedscope_incomplete-trace.json", 0, 0, false}};
  for (const CorruptCase& c : cases) {
    SCOPED_TRACE(c.file);
    const Result<Trace> trace = Open((SharedData() / "public/corrupt" / c.file).string());
    EXPECT_EQ(trace.ok(), c.read > 0);
    if (!trace.ok() || c.read == 0) continue;
    EXPECT_EQ(trace->log().read(), c.read) << CausesOf(trace->log());
    EXPECT_EQ(trace->log().excluded(), c.excluded) << CausesOf(trace->log());
    EXPECT_TRUE(!c.damage_told || SaysDamaged(trace->log()));
  }
}

}  // namespace
}  // namespace warpsight::testing::torch_json_public_test
