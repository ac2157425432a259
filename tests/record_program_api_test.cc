// warpsight/profiler.h and the Python module: the schedule against torch.profiler's state machine, written down as a table,
// and both with the recorder that a program finds in its process.
#include "warpsight/profiler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "cli/record/file_text.h"
#include "formats/open_trace.h"

namespace warpsight::record_program_api_test {
namespace {

// N none, W warm-up, R record, S record and save: one letter a step, from step 0.
struct ScheduleCase {
  int skip_first, wait, warmup, active, repeat;
  const char* actions;
  bool skip_first_wait = false;
};
constexpr ScheduleCase kCases[] = {
    {0, 1, 1, 2, 0, "NWRSNWRSNWRS"},     {0, 1, 1, 2, 1, "NWRSNNNNNN"},     {0, 0, 0, 1, 0, "SSSSS"},
    {0, 0, 0, 3, 0, "RRSRRSRRS"},        {3, 1, 0, 1, 2, "NNNNSNSNNNNN"},   {2, 2, 1, 3, 0, "NNNNWRRSNNWRRS"},
    {0, 5, 2, 1, 1, "NNNNNWWSNNN"},      {1, 0, 1, 1, 3, "NWSWSWSNNN"},     {0, 0, 2, 2, 2, "WWRSWWRSNN"},
    {0, 2, 1, 1, 2, "WSNNWSNNNN", true}, {1, 2, 0, 2, 1, "NRSNNNNN", true},
};
constexpr char Letter(ProfilerAction action) { return "NWRS"[static_cast<int>(action)]; }

TEST(ScheduleTest, IsTheStateMachineOfTorchProfiler) {
  for (const ScheduleCase& one : kCases) {
    const Schedule schedule = Schedule()
                                  .SkipFirst(one.skip_first)
                                  .Wait(one.wait)
                                  .Warmup(one.warmup)
                                  .Active(one.active)
                                  .Repeat(one.repeat)
                                  .SkipFirstWait(one.skip_first_wait);
    std::string actions;
    for (size_t step = 0; step < std::string_view(one.actions).size(); ++step)
      actions += Letter(schedule(static_cast<long long>(step)));
    EXPECT_EQ(actions, one.actions);
  }
}

TEST(ScheduleTest, PythonHasTheSame) {
  std::string script = "import sys; sys.path.insert(0, 'python'); import warpsight as w\n";
  for (const ScheduleCase& one : kCases) {
    script += "s = w.schedule(skip_first=" + std::to_string(one.skip_first) + ", wait=" + std::to_string(one.wait) +
              ", warmup=" + std::to_string(one.warmup) + ", active=" + std::to_string(one.active) +
              ", repeat=" + std::to_string(one.repeat) + ", skip_first_wait=" + (one.skip_first_wait ? "1" : "0") + ")\n" +
              "assert ''.join('NWRS'[s(i).value] for i in __builtins__.range(" +
              std::to_string(std::string_view(one.actions).size()) + ")) == '" + one.actions + "'\n";
  }
  const TemporaryFolder folder;
  std::ofstream(folder.File("s.py")) << script;
  EXPECT_EQ(std::system(("python3 " + folder.File("s.py")).c_str()), 0);
}

TEST(ProfilerTest, HandlersAreCalledOnceACycle) {
  std::vector<long long> ready;
  {
    Profiler profiler(Schedule().Wait(1).Warmup(1).Active(2).Repeat(2),
                      [&](const Profiler& one) { ready.push_back(one.step()); });
    for (int i = 0; i < 10; ++i) profiler.Step();
    EXPECT_EQ(profiler.cycles(), 2);
  }
  EXPECT_EQ(ready, (std::vector<long long>{4, 8}));
  ready.clear();
  {
    Profiler profiler(Schedule().Active(5), [&](const Profiler& one) { ready.push_back(one.step()); });
    profiler.Step();
  }
  EXPECT_EQ(ready, (std::vector<long long>{1}));  // it ended among recorded steps
}

TEST(ProfilerTest, ForgottenStepsAreSaid) {
  ::testing::internal::CaptureStderr();
  { const Profiler profiler(Schedule().Wait(1).Active(1)); }
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("never called"), std::string::npos);
  ::testing::internal::CaptureStderr();
  { const Profiler profiler(Schedule().Warmup(1).Active(1)); }
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("never called"), std::string::npos);
  // Nothing is forgotten where step 0 is one to be recorded, or none ever is.
  ::testing::internal::CaptureStderr();
  { const Profiler profiler(Schedule().Active(1)); }
  { const Profiler profiler(Schedule().Wait(1)); }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(ProfilerTest, ForgottenStepsAreSaidByPythonOnce) {
  const TemporaryFolder folder;
  const std::string begin =
      "import sys; sys.path.insert(0, 'python'); import warpsight as w\n"
      "s = w.schedule(wait=0, warmup=1, active=1)\n";
  struct Case {
    const char* script;
    int times;
  };
  for (const Case& one : {Case{"with w.profile(schedule=s): pass\n", 1}, Case{"p = w.profile(schedule=s); p.start()\n", 1},
                          Case{"p = w.profile(schedule=s); p.start(); p.step()\n", 0},
                          Case{"with w.profile(schedule=s) as p: p.step()\n", 0}, Case{"with w.profile(): pass\n", 0}}) {
    std::ofstream(folder.File("s.py")) << begin << one.script;
    ASSERT_EQ(std::system(("python3 " + folder.File("s.py") + " 2> " + folder.File("err")).c_str()), 0);
    const std::string said = TextOfFile(folder.File("err"));
    const size_t first = said.find("never called");
    EXPECT_EQ(first == std::string::npos                                  ? 0
              : said.find("never called", first + 1) == std::string::npos ? 1
                                                                          : 2,
              one.times)
        << one.script << said;
  }
}

// With what stands for PyTorch's hooks and for the recorder.
TEST(ModuleNamesTest, EveryForwardIsARangeWhateverItDoes) {
  const TemporaryFolder folder;
  std::ofstream(folder.File("s.py")) << R"(
import sys, types
sys.path.insert(0, 'python/record_hook')
before, after, events = [], [], []
compiler, hooks = types.ModuleType('torch.compiler'), types.ModuleType('torch.nn.modules.module')
compiler.is_compiling = lambda: compiler.tracing
compiler.tracing = False
hooks.register_module_forward_pre_hook = before.append
hooks.register_module_forward_hook = lambda hook, always_call: after.append(hook) if always_call else None
for name in ('torch', 'torch.nn', 'torch.nn.modules'): sys.modules[name] = types.ModuleType(name)
sys.modules['torch.compiler'], sys.modules['torch.nn.modules.module'] = compiler, hooks
import warpsight_module_names as names
assert names._recorder() is None
recorder = types.SimpleNamespace(push=lambda text: events.append(text.decode()), pop=lambda: events.append('.'))
names.follow_modules()

class Linear: pass
class Block:
    def __init__(self): self.inner = [Linear(), Linear()]
def forward(module, fail=False):
    before[0](module, ())
    for inner in getattr(module, 'inner', ()): forward(inner)
    if fail: before[0](Linear(), ())  # its forward throws where no hook comes after it
    after[0](module, (), None)

block, other = Block(), Block()
forward(block)  # no recorder so far
assert events == [] and not vars(Linear())
names._recorder = lambda: recorder
for _ in range(8): forward(Linear())  # the recorder is looked for now and then
events.clear()
forward(block); forward(other); forward(block)
inner = lambda n: f'nn.Module: Linear_{n} .'
base = int(events[1].split('_')[1])
once = f'nn.Module: Block_0 {inner(base)} {inner(base + 1)} .'
assert ' '.join(events) == f'{once} nn.Module: Block_1 {inner(base + 2)} {inner(base + 3)} . {once}', events
events.clear()
forward(block, fail=True)
assert events.count('.') == len(events) // 2 == 4, events
events.clear()
after[0](block, (), None)  # of a forward that began before the recorder came
compiler.tracing = True
forward(block)
assert events == []
assert set(vars(block)) == {'inner'}
)";
  EXPECT_EQ(std::system(("python3 " + folder.File("s.py")).c_str()), 0);
}

