// `warpsight record` from the outside, without a GPU: a program that stands for any other, and a CUPTI that stands for
// NVIDIA's (tests/record). What must hold whatever happens: the program's output and exit status are its own, the file can
// be read, and what was launched is what was kept and what was counted as lost.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/attribution_pass.h"
#include "formats/event_source.h"
#include "record/record_fixture.h"

namespace warpsight::record_test {
namespace {

TEST_F(RecordTest, ARunIsRecordedWhole) {
  const Recording recording = Record("", "launches=1000 status=7");
  EXPECT_EQ(recording.status, 7);
  EXPECT_EQ(recording.out, "output of the program\n");
  EXPECT_NE(recording.err.find("none lost"), std::string::npos) << recording.err;
  const Trace trace = Open(recording);
  CheckInvariants(trace);
  EXPECT_EQ(trace.gpu().size(), 1000u);
  EXPECT_EQ(HostRows(trace, HostKind::kApi), 1000);
  EXPECT_EQ(HostRows(trace, HostKind::kRange), 1000);
  EXPECT_EQ(trace.Text(trace.gpu().name[0]), "Empty(float*)");
  EXPECT_EQ(trace.gpu().end_ns[0] - trace.gpu().start_ns[0], 2500);
  const LaunchConfig& config = trace.launch_config(trace.gpu().launch_config[0]);
  EXPECT_EQ(config.grid, (std::array<int32_t, 3>{1, 2, 3}));
  EXPECT_EQ(config.block, (std::array<int32_t, 3>{128, 1, 1}));
  EXPECT_EQ(config.registers_per_thread, 32);
  EXPECT_EQ(trace.Text(trace.host().name[trace.gpu().launch[0]]), "cudaLaunchKernel");
  ASSERT_EQ(trace.devices().size(), 1u);
  EXPECT_EQ(trace.devices()[0].name, "Fake GPU");
  EXPECT_EQ(trace.devices()[0].sm_count, 132);
  EXPECT_TRUE(trace.recording().has_clock_base);
  // The range that was open at the launch is the work's.
  ASSERT_NE(trace.gpu().op[0], kNoRow);
  EXPECT_EQ(trace.Text(trace.host().name[trace.gpu().op[0]]), "step");
  // What this CUPTI refused is said, and hinders nothing.
  EXPECT_EQ(CountOf(trace, "recorder_problem"), 1);
}

// The first of its name; the test fails when there is none.
Ns StartOfCall(const Trace& trace, std::string_view name) {
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    if (trace.Text(trace.host().name[row]) == name) return trace.host().start_ns[row];
  }
  ADD_FAILURE() << name << " was not recorded";
  return kMaxNs;
}

// What a recording has of the GPU and of CUDA's calls, a line a record, with times from the first.
std::vector<std::string> CudaRecordsOf(const Trace& trace) {
  std::vector<std::string> lines;
  const HostEvents& host = trace.host();
  const GpuWork& gpu = trace.gpu();
  Ns first = kMaxNs;
  for (uint32_t row = 0; row < host.size(); ++row) first = std::min(first, host.start_ns[row]);
  const auto add = [&](StringId name, Ns start, Ns end, const std::string& more) {
    std::ostringstream line;
    line << start - first << " " << end - first << " " << trace.Text(name) << more;
    lines.push_back(line.str());
  };
  for (uint32_t row = 0; row < host.size(); ++row) add(host.name[row], host.start_ns[row], host.end_ns[row], " host");
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    const LaunchConfig& launch = trace.launch_config(gpu.launch_config[row]);
    std::ostringstream more;
    for (const auto& sizes : {launch.grid, launch.block}) more << " " << sizes[0] << "," << sizes[1] << "," << sizes[2];
    more << " registers " << launch.registers_per_thread << " shared " << launch.static_shared_bytes << "+"
         << launch.dynamic_shared_bytes << " bytes " << gpu.bytes[row] << " stream "
         << trace.streams()[gpu.stream[row]].stream << " graph " << gpu.graph_id[row] << " node " << gpu.graph_node_id[row]
         << " launched at " << (gpu.launch[row] == kNoRow ? -1 : host.start_ns[gpu.launch[row]] - first);
    add(gpu.name[row], gpu.start_ns[row], gpu.end_ns[row], more.str());
  }
  const GpuSpans& spans = trace.gpu_spans();
  for (uint32_t row = 0; row < spans.size(); ++row) add(spans.name[row], spans.start_ns[row], spans.end_ns[row], " span");
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Buffers of CUPTI as an H200 filled them (tests/gpu/recording_cupti.cc, every_activity.cu) give the recording that was made
// of them there.
TEST_F(RecordTest, BuffersOfARealGpuReadAsTheyDidThere) {
  const std::string kept = WARPSIGHT_TESTDATA_DIR "/record/every_activity";
  const Recording recording = RecordCommand("--nvml-frequency 0 --cuda-event-trace=true --cupti " WARPSIGHT_REPLAYING_CUPTI,
                                            WARPSIGHT_FAKE_PROGRAM " " WARPSIGHT_FAKE_CUPTI " launches=1 nvtx=0",
                                            "KEPT_BUFFERS=" + kept + ".buffers");
  EXPECT_EQ(recording.status, 0) << recording.err;
  EXPECT_NE(recording.err.find("34 of them kernels; none lost"), std::string::npos) << recording.err;
  const Trace there = OpenFile(kept + ".wscap");
  const Trace here = Open(recording);
  EXPECT_EQ(there.gpu().size(), 51u);
  EXPECT_EQ(CudaRecordsOf(here), CudaRecordsOf(there));
  ASSERT_EQ(here.devices().size(), 1u);
  EXPECT_EQ(here.devices()[0].name, "NVIDIA H200");
  EXPECT_EQ(here.devices()[0].sm_count, 132);
  EXPECT_EQ(here.log().excluded() + here.log().repaired(), 0);
  // The one cudaEventRecord, reached behind the work that was in its stream.
  const GpuSpans& spans = there.gpu_spans();
  const auto event = std::find(spans.kind.begin(), spans.kind.end(), GpuSpanKind::kOther);
  ASSERT_EQ(std::count(spans.kind.begin(), spans.kind.end(), GpuSpanKind::kOther), 1);
  const auto row = static_cast<uint32_t>(event - spans.kind.begin());
  EXPECT_EQ(there.Text(spans.name[row]), "CUDA event");
  EXPECT_GT(spans.start_ns[row], StartOfCall(there, "cudaEventRecord"));
  EXPECT_LT(spans.start_ns[row], StartOfCall(there, "cudaGraphLaunch"));
  // Each clone is told of twice, and is one of four that were captured.
  EXPECT_EQ(there.graph_nodes().size(), 12u);
}

// The replay runs its kernels in another order than that in which they were captured.
TEST_F(RecordTest, ReplaysHaveTheRangesOfTheirCapture) {
  const Recording recording = Record("", "launches=1 graph=1");
  EXPECT_EQ(recording.status, 0) << recording.err;
  const Trace trace = Open(recording);
  EXPECT_EQ(trace.log().excluded(), 0);
  EXPECT_EQ(trace.graph_nodes().size(), 6u);  // two that were launched; each of their clones is told of twice
  Analysis analysis(trace, {});
  const Attribution& attribution = *analysis.Get<AttributionPass>();
  std::map<std::string, int> seen;
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
    if (attribution.replayed[row] == 0) continue;
    const std::string kernel(trace.Text(trace.gpu().name[row]));
    ASSERT_NE(attribution.range[row], kNoRow) << kernel;
    ++seen[kernel + " of " + std::string(trace.Text(trace.host().name[attribution.range[row]]))];
    EXPECT_EQ(attribution.confidence[row], Confidence::kGraphNode);
  }
  EXPECT_EQ(seen, (std::map<std::string, int>{{"Attention(float*) of attention", 3}, {"Mlp(float*) of mlp", 3}}));
  const Recording whole = Record("--graphs=graph", "launches=1 graph=1");
  EXPECT_EQ(Open(whole).graph_nodes().size(), 0u);
}

