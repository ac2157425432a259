// `warpsight record --cpuctxsw` from the outside: programs that wait, compute and share a processor for known amounts of
// time. What must hold: their output and exit status are those of an unrecorded run; the switches tell of the waits.
//
// Waits are compared from below: a machine under load makes them longer, never shorter.
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "record/record_fixture.h"

namespace warpsight::record_switches_test {
namespace {

constexpr int kStatusOfBusyProgram = 5;

// A container may forbid it: then there is nothing to see but the note.
bool MayFollowThreads() {
  perf_event_attr attributes = {};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof(attributes);
  attributes.config = PERF_COUNT_SW_DUMMY;
  attributes.exclude_kernel = 1;
  const auto file = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (file >= 0) close(file);
  return file >= 0;
}

struct StateTimes {
  Ns on_ns = 0;
  Ns waiting_ns = 0;
  Ns longest_wait_ns = 0;
  Ns preempted_ns = 0;
};

class RecordSwitchesTest : public RecordTest {
 protected:
  void SetUp() override {
    if (!MayFollowThreads()) GTEST_SKIP() << "perf_event_open is not allowed here";
  }
  Recording Record(const std::string& options, const std::string& arguments, const std::string& before = "") {
    return RecordCommand("--cupti " WARPSIGHT_FAKE_CUPTI " " + options, Busy(arguments), before);
  }
  static std::string Busy(const std::string& arguments) {
    return std::string(WARPSIGHT_FAKE_BUSY_PROGRAM) + " " + arguments;
  }
  static StateTimes TimesOf(const Trace& trace, ThreadIndex thread) {
    const ThreadSwitches& switches = trace.thread_switches();
    StateTimes times;
    for (uint32_t row = trace.threads()[thread].first_switch; row + 1 < trace.threads()[thread].end_switch; ++row) {
      const Ns lasts = switches.time_ns[row + 1] - switches.time_ns[row];
      if (switches.state[row] == ThreadState::kOn) times.on_ns += lasts;
      if (switches.state[row] == ThreadState::kPreempted) times.preempted_ns += lasts;
      if (switches.state[row] != ThreadState::kWaiting) continue;
      times.waiting_ns += lasts;
      times.longest_wait_ns = std::max(times.longest_wait_ns, lasts);
    }
    return times;
  }
  static ThreadIndex MainThread(const Trace& trace) {
    for (ThreadIndex thread = 0; thread < trace.threads().size(); ++thread) {
      if (trace.threads()[thread].pid == trace.threads()[thread].tid) return thread;
    }
    ADD_FAILURE() << "there is no main thread";
    return 0;
  }
  static int ThreadsWithSwitches(const Trace& trace) {
    int count = 0;
    for (const Thread& thread : trace.threads()) {
      count += thread.end_switch > thread.first_switch ? 1 : 0;
      if (thread.end_switch > thread.first_switch) EXPECT_FALSE(thread.name.starts_with("warpsight")) << thread.name;
    }
    return count;
  }
};

TEST_F(RecordSwitchesTest, WaitsAreThoseOfTheProgram) {
  const std::string arguments = "hot_ms=100 warm_ms=20 sleep_ms=300";
  const Recording bare = Run(Busy(arguments));
  for (const char* options : {"-s cpu", "--cpuctxsw=process-tree", "--cpuctxsw=process-tree -t none", "-s cpu -t osrt"}) {
    SCOPED_TRACE(options);
    const Recording run = Record(options, arguments);
    EXPECT_EQ(run.status, kStatusOfBusyProgram) << run.err;
    EXPECT_EQ(run.out, bare.out);
    const Trace trace = Open(run);
    const StateTimes times = TimesOf(trace, MainThread(trace));
    EXPECT_GE(times.longest_wait_ns, 300'000'000);
    EXPECT_GE(times.waiting_ns, 320'000'000);  // with the 20 ms before it
    EXPECT_GE(times.on_ns, 100'000'000);       // all but what it computed before it was found
    EXPECT_EQ(ThreadsWithSwitches(trace), 1);
    EXPECT_EQ(CountOf(trace, "recorder_note") + CountOf(trace, "dropped_thread_switches"), 0) << run.err;
    EXPECT_EQ(trace.log().excluded() + trace.log().repaired(), 0);
  }
}

TEST_F(RecordSwitchesTest, ThreadsThatShareAProcessorArePreempted) {
  const Recording run = Record("--cpuctxsw=process-tree", "hot_ms=200 warm_ms=50 threads=2 one_cpu=1");
  EXPECT_EQ(run.status, kStatusOfBusyProgram) << run.err;
  const Trace trace = Open(run);
  EXPECT_EQ(ThreadsWithSwitches(trace), 2);
  // While one of them computes its 250 ms the other is kept from it for nearly as long.
  Ns preempted_ns = 0;
  for (ThreadIndex thread = 0; thread < trace.threads().size(); ++thread)
    preempted_ns += TimesOf(trace, thread).preempted_ns;
  EXPECT_GE(preempted_ns, 150'000'000);
}

TEST_F(RecordSwitchesTest, WithoutTheOptionThereAreNone) {
  for (const char* options : {"", "-s none", "-s cpu --cpuctxsw=none"}) {
    const Recording run = Record(options, "hot_ms=50 warm_ms=10");
    EXPECT_EQ(run.status, kStatusOfBusyProgram) << run.err;
    EXPECT_EQ(Open(run).thread_switches().size(), 0u) << options;
  }
  EXPECT_EQ(Record("--cpuctxsw=system-wide", "").status, 2);
}

TEST_F(RecordSwitchesTest, WhatIsNotAllowedIsSaidOnce) {
  const std::string arguments = "hot_ms=60 warm_ms=20 threads=4 refuse=perf";
  const Recording bare = Run(Busy(arguments));
  const Recording run = Record("--cpuctxsw=process-tree", arguments);
  EXPECT_EQ(run.status, bare.status) << run.err;
  EXPECT_EQ(run.out, bare.out);
  const Trace trace = Open(run);
  EXPECT_EQ(trace.thread_switches().size(), 0u);
  EXPECT_EQ(CountOf(trace, "recorder_note"), 1);
}

TEST_F(RecordSwitchesTest, ThereIsNoRoomForAllThreads) {
  const Recording run = Record("--cpuctxsw=process-tree -t none", "hot_ms=40 warm_ms=10 threads=24", "ulimit -n 48;");
  EXPECT_EQ(run.status, kStatusOfBusyProgram) << run.err;
  const Trace trace = Open(run);
  EXPECT_GE(ThreadsWithSwitches(trace), 1);
  EXPECT_LE(ThreadsWithSwitches(trace), 6);
  EXPECT_EQ(CountOf(trace, "recorder_note"), 1);
}

TEST_F(RecordSwitchesTest, EveryEndOfTheProgramIsItsOwn) {
  for (const char* how : {"exit", "fork", "exec", "kill"}) {
    SCOPED_TRACE(how);
    const std::string arguments = std::string("hot_ms=60 warm_ms=20 sleep_ms=1300 end=") + how;
    const Recording bare = Run(Busy(arguments));
    const Recording run = Record("--cpuctxsw=process-tree", arguments);
    EXPECT_EQ(run.status, bare.status) << run.err;
    EXPECT_EQ(run.out, bare.out);
    const Trace trace = Open(run);
    std::set<int64_t> processes;
    for (const ThreadIndex thread : trace.thread_switches().thread) processes.insert(trace.threads()[thread].pid);
    EXPECT_EQ(processes.size(), 1u);  // no child is followed before it uses CUDA or NVTX itself
    // Killed or replaced, a program does not tell of its last moments.
    if (std::string(how) == "exit" || std::string(how) == "fork")
      EXPECT_GE(TimesOf(trace, MainThread(trace)).longest_wait_ns, 1'300'000'000);
  }
}

TEST_F(RecordSwitchesTest, WhatHasNoRoomIsCounted) {
  // Two threads that wake one another all the time, and rings of one page.
  const std::string settings = "cuda=0;nvtx=1;thread_switches=1;switch_pages=1;folder=" + folder_.path();
  const std::string library = std::filesystem::path(WARPSIGHT_BINARY).parent_path() / "libwarpsight_inject.so";
  const Recording run = Run("WARPSIGHT_CAPTURE='" + settings + "' NVTX_INJECTION64_PATH=" + library + " " +
                            Busy("hot_ms=1 warm_ms=1 turns=40000 one_cpu=1"));
  EXPECT_EQ(run.status, kStatusOfBusyProgram) << run.err;
  std::string file;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (entry.path().extension() == ".wscap") file = entry.path();
  }
  const Trace trace = OpenFile(file);
  const int64_t dropped = CountOf(trace, "dropped_thread_switches");
  EXPECT_GT(dropped, 0);
  EXPECT_GT(trace.thread_switches().size(), 0u);
  // A turn is two waits of two switches each; what was found late or kept busy by others does not matter.
  const int64_t all = static_cast<int64_t>(trace.thread_switches().size()) + dropped;
  EXPECT_GE(all, 80'000);
  EXPECT_LE(all, 400'000);
}

TEST_F(RecordSwitchesTest, EachRangeHasItsOwn) {
  const Recording run = Record("--cpuctxsw=process-tree -c nvtx -p window --capture-range-end=repeat",
                               "hot_ms=100 warm_ms=40 windows=2 threads=2 one_cpu=1");
  EXPECT_EQ(run.status, kStatusOfBusyProgram) << run.err;
  for (const char* name : {"run-1.wscap", "run-2.wscap"}) {
    const Trace trace = OpenFile(folder_.File(name), run.err);
    EXPECT_EQ(RangesNamed(trace, "window"), 1);
    EXPECT_GT(trace.thread_switches().size(), 0u);
  }
}

TEST_F(RecordSwitchesTest, ExportsHoldThemOrSayThatTheyDoNot) {
  const Recording run = Record("--cpuctxsw=process-tree", "hot_ms=20 warm_ms=10 sleep_ms=50");
  const Trace trace = Open(run);
  const std::string exporting = std::string("\"") + WARPSIGHT_BINARY + "\" export " + run.file + " --to ";
  const Recording csv = Run(exporting + "csv --table thread_switches -o -");
  EXPECT_EQ(csv.status, 0) << csv.err;
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), trace.thread_switches().size() + 1);
  EXPECT_TRUE(csv.out.starts_with("time_ns,thread,state\n"));
  EXPECT_NE(csv.out.find(",waiting\n"), std::string::npos);
  for (const char* format : {"chrome", "perfetto"}) {
    const Recording other = Run(exporting + format + " -o " + folder_.File(format));
    EXPECT_EQ(other.status, 0);
    EXPECT_NE(other.err.find("switches of threads (--to csv has them)"), std::string::npos) << other.err;
  }
}

}  // namespace
}  // namespace warpsight::record_switches_test
