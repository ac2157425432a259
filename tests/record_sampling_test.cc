// `warpsight record --sample=process-tree` from the outside: programs that compute for known amounts of processor time. What
// must hold: their output and exit status are those of an unrecorded run; samples are where the processor time is.
//
// Samples are counted, never timed: the triggers count a thread's own processor time, so that a machine under load changes
// little. Where only timers are allowed they come 250 times a second: bounds are low enough for those.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "record/record_fixture.h"

namespace warpsight::record_sampling_test {
namespace {

constexpr int kStatusOfBusy = 5;  // of fake_busy_program

class RecordSamplingTest : public RecordTest {
 protected:
  Recording Record(const std::string& options, const std::string& program) {
    return RecordCommand("--cupti " WARPSIGHT_FAKE_CUPTI " " + options, program);
  }
  static std::string Busy(const std::string& arguments) {
    return std::string(WARPSIGHT_FAKE_BUSY_PROGRAM) + " " + arguments;
  }
  // Functions from the outermost, "main;ComputeBoth;HotFunction".
  static std::string StackOf(const Trace& trace, StackIndex stack) {
    std::string text;
    for (; stack != 0; stack = trace.stacks().frame(stack).parent)
      text = std::string(trace.Text(trace.stacks().frame(stack).function)) + (text.empty() ? "" : ";") + text;
    return text;
  }
  // Samples whose stack has all of these, in this order.
  static int SamplesWith(const Trace& trace, const std::vector<std::string>& functions) {
    int count = 0;
    for (const StackIndex stack : trace.cpu_samples().stack) {
      const std::string text = StackOf(trace, stack);
      size_t at = 0;
      for (const std::string& function : functions) {
        if (at != std::string::npos) at = text.find(function, at);
      }
      count += at != std::string::npos ? 1 : 0;
    }
    return count;
  }
  static std::map<int64_t, int> SamplesByProcess(const Trace& trace) {
    std::map<int64_t, int> counts;
    for (const ThreadIndex thread : trace.cpu_samples().thread) ++counts[trace.threads()[thread].pid];
    return counts;
  }
};

TEST_F(RecordSamplingTest, TheFunctionThatComputesDominates) {
  const std::string program = Busy("hot_ms=400 warm_ms=100");
  const Recording bare = Run(program);
  for (const char* options : {"-s cpu", "--sample=process-tree -t none", "-s process-tree -t osrt"}) {
    SCOPED_TRACE(options);
    const Recording run = Record(options, program);
    EXPECT_EQ(run.status, kStatusOfBusy) << run.err;
    EXPECT_EQ(run.out, bare.out);
    const Trace trace = Open(run);
    const int all = static_cast<int>(trace.cpu_samples().size());
    ASSERT_GE(all, 60);
    EXPECT_LE(all, 1000);
    const int hot = SamplesWith(trace, {"main", "ComputeBoth", "HotFunction"});
    const int warm = SamplesWith(trace, {"main", "ComputeBoth", "WarmFunction"});
    EXPECT_GE(hot + warm, all * 8 / 10);
    EXPECT_GT(hot, 2 * warm);
    EXPECT_GT(warm, 0);
    EXPECT_EQ(trace.log().excluded() + trace.log().repaired(), 0);
    EXPECT_EQ(trace.threads()[trace.cpu_samples().thread[0]].name, "fake_busy_progr");
    // They are no part of anything that is summed up.
    EXPECT_TRUE(HostRows(trace, HostKind::kRange) == 0 && trace.gpu().size() == 0);
  }
}

TEST_F(RecordSamplingTest, ExportsHoldThemOrSayThatTheyDoNot) {
  const Recording run = Record("-s cpu -t none", Busy("hot_ms=60 warm_ms=20"));
  const Trace trace = Open(run);
  const std::string exporting = std::string("\"") + WARPSIGHT_BINARY + "\" export " + run.file + " --to ";
  const Recording csv = Run(exporting + "csv --table cpu_samples -o -");
  EXPECT_EQ(csv.status, 0) << csv.err;
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), trace.cpu_samples().size() + 1);
  EXPECT_TRUE(csv.out.starts_with("time_ns,thread,stack\n"));
  ASSERT_GT(trace.cpu_samples().size(), 0u);
  const StackIndex first = trace.cpu_samples().stack[0];
  EXPECT_NE(csv.out.find(StackOf(trace, first)), std::string::npos) << StackOf(trace, first);
  for (const char* format : {"chrome", "perfetto"}) {
    const Recording other = Run(exporting + format + " -o " + folder_.File(format));
    EXPECT_EQ(other.status, 0);
    EXPECT_NE(other.err.find("CPU samples (--to csv has them)"), std::string::npos) << other.err;
  }
}