TEST_F(RecordTest, PayloadsOfNvtxEventsAreRecorded) {
  const Recording recording = Record("", "launches=1 payloads=1");
  const Trace trace = Open(recording);
  std::map<std::string, nlohmann::json> args;
  for (uint32_t row = 0; row < trace.host().size(); ++row) {
    const std::string name(trace.Text(trace.host().name[row]));
    if (!name.starts_with("payload ")) continue;
    const Result<std::string> event = ReadEventText(recording.file, trace.host().source[row]);
    ASSERT_TRUE(event.ok()) << event.status().message();
    args[name] = nlohmann::json::parse(*event)["args"];
  }
  ASSERT_EQ(args.size(), 8u);
  EXPECT_FALSE(args["payload 0"].contains("payload"));
  EXPECT_EQ(args["payload 1"]["payload"], ~uint64_t{0});
  EXPECT_EQ(args["payload 2"]["payload"], -1);
  EXPECT_EQ(args["payload 3"]["payload"], -2.5);
  EXPECT_EQ(args["payload 4"]["payload"], ~uint32_t{0});
  EXPECT_EQ(args["payload 5"]["payload"], -1);
  EXPECT_EQ(args["payload 6"]["payload"], 0.5);
  // Of an extension of NVTX: a pointer to something else, which is said.
  EXPECT_FALSE(args["payload 7"].contains("payload"));
  EXPECT_EQ(CountOf(trace, "payloads_left_out"), 1);
  for (const auto& [name, one] : args) {
    EXPECT_EQ(one["category"], 3) << name;
    EXPECT_EQ(one["category name"], "batches") << name;
    EXPECT_EQ(one["colour"], "#ff102030") << name;
  }
}

