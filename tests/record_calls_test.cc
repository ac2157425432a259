// `warpsight record --trace=cublas,nccl,osrt` from the outside, without a GPU: programs that call a cuBLAS and an NCCL that
// stand for NVIDIA's, and the C library (tests/record). What must hold: the program's output, errno and exit status are
// those of an unrecorded run; what was asked for is recorded, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "analysis/attribution_pass.h"
#include "analysis/key_averages_pass.h"
#include "record/record_fixture.h"

namespace warpsight::record_calls_test {
namespace {

#ifdef WARPSIGHT_SANITIZED
constexpr bool kWithAddressSanitizer = true;
#else
constexpr bool kWithAddressSanitizer = false;
#endif

constexpr int kStatusOfCalls = 7;  // of fake_calls_program
constexpr int kStatusOfWaits = 9;  // of fake_os_program

class RecordCallsTest : public RecordTest {
 protected:
  Recording Record(const std::string& options, const std::string& program, const std::string& before = "") {
    return RecordCommand("--cupti " WARPSIGHT_FAKE_CUPTI " " + options, program, before);
  }
  Trace Open() const { return OpenFile(output_); }
  // "name|sizes" of the calls of a library, in the order of their starts.
  static std::vector<std::string> CallsOf(const Trace& trace, std::string_view library) {
    std::vector<std::string> calls;
    const HostEvents& host = trace.host();
    for (uint32_t row = 0; row < host.size(); ++row) {
      if (host.kind[row] != HostKind::kOther || trace.Text(host.types[row]) != library) continue;
      calls.push_back(std::string(trace.Text(host.name[row])) + "|" + std::string(trace.Text(host.shapes[row])));
    }
    return calls;
  }
  static std::map<std::string, int> NamesOf(const Trace& trace, std::string_view library) {
    std::map<std::string, int> names;
    for (const std::string& call : CallsOf(trace, library)) ++names[call.substr(0, call.find('|'))];
    return names;
  }
  static int RangesOf(const Trace& trace, std::string_view domain) {
    int ranges = 0;
    for (uint32_t row = 0; row < trace.host().size(); ++row)
      ranges += trace.host().kind[row] == HostKind::kRange && trace.Text(trace.host().types[row]) == domain ? 1 : 0;
    return ranges;
  }