TEST_F(RecordSamplingTest, WithoutTheOptionNothingIsSampled) {
  const Recording run = Record("", Busy("hot_ms=50 warm_ms=10 signal=urg"));
  EXPECT_EQ(run.status, kStatusOfBusy);
  EXPECT_EQ(Open(run).cpu_samples().size(), 0u);
}

TEST_F(RecordSamplingTest, AllThreadsAreSampled) {
  const Recording run = Record("-s cpu -t none", Busy("hot_ms=40 warm_ms=10 threads=64"));
  EXPECT_EQ(run.status, kStatusOfBusy) << run.err;
  const Trace trace = Open(run);
  std::set<ThreadIndex> threads(trace.cpu_samples().thread.begin(), trace.cpu_samples().thread.end());
  EXPECT_GE(threads.size(), 48u);
  EXPECT_LE(threads.size(), 64u);
  for (const ThreadIndex thread : threads) EXPECT_FALSE(trace.threads()[thread].name.starts_with("warpsight"));
  EXPECT_GT(SamplesWith(trace, {"ComputeBoth", "HotFunction"}), 2 * SamplesWith(trace, {"ComputeBoth", "WarmFunction"}));
}

TEST_F(RecordSamplingTest, TimersServeWherePerfDoesNot) {
  // Room for a few of perf's descriptors only.
  const Recording run = RecordCommand("-s cpu -t none", Busy("hot_ms=80 warm_ms=20 threads=24"), "ulimit -n 48;");
  EXPECT_EQ(run.status, kStatusOfBusy) << run.err;
  const Trace trace = Open(run);
  std::set<ThreadIndex> threads(trace.cpu_samples().thread.begin(), trace.cpu_samples().thread.end());
  EXPECT_GE(threads.size(), 16u) << run.err;
  EXPECT_EQ(CountOf(trace, "recorder_note"), 2) << run.err;  // the other is of switches of threads
}

TEST_F(RecordSamplingTest, AForkedChildIsNotTheParent) {
  const std::string program = Busy("hot_ms=200 warm_ms=50 end=fork");
  const Recording bare = Run(program);
  const Recording run = Record("-s cpu", program);
  EXPECT_EQ(run.status, bare.status);
  EXPECT_EQ(run.out, bare.out);
  const Trace trace = Open(run);
  EXPECT_EQ(SamplesByProcess(trace).size(), 1u);
  EXPECT_LE(trace.cpu_samples().size(), 350u);  // the child's 200 ms are none of them
}

TEST_F(RecordSamplingTest, AProgramThatTakesItsPlaceRunsOn) {
  const std::string program = Busy("hot_ms=100 warm_ms=20 end=exec");
  const Recording bare = Run(program);
  for (const char* options : {"-s cpu --sampling-frequency 8000", "-s cpu -t none"}) {
    const Recording run = Record(options, program);
    EXPECT_EQ(run.status, bare.status) << run.err;
    EXPECT_EQ(run.out, bare.out);
  }
}