TEST_F(RecordTest, EveryEndOfTheProgramIsItsOwn) {
  struct Case {
    const char* end;
    int status;
  };
  for (const Case& one :
       {Case{"return", 3}, Case{"exit", 3}, Case{"quick", 3}, Case{"abort", kAborted}, Case{"kill", kKilled},
        Case{"throw", kAborted}, Case{"exec", 3}, Case{"fork", 3}, Case{"close", 3}}) {
    SCOPED_TRACE(one.end);
    const bool orderly = std::string_view(one.end) == "return" || std::string_view(one.end) == "exit" ||
                         std::string_view(one.end) == "fork" || std::string_view(one.end) == "close";
    // Long enough for a chunk to be written before a death that nobody is told of.
    const std::string sleep = orderly ? "" : " sleep_ms=1400";
    const Recording recording = Record("", "launches=500 status=3" + sleep + " end=" + one.end);
    EXPECT_EQ(recording.status, one.status) << recording.err;
    EXPECT_EQ(recording.out, "output of the program\n");
    const Trace trace = Open(recording);
    EXPECT_EQ(HostRows(trace, HostKind::kRange), 500);
    EXPECT_EQ(CountOf(trace, "recording_not_finished"), orderly ? 0 : 1);
    if (orderly) {
      EXPECT_EQ(trace.gpu().size(), 500u);
      CheckInvariants(trace);
    }
  }
}

TEST_F(RecordTest, ManyThreadsLoseNothing) {
  const Recording recording = Record("", "launches=2000 threads=64");
  EXPECT_EQ(recording.status, 0);
  const Trace trace = Open(recording);
  CheckInvariants(trace);
  EXPECT_EQ(trace.gpu().size(), 128000u);
  EXPECT_EQ(HostRows(trace, HostKind::kRange), 128000);
  EXPECT_EQ(trace.log().repaired() + trace.log().excluded(), 0);
}