  const std::string opened_ =
      std::string(WARPSIGHT_FAKE_CALLS_PROGRAM) + " " + WARPSIGHT_FAKE_CUPTI + " " + WARPSIGHT_FAKE_FRAMEWORK;
  const std::string linked_ = std::string(WARPSIGHT_FAKE_CALLS_LINKED) + " " + WARPSIGHT_FAKE_CUPTI;
};

TEST_F(RecordCallsTest, LibraryCallsAreRecordedWithTheirSizes) {
  for (const std::string& program : {opened_, linked_}) {
    SCOPED_TRACE(program);
    const Recording bare = Run(program);
    ASSERT_EQ(bare.status, kStatusOfCalls) << bare.err;
    const Recording run = Record("-t cuda,nvtx,cublas,nccl", program);
    EXPECT_EQ(run.status, kStatusOfCalls) << run.err;
    EXPECT_EQ(run.out, bare.out);
    EXPECT_NE(run.err.find("none lost"), std::string::npos) << run.err;
    const Trace trace = Open();
    // What cuBLAS calls inside of itself is its own business.
    EXPECT_EQ(CallsOf(trace, "cuBLAS"),
              (std::vector<std::string>{
                  "cublasSgemm_v2|m=64 n=32 k=16 tn f32", "cublasSgemm_v2|m=-1 n=32 k=16 nn f32 status=7",
                  "cublasGemmEx|m=4096 n=1 k=2048 tn f16", "cublasLtMatmul|m=128 n=256 k=64 tn bf16 bf16 f32"}));
    EXPECT_EQ(CallsOf(trace, "NCCL"),
              (std::vector<std::string>{"ncclGroupStart|", "ncclAllReduce|count=1024 bf16 bytes=2048 op=sum ranks=8 rank=3",
                                        "ncclGroupEnd|"}));
    // NCCL's own range of a call that is recorded is left out; of others it stays.
    EXPECT_EQ(RangesOf(trace, "NCCL"), 1);
    EXPECT_EQ(trace.log().excluded(), 0);
  }
}

TEST_F(RecordCallsTest, WorkStillBelongsToTheOpAroundTheCall) {
  ASSERT_EQ(Record("-t cuda,nvtx,cublas", opened_).status, kStatusOfCalls);
  const Trace trace = Open();
  const HostEvents& host = trace.host();
  ASSERT_EQ(trace.gpu().size(), 4u);
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
    const uint32_t launch = trace.gpu().launch[row];
    ASSERT_NE(launch, kNoRow);
    ASSERT_NE(host.parent[launch], kNoRow);
    EXPECT_EQ(host.kind[host.parent[launch]], HostKind::kOther);
    ASSERT_NE(trace.gpu().op[row], kNoRow);
    EXPECT_EQ(trace.Text(host.name[trace.gpu().op[row]]), "aten::mm");
  }
  Analysis analysis(trace, Selection{});
  const Result<Attribution>& attribution = analysis.Get<AttributionPass>();
  ASSERT_TRUE(attribution.ok()) << attribution.status().message();
  for (const uint32_t op : attribution->op) EXPECT_EQ(trace.Text(host.name[op]), "aten::mm");
  KeyAveragesOptions by_shape;
  by_shape.by_shape = true;
  ASSERT_TRUE(CheckKeyAverages(trace, by_shape).ok());
  const KeyAverages averages = ComputeKeyAverages(trace, Selection{}, by_shape);
  const auto row = [&](std::string_view name, std::string_view shapes) {
    return std::find_if(averages.rows.begin(), averages.rows.end(),
                        [&](const KeyAverageRow& one) { return one.name == name && one.shapes == shapes; });
  };
  const auto op = row("aten::mm", "");
  ASSERT_NE(op, averages.rows.end());
  EXPECT_EQ(op->calls, 1);
  EXPECT_EQ(op->self_gpu_ns, 4 * 2500);
  const auto call = row("cublasGemmEx", "m=4096 n=1 k=2048 tn f16");
  ASSERT_NE(call, averages.rows.end());
  EXPECT_EQ(call->kind, KeyAverageKind::kApi);
  EXPECT_EQ(call->calls, 1);
}

TEST_F(RecordCallsTest, WhatIsNotAskedForIsNotThere) {
  const Recording bare = Run(opened_);
  const Recording plain = Record("", opened_);
  EXPECT_EQ(plain.out, bare.out);
  // Nothing is preloaded, and the program sees NCCL's own ranges recorded.
  EXPECT_NE(plain.err.find("LD_PRELOAD=\n"), std::string::npos) << plain.err;
  {
    const Trace trace = Open();
    EXPECT_TRUE(CallsOf(trace, "cuBLAS").empty());
    EXPECT_TRUE(CallsOf(trace, "OS runtime").empty());
    EXPECT_EQ(RangesOf(trace, "NCCL"), 4);
  }
  ASSERT_EQ(Record("-t nccl", opened_).status, kStatusOfCalls);
  const Trace trace = Open();
  EXPECT_TRUE(CallsOf(trace, "cuBLAS").empty());
  EXPECT_EQ(CallsOf(trace, "NCCL").size(), 3u);
  EXPECT_EQ(trace.gpu().size(), 0u);
}

TEST_F(RecordCallsTest, ThePreloadsOfTheUserAreKeptBehindOurs) {
  const std::string users = WARPSIGHT_FAKE_FRAMEWORK;
  for (const auto& [options, before] : {std::pair{std::string(), "LD_PRELOAD=" + users}, {"-e LD_PRELOAD=" + users, ""}}) {
    const Recording run = Record(options + " -t cuda,cublas,osrt", opened_, before);
    EXPECT_EQ(run.status, kStatusOfCalls) << run.err;
    const size_t calls = run.err.find("libwarpsight_calls.so:");
    const size_t os = run.err.find("libwarpsight_osrt.so:");
    EXPECT_LT(calls, os);
    EXPECT_EQ(run.err.find(users + "\n", os), os + std::string_view("libwarpsight_osrt.so:").size()) << run.err;
    EXPECT_EQ(CallsOf(Open(), "cuBLAS").size(), 4u);
  }
}

TEST_F(RecordCallsTest, EachCallerHasTheVersionThatItWasLinkedWith) {
  const std::string fakes = std::string(WARPSIGHT_FAKE_CALLS_PROGRAM) + " " + WARPSIGHT_FAKE_CUPTI + " ";
  for (const char* first : {"", "+"}) {
    const std::string program = fakes + first + WARPSIGHT_FAKE_FRAMEWORK + " " + WARPSIGHT_OTHER_FRAMEWORK;
    const Recording bare = Run(program);
    EXPECT_NE(bare.out.find("gemm 0 "), std::string::npos) << bare.out;
    EXPECT_NE(bare.out.find("gemm 13 "), std::string::npos) << bare.out;
    EXPECT_EQ(Record("-t cuda,cublas", program).out, bare.out);
    EXPECT_EQ(CallsOf(Open(), "cuBLAS").size(), 8u);
  }
}

TEST_F(RecordCallsTest, WaitsInsideOfAnAllocatorAreSafe) {
  if (kWithAddressSanitizer) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  const std::string allocator = std::string("-e LD_PRELOAD=") + WARPSIGHT_FAKE_MALLOC;
  const Recording bare = Run(WARPSIGHT_FAKE_OS_PROGRAM);
  for (const char* options : {" -t cuda,osrt --osrt-threshold 100", " -t osrt"}) {
    const Recording run = Record(allocator + options, WARPSIGHT_FAKE_OS_PROGRAM);
    EXPECT_EQ(run.status, kStatusOfWaits) << run.err;
    EXPECT_EQ(run.out, bare.out);
    EXPECT_GE(NamesOf(Open(), "OS runtime")["nanosleep"], 320);
  }
}

TEST_F(RecordCallsTest, WaitsAreRecordedAndChangeNothing) {
  const Recording bare = Run(WARPSIGHT_FAKE_OS_PROGRAM);
  ASSERT_EQ(bare.status, kStatusOfWaits) << bare.err;
  const Recording run = Record("-t cuda,osrt", WARPSIGHT_FAKE_OS_PROGRAM);
  EXPECT_EQ(run.status, kStatusOfWaits) << run.err;
  EXPECT_EQ(run.out, bare.out);
  const Trace trace = Open();
  std::map<std::string, int> names = NamesOf(trace, "OS runtime");
  // The lock that was waited for; not the hundred thousand that were free.
  EXPECT_GE(names["pthread_mutex_lock"], 1);
  EXPECT_LE(names["pthread_mutex_lock"], 10);
  EXPECT_GE(names["nanosleep"], 320);
  EXPECT_GE(names["pthread_cond_wait"], 1);
  EXPECT_GE(names["pthread_cond_clockwait"] + names["pthread_cond_timedwait"], 1);
  EXPECT_GE(names["pthread_join"], 1);
  EXPECT_GE(names["read"], 1);
  EXPECT_EQ(names["waitpid"], 1);
  EXPECT_EQ(names["poll"], 1);
  const HostEvents& host = trace.host();
  std::set<ThreadIndex> threads;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] != HostKind::kOther) continue;
    EXPECT_GE(host.duration_ns(row), 1000);
    threads.insert(host.thread[row]);
    // The recorder's own thread waits too, and so does the forked child, which is another process.
    EXPECT_NE(trace.threads()[host.thread[row]].name, "warpsight");
  }
  // The sixteen, the holder, the setter, the busy one and the main thread at least, of those that allocate any; the
  // cancelled one never returned from its call.
  EXPECT_GE(threads.size(), 20u);
  EXPECT_LE(threads.size(), 28u);
  EXPECT_EQ(trace.log().excluded(), 0);
}