TEST_F(RecordSamplingTest, SignalsOfTheProgramAreItsOwn) {
  for (const char* how : {"prof", "urg", "late"}) {
    SCOPED_TRACE(how);
    const std::string program = Busy(std::string("hot_ms=300 warm_ms=60 signal=") + how);
    const Recording bare = Run(program);
    const Recording run = Record("-s cpu", program);
    EXPECT_EQ(run.status, bare.status) << run.err;
    EXPECT_EQ(run.out, bare.out);
    const Trace trace = Open(run);
    const bool is_taken = std::string(how) != "prof";
    EXPECT_EQ(trace.cpu_samples().size() > 0, std::string(how) != "urg");
    EXPECT_EQ(CountOf(trace, "recorder_note") > 0, is_taken);
  }
}

TEST_F(RecordSamplingTest, AKilledProgramLeavesItsSamples) {
  const Recording run = Record("-s cpu", Busy("hot_ms=200 warm_ms=50 sleep_ms=1500 end=kill"));
  EXPECT_EQ(run.status, kKilled);
  const Trace trace = Open(run);
  EXPECT_GE(SamplesWith(trace, {"main", "HotFunction"}), 30);
  EXPECT_EQ(CountOf(trace, "recording_not_finished"), 1);
}

TEST_F(RecordSamplingTest, WhatHasNoRoomIsCounted) {
  const std::string settings = "cuda=0;nvtx=1;sample_hz=8000;sample_stacks=2;folder=" + folder_.path();
  const std::string library = std::filesystem::path(WARPSIGHT_BINARY).parent_path() / "libwarpsight_inject.so";
  const Recording run =
      Run("WARPSIGHT_CAPTURE='" + settings + "' NVTX_INJECTION64_PATH=" + library + " " + Busy("hot_ms=200 warm_ms=50"));
  EXPECT_EQ(run.status, kStatusOfBusy) << run.err;
  std::string file;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    if (entry.path().extension() == ".wscap") file = entry.path();
  }
  const Trace trace = OpenFile(file);
  EXPECT_GT(CountOf(trace, "dropped_cpu_samples"), 0);
  EXPECT_GT(trace.cpu_samples().size(), 0u);
  EXPECT_LE(static_cast<int64_t>(trace.cpu_samples().size()) + CountOf(trace, "dropped_cpu_samples"), 2600);
}

TEST_F(RecordSamplingTest, EachRangeHasItsOwn) {
  const Recording run =
      Record("-s cpu -c nvtx -p window --capture-range-end=repeat", Busy("hot_ms=120 warm_ms=40 windows=2"));
  EXPECT_EQ(run.status, kStatusOfBusy) << run.err;
  for (const char* name : {"run-1.wscap", "run-2.wscap"}) {
    const Trace trace = OpenFile(folder_.File(name), run.err);
    EXPECT_EQ(RangesNamed(trace, "window"), 1);
    EXPECT_GE(SamplesWith(trace, {"main", "ComputeBoth", "HotFunction"}), 10);
    EXPECT_LE(trace.cpu_samples().size(), 240u);
  }
}

TEST_F(RecordSamplingTest, ARingKeepsTheLast) {
  const Recording run = Record("-s cpu --ring 60", Busy("hot_ms=200 warm_ms=50"));
  EXPECT_EQ(run.status, kStatusOfBusy) << run.err;
  EXPECT_GE(SamplesWith(Open(run), {"main", "HotFunction"}), 30);
}

class RecordPythonSamplingTest : public RecordSamplingTest {
 protected:
  void SetUp() override {
    if (access(kPython, X_OK) != 0) GTEST_SKIP() << "there is no " << kPython;
#ifdef WARPSIGHT_SANITIZED
    GTEST_SKIP() << "the injected library needs a program with the sanitizer then";
#endif
  }
  std::string Python(const std::string& script) {
    std::ofstream(folder_.File("script.py")) << script;
    return std::string(kPython) + " " + folder_.File("script.py");
  }
  static constexpr const char* kPython = "/usr/bin/python3";
};