// The fake driver loads the recorder; then Python finds it in its own process.
TEST(ProfilerTest, StepsOfAScheduleAreRecorded) {
#ifdef WARPSIGHT_SANITIZED
  GTEST_SKIP() << "Python without the sanitizer can't load a library with it";
#endif
  const TemporaryFolder folder;
  std::ofstream(folder.File("steps.py")) << R"(
import ctypes, os, sys
sys.path.insert(0, 'python')
import warpsight
injected = ctypes.CDLL(os.environ['CUDA_INJECTION64_PATH'])
injected.InitializeInjection()
fake = ctypes.CDLL(sys.argv[1])
class Functions(ctypes.Structure):
    _fields_ = warpsight._Functions._fields_ + [('recording', ctypes.CFUNCTYPE(ctypes.c_int))]
injected.WarpsightRecorder.restype = ctypes.POINTER(Functions)
recorder = injected.WarpsightRecorder(2).contents
recording = []
seen = []
correlation = 0
with warpsight.profile(schedule=warpsight.schedule(wait=2, warmup=1, active=2, repeat=1),
                       on_trace_ready=lambda p: seen.append(p.step_num)) as prof:
    for i in __builtins__.range(8):
        with warpsight.range('attention', shapes=[(2, 3), (3, 4)]):
            recording.append(recorder.recording())
            correlation += 1
            fake.FakeLaunch(b'_Z5EmptyPf', os.getpid(), correlation)
        prof.step()
assert warpsight.is_recording()
assert recording == [0, 0, 0, 1, 1, 0, 0, 0], recording
print(seen)
)";
  const std::string file = folder.File("run.wscap");
  const std::string command = "\"" WARPSIGHT_BINARY "\" record --quiet --capture-range=program --cupti " +
                              std::string(WARPSIGHT_FAKE_CUPTI) + " -o " + file + " -- python3 " + folder.File("steps.py") +
                              " " + WARPSIGHT_FAKE_CUPTI + " > " + folder.File("out");
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(TextOfFile(folder.File("out")), "[5]\n");
  const Result<Trace> trace = OpenTrace(file, {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace->gpu().size(), 2u);  // of steps 3 and 4
  std::vector<std::string> steps;
  int ops = 0;
  for (uint32_t row = 0; row < trace->host().size(); ++row) {
    const std::string_view name = trace->Text(trace->host().name[row]);
    if (name.starts_with("ProfilerStep#")) steps.emplace_back(name);
    if (trace->host().kind[row] == HostKind::kOp) {
      ++ops;
      EXPECT_EQ(name, "attention");
      EXPECT_EQ(trace->Text(trace->host().shapes[row]), "[[2, 3], [3, 4]]");
    }
  }
  EXPECT_EQ(steps, (std::vector<std::string>{"ProfilerStep#3", "ProfilerStep#4"}));
  EXPECT_EQ(ops, 2);
}