TEST_F(RecordTest, ManyProcessesMakeOneFile) {
  const std::string program = std::string(WARPSIGHT_FAKE_PROGRAM) + " " + WARPSIGHT_FAKE_CUPTI + " launches=300";
  std::string script = "sh -c '";
  for (int i = 0; i < 16; ++i) script += program + " & ";
  const Recording recording = RecordCommand(std::string("--cupti ") + WARPSIGHT_FAKE_CUPTI, script + "wait; exit 5'");
  EXPECT_EQ(recording.status, 5);
  EXPECT_NE(recording.err.find("16 processes"), std::string::npos) << recording.err;
  const Trace trace = Open(recording);
  CheckInvariants(trace);
  EXPECT_EQ(trace.gpu().size(), 4800u);
}

TEST_F(RecordTest, WhatHasNoRoomIsCounted) {
  const Recording recording = Record("--max-size 30K", "launches=100000 nvtx=0");
  EXPECT_EQ(recording.status, 0);
  EXPECT_NE(recording.err.find("LOST"), std::string::npos) << recording.err;
  struct stat info = {};
  ASSERT_EQ(stat(recording.file.c_str(), &info), 0);
  EXPECT_LT(info.st_size, 40'000);
  const Trace trace = Open(recording);
  // Each launch is a call and a kernel; the rest are the device and what the session says of itself.
  const int64_t kept = trace.gpu().size() + HostRows(trace, HostKind::kApi);
  const int64_t lost = CountOf(trace, "dropped_no_room");
  EXPECT_GE(kept + lost, 200000);
  EXPECT_LE(kept + lost, 200000 + 3);
  EXPECT_EQ(trace.devices()[0].name, "Fake GPU");
}

TEST_F(RecordTest, AFullDiskIsNotTheProgramsProblem) {
  const Recording recording = Record("", "launches=100000 status=4", "ulimit -f 50;");
  EXPECT_EQ(recording.status, 4) << recording.err;
  EXPECT_EQ(recording.out, "output of the program\n");
  EXPECT_NE(recording.err.find("LOST"), std::string::npos) << recording.err;
  const Trace trace = Open(recording);
  EXPECT_GT(CountOf(trace, "dropped_no_room") + CountOf(trace, "recording_not_finished"), 0);
}

TEST_F(RecordTest, WithoutAPlaceForTheFileTheProgramRuns) {
  output_ = "/nonexistent/run.wscap";
  const Recording recording = RecordCommand("", "sh -c 'echo hello; exit 6'");
  EXPECT_EQ(recording.status, 6);
  EXPECT_EQ(recording.out, "hello\n");
  EXPECT_NE(recording.err.find("nothing is recorded"), std::string::npos);
}

TEST_F(RecordTest, AProgramWithoutCudaIsSaidToBeOne) {
  const Recording recording = RecordCommand("", "sh -c 'echo hello; exit 6'");
  EXPECT_EQ(recording.status, 6);
  EXPECT_EQ(recording.out, "hello\n");
  EXPECT_NE(recording.err.find("nothing was recorded"), std::string::npos) << recording.err;
  EXPECT_NE(access(recording.file.c_str(), F_OK), 0);
}

TEST_F(RecordTest, WithoutCuptiRangesAreRecorded) {
  const Recording recording = RecordCommand(
      "--cupti /nonexistent/libcupti.so", std::string(WARPSIGHT_FAKE_PROGRAM) + " " + WARPSIGHT_FAKE_CUPTI + " launches=20");
  EXPECT_EQ(recording.status, 0);
  const Trace trace = Open(recording);
  EXPECT_EQ(HostRows(trace, HostKind::kRange), 20);
}

// The first device of the process is the second of NVML.
TEST_F(RecordTest, TheDevicesInUseAreSampled) {
  const Recording recording = Record("--nvml-frequency 50 --nvml " WARPSIGHT_FAKE_NVML, "launches=10 for_ms=2000");
  EXPECT_EQ(recording.status, 0) << recording.err;
  EXPECT_EQ(recording.out, "output of the program\n");
  const Trace trace = Open(recording);
  CheckInvariants(trace);
  std::map<std::string, const CounterSeries*> by_name;
  for (const CounterSeries& series : trace.counters()) {
    EXPECT_EQ(series.device, 0);
    by_name[std::string(trace.Text(series.name))] = &series;
  }
  EXPECT_EQ(by_name.size(), trace.counters().size());
  const auto first = [&](const char* name) {
    return by_name[name] == nullptr ? -1 : trace.counter_samples().value[by_name[name]->first];
  };
  EXPECT_EQ(first("SM clock"), 1500);
  EXPECT_EQ(first("SM clock limit"), 1980);
  EXPECT_EQ(first("memory clock"), 2619);
  EXPECT_EQ(first("power"), 651'234);
  EXPECT_EQ(first("power limit"), 700'000);
  EXPECT_EQ(first("GPU utilisation"), 97);
  EXPECT_EQ(first("memory utilisation"), 41);
  EXPECT_EQ(first("memory used"), int64_t{50} << 30);
  EXPECT_EQ(first("throttle reasons"), 4);
  EXPECT_EQ(first("PCIe received"), 5678);
  EXPECT_GT(first("NVLink sent"), 0);
  EXPECT_EQ(by_name.count("temperature"), 0u);  // not supported
  // A busy machine may skip turns; it never has more than it was asked for.
  EXPECT_GE(by_name["SM clock"]->size(), 8u);
  EXPECT_LE(by_name["SM clock"]->size(), 120u);
  EXPECT_LE(by_name["PCIe sent"]->size(), 4u);
  EXPECT_EQ(CountOf(trace, "recorder_note"), 0);
}

TEST_F(RecordTest, WithoutNvmlNothingIsSaidButInTheLedger) {
  const Recording recording = Record("--nvml-frequency 10 --nvml /nonexistent/nvml.so", "launches=10 for_ms=1000");
  EXPECT_EQ(recording.status, 0);
  EXPECT_EQ(recording.err.find("not sampled"), std::string::npos) << recording.err;
  EXPECT_NE(recording.err.find("none lost"), std::string::npos) << recording.err;
  const Trace trace = Open(recording);
  EXPECT_TRUE(trace.counters().empty());
  EXPECT_EQ(CountOf(trace, "recorder_note"), 1);
}

// A CUPTI that does not tell when a stream reaches an event: as without the option, and it is said.
TEST_F(RecordTest, CudaEventsTakeACuptiThatKnowsTheirTimes) {
  const Recording recording = Record("--cuda-event-trace=true --nvml-frequency 0", "launches=10");
  EXPECT_EQ(recording.status, 0);
  EXPECT_NE(recording.err.find("CUDA events are not recorded: that takes CUPTI 12.8"), std::string::npos) << recording.err;
  EXPECT_EQ(Open(recording).gpu().size(), 10u);
  EXPECT_EQ(Record("--cuda-event-trace=true -t nvtx", "launches=1").status, 2);
}

TEST_F(RecordTest, SamplingCanBeSwitchedOff) {
  const Recording recording = Record("--nvml-frequency 0 --nvml " WARPSIGHT_FAKE_NVML, "launches=10 for_ms=300");
  const Trace trace = Open(recording);
  EXPECT_TRUE(trace.counters().empty());
  EXPECT_EQ(CountOf(trace, "recorder_note"), 0);
  EXPECT_EQ(Record("--nvml-frequency 2000", "launches=1").status, 2);
}

// The environment of launchers says which rank a process is.
TEST_F(RecordTest, RanksAreThoseOfTheLauncher) {
  struct Case {
    const char* environment;
    int rank, ranks;
  };
  for (const Case& one :
       {Case{"RANK=1 WORLD_SIZE=4", 1, 4}, Case{"OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4", 3, 4},
        Case{"SLURM_PROCID=0 SLURM_NTASKS=2", 0, 2}, Case{"RANK=1", -1, -1}, Case{"RANK=a WORLD_SIZE=b", -1, -1}}) {
    const Recording recording = Record("--nvml-frequency 0", "launches=2", one.environment);
    const Trace trace = Open(recording);
    EXPECT_EQ(trace.recording().rank, one.rank) << one.environment;
    EXPECT_EQ(trace.recording().world_size, one.ranks) << one.environment;
  }
}

TEST_F(RecordTest, ProgramsThatDoNotStartHaveTheShellsStatus) {
  EXPECT_EQ(RecordCommand("", "/nonexistent/program").status, 127);
  EXPECT_EQ(RecordCommand("", "/").status, 126);
}

TEST_F(RecordTest, WrongUsageIsSaidBeforeAnythingRuns) {
  for (const char* options : {"--trace=cublass",
                              "--max-size=lots",
                              "--env-var=X",
                              "--kill=sigterm",
                              "--graphs=both",
                              "-c cudaProfilerApi -d 1",
                              "-c cudaProfilerApi -t nvtx",
                              "--armed -c program",
                              "-c nvtx",
                              "-p step",
                              "-c nvtx -p @domain",
                              "-c nvtx -p step -t cuda",
                              "-c nvtx -p step -y 1",
                              "-c program -d 1",
                              "--armed -d 1",
                              "--armed -y 1",
                              "--armed --report",
                              "--capture-range-end=repeat",
                              "-c program --capture-range-end=again",
                              "-c program --capture-range-end=repeat:0",
                              "-c program --capture-range-end=repeat:x",
                              "-c program --capture-range-end=stop:1",
                              "-c program --capture-range-end=repeat-shutdown",
                              "-c program --kill=sigterm",
                              "-c program --capture-range-end=repeat --ring 1"}) {
    const Recording recording = RecordCommand(options, "touch " + folder_.File("ran"));
    EXPECT_EQ(recording.status, 2) << options;
    EXPECT_NE(access(folder_.File("ran").c_str(), F_OK), 0) << options;
  }
}

TEST_F(RecordTest, OptionsOfTheProgramAreNotOurs) {
  const Recording recording = RecordCommand("", "sh -c 'echo \"$@\"' name --quiet -o other -- --json");
  EXPECT_EQ(recording.out, "--quiet -o other -- --json\n");
  EXPECT_EQ(recording.status, 0);
}

TEST_F(RecordTest, AnArmedProgramIsRecordedWhenItIsTriggered) {
#ifdef WARPSIGHT_SANITIZED
  GTEST_SKIP() << "the leak check can't stop the threads of a program in the background";
#endif
  const std::string program = std::string(WARPSIGHT_FAKE_PROGRAM) + " " + WARPSIGHT_FAKE_CUPTI + " for_ms=3000";
  const std::string first = folder_.File("first.wscap");
  const std::string second = folder_.File("second.wscap");
  const std::string trigger = "\"" WARPSIGHT_BINARY "\" trigger $!";
  const std::string script = "cd " + folder_.File("") + "; \"" WARPSIGHT_BINARY "\" record --armed --quiet --cupti " +
                             WARPSIGHT_FAKE_CUPTI + " -- " + program + " > out 2> err & sleep 0.5; " + trigger +
                             " --duration 0.4 -o " + first + " 2>> said; " + trigger + " -d 0.2 -o " + second +
                             " 2>> said; wait $!; echo $? > status; ls > left";
  ASSERT_EQ(std::system(script.c_str()), 0);
  EXPECT_EQ(TextOfFile(folder_.File("status")), "0\n") << TextOfFile(folder_.File("err"));
  EXPECT_EQ(TextOfFile(folder_.File("out")), "output of the program\n");
  EXPECT_EQ(TextOfFile(folder_.File("left")), "err\nfirst.wscap\nleft\nout\nsaid\nsecond.wscap\nstatus\n");
  for (const std::string& file : {first, second}) {
    Recording recording;
    recording.file = file;
    recording.err = TextOfFile(folder_.File("said"));
    const Trace trace = Open(recording);
    CheckInvariants(trace);
    EXPECT_GT(trace.gpu().size(), 50u);
    EXPECT_EQ(CountOf(trace, "recording_not_finished"), 0);
    EXPECT_LT(trace.capture().duration(), 1'000'000'000);
  }
}

TEST_F(RecordTest, WhatIsNotArmedCantBeTriggered) {
  const std::string command = "\"" WARPSIGHT_BINARY "\" trigger $$ -o " + output_ + " 2> " + folder_.File("err");
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_NE(TextOfFile(folder_.File("err")).find("is not armed"), std::string::npos);
}

TEST_F(RecordTest, TheRingKeepsTheEnd) {
  const Recording recording = Record("--ring 0.3", "launches=2000 for_ms=1800");
  EXPECT_EQ(recording.status, 0);
  const Trace trace = Open(recording);
  // A chunk is up to a second long: what is kept is the ring and the chunk that reaches into it.
  EXPECT_LT(trace.capture().duration(), 1'700'000'000);
  EXPECT_GT(CountOf(trace, "ring_records_aged"), 0);
  EXPECT_EQ(CountOf(trace, "dropped_no_room"), 0);
}

TEST_F(RecordTest, AFolderIsNoPlaceForAFile) {
  output_ = folder_.File("");
  const Recording recording = RecordCommand("", "touch " + folder_.File("ran"));
  EXPECT_EQ(recording.status, 2) << recording.err;
  EXPECT_NE(access(folder_.File("ran").c_str(), F_OK), 0);
}

TEST_F(RecordTest, TheDurationEndsTheRecordingAndTheProgram) {
  const Recording recording = Record("--duration 0.5 --kill=sigterm", "for_ms=20000");
  EXPECT_EQ(recording.status, 128 + 15);
  const Trace trace = Open(recording);
  CheckInvariants(trace);
  EXPECT_EQ(CountOf(trace, "recording_not_finished"), 0);
  EXPECT_GT(trace.gpu().size(), 100u);
  EXPECT_LT(trace.capture().duration(), 5'000'000'000);
}

TEST_F(RecordTest, SignalsThatWereIgnoredStayIgnored) {
  const Recording recording = RecordCommand("", "sh -c 'kill -HUP $$; kill -HUP $PPID; echo alive'", "trap '' HUP;");
  EXPECT_EQ(recording.out, "alive\n");
  EXPECT_EQ(recording.status, 0);
}

TEST_F(RecordTest, WhatTheProgramLeftRunningCanBeLeft) {
  const std::string script =
      "cd " + folder_.File("") + "; \"" WARPSIGHT_BINARY "\" record --quiet -f -o run.wscap -- sh -c " +
      "'setsid sleep 30 > /dev/null 2>&1 & touch ready; exit 3' & " +
      "until [ -e ready ] || ! kill -0 $!; do sleep 0.1; done; sleep 0.5; kill -TERM $!; wait $!; echo $? > status";
  const auto began = std::chrono::steady_clock::now();
  ASSERT_EQ(std::system(script.c_str()), 0);
  EXPECT_EQ(TextOfFile(folder_.File("status")), "3\n");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(15));
}

TEST_F(RecordTest, ValuesOfVariablesMayHoldCommas) {
  EXPECT_EQ(RecordCommand("-e LIST=0,1 -e OTHER=2", "sh -c 'echo $LIST $OTHER'").out, "0,1 2\n");
}

}  // namespace
}  // namespace warpsight::record_test