TEST_F(RecordCallsTest, ShortWaitsAreLeftOut) {
  ASSERT_EQ(Record("-t cuda,osrt --osrt-threshold 9000000", WARPSIGHT_FAKE_OS_PROGRAM).status, kStatusOfWaits);
  const Trace trace = Open();
  std::map<std::string, int> names = NamesOf(trace, "OS runtime");
  EXPECT_GE(names["nanosleep"], 2);  // a machine under load adds to them
  for (uint32_t row = 0; row < trace.host().size(); ++row) EXPECT_GE(trace.host().duration_ns(row), 9'000'000);
}

TEST_F(RecordCallsTest, WaitsOfAProgramWithoutCudaAreRecordedFromItsStart) {
  if (kWithAddressSanitizer) GTEST_SKIP() << "the injected library needs a program with the sanitizer then";
  const Recording bare = Run("sleep 0.01");
  const Recording run = Record("-t osrt", "sleep 0.01");
  EXPECT_EQ(run.status, bare.status);
  EXPECT_EQ(run.out, bare.out);
  std::map<std::string, int> names = NamesOf(Open(), "OS runtime");
  EXPECT_EQ(names["clock_nanosleep"] + names["nanosleep"], 1);
  // With CUDA or NVTX asked for a process is recorded when it uses one of them.
  EXPECT_NE(Record("-t cuda,osrt", "sleep 0.01").err.find("nothing was recorded"), std::string::npos);
}

TEST_F(RecordCallsTest, ManyProcessesRunWithTheFollowers) {
  const Recording run = Record("-t osrt,cublas,nccl",
                               "sh -c 'for i in 1 2 3 4; do sleep 0.01 & done; wait; echo $(echo hello) | cat; exit 6'");
  EXPECT_EQ(run.status, 6);
  EXPECT_EQ(run.out, "hello\n");
}

}  // namespace
}  // namespace warpsight::record_calls_test