// Cycles that follow at once on one another are told apart, and each is the file of its own steps.
TEST(ProfilerTest, RepeatMakesAFileForEachCycle) {
#ifdef WARPSIGHT_SANITIZED
  GTEST_SKIP() << "Python without the sanitizer can't load a library with it";
#endif
  const TemporaryFolder folder;
  std::ofstream(folder.File("cycles.py")) << R"(
import ctypes, os, sys
sys.path.insert(0, 'python')
import warpsight
ctypes.CDLL(os.environ['CUDA_INJECTION64_PATH']).InitializeInjection()
fake = ctypes.CDLL(sys.argv[1])
with warpsight.profile(schedule=warpsight.schedule(wait=0, warmup=0, active=2, repeat=3)) as prof:
    for i in __builtins__.range(8):
        for j in __builtins__.range(i + 1):
            fake.FakeLaunch(b'_Z5EmptyPf', os.getpid(), 100 * i + j + 1)
        prof.step()
)";
  const std::string command = "\"" WARPSIGHT_BINARY
                              "\" record --quiet --capture-range=program --capture-range-end=repeat --cupti " +
                              std::string(WARPSIGHT_FAKE_CUPTI) + " -o " + folder.File("run.wscap") + " -- python3 " +
                              folder.File("cycles.py") + " " + WARPSIGHT_FAKE_CUPTI;
  ASSERT_EQ(std::system(command.c_str()), 0);
  for (int cycle = 0; cycle < 3; ++cycle) {
    const Result<Trace> trace = OpenTrace(folder.File("run-" + std::to_string(cycle + 1) + ".wscap"), {});
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    std::vector<std::string> steps;
    for (uint32_t row = 0; row < trace->host().size(); ++row) {
      const std::string_view name = trace->Text(trace->host().name[row]);
      if (name.starts_with("ProfilerStep#")) steps.emplace_back(name);
    }
    EXPECT_EQ(steps, (std::vector<std::string>{"ProfilerStep#" + std::to_string(2 * cycle),
                                               "ProfilerStep#" + std::to_string(2 * cycle + 1)}));
    EXPECT_EQ(trace->gpu().size(), static_cast<uint32_t>(4 * cycle + 3));  // of steps 2c and 2c + 1
  }
  EXPECT_NE(access(folder.File("run-4.wscap").c_str(), F_OK), 0);
}

}  // namespace
}  // namespace warpsight::record_program_api_test