constexpr const char* kHotScript = R"(
import os, sys, time
class Model:
    def forward(self, until):
        while time.process_time() < until:
            sum(i * i for i in range(2000))
            self.sort()
    def sort(self):
        return sorted(range(3000), key=lambda i: -i)
def main():
    Model().forward(0.5)
    time.sleep(0.01)
    print("done", sorted([3, 1, 2]))
    sys.exit(4)
main()
)";

TEST_F(RecordPythonSamplingTest, PythonFunctionsStandForTheInterpretersOwn) {
  const std::string program = Python(kHotScript);
  const Recording bare = Run(program);
  const Recording run = Record("-s cpu -t none", program);
  EXPECT_EQ(run.status, bare.status) << run.err;
  EXPECT_EQ(run.out, bare.out);
  const Trace trace = Open(run);
  const int all = static_cast<int>(trace.cpu_samples().size());
  EXPECT_GE(all, 50);
  EXPECT_GE(SamplesWith(trace, {"<module> (script.py:1)", "main (script.py:", "forward (script.py:4)"}), all * 6 / 10);
  EXPECT_GT(SamplesWith(trace, {"forward (script.py:4)", "sort (script.py:8)"}), 0);
  const Recording native = Record("-s cpu -t none --python-sampling=false", program);
  EXPECT_EQ(native.out, bare.out);
  const Trace without = Open(native);
  EXPECT_GE(without.cpu_samples().size(), 50u);
  EXPECT_EQ(SamplesWith(without, {"script.py"}), 0);
  EXPECT_GT(SamplesWith(without, {"_PyEval_EvalFrameDefault"}), 0);
}

TEST_F(RecordPythonSamplingTest, ThreadsForksAndEndsOfTheInterpreter) {
  const std::string program = Python(R"(
import os, threading, time, atexit, subprocess
def work(seconds):
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        sum(range(1000))
def worker():
    work(0.2)
atexit.register(lambda: work(0.02))
threads = [threading.Thread(target=worker) for _ in range(4)]
for thread in threads: thread.start()
work(0.3)
for thread in threads: thread.join()
child = os.fork()
if child == 0:
    work(0.1)
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
child = os.fork()
if child == 0:
    work(0.05)
    raise SystemExit(8)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(subprocess.run(["sh", "-c", "exit 9"]).returncode)
try:
    raise ValueError("still raised")
except ValueError as error:
    print(error)
)");
  const Recording bare = Run(program);
  EXPECT_EQ(bare.status, 0) << bare.err;
  for (const char* options : {"-s cpu -t none", "-s cpu -t none --sampling-frequency 8000"}) {
    const Recording run = Record(options, program);
    EXPECT_EQ(run.status, bare.status) << run.err;
    EXPECT_EQ(run.out, bare.out);
    const Trace trace = Open(run);
    EXPECT_GT(SamplesWith(trace, {"<module> (script.py:1)", "work (script.py:3)"}), 20);
    // Of a thread that is not the main one the stack is taken when that next runs Python code.
    EXPECT_GT(SamplesWith(trace, {"worker (script.py:7)", "work (script.py:3)"}), 0);
  }
}

TEST_F(RecordSamplingTest, WhatMakesNoSenseIsRefused) {
  EXPECT_EQ(Record("--python-sampling=true", "true").status, 2);
  EXPECT_EQ(Record("-s cpu --sampling-frequency 0", "true").status, 2);
  EXPECT_EQ(Record("-s cpu --sampling-frequency 8001", "true").status, 2);
  EXPECT_EQ(Record("-s system-wide", "true").status, 2);
  EXPECT_EQ(Record("-s none --python-sampling=false", "true").status, 0);
}

}  // namespace
}  // namespace warpsight::record_sampling_test
