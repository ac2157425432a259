// `record --pytorch`: PyTorch's ops by our own callback (python/record_hook/op_recorder.cc): with what stands for PyTorch
// and for the recorder, and with the PyTorch of this machine where there is one.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "../python/record_hook/op_recorder.cc"
#include "formats/op_range_name.h"
#include "record/fake_recorder.h"
#include "record/record_fixture.h"

namespace warpsight::record_ops_test {
namespace {

using at::RecordFunction;
using at::RunOp;
using at::Tensor;
using c10::IValue;

class OpRecorderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (at::Callbacks().empty()) {
      WarpsightFollowOps();
      RunOp({.text = "before the recorder"});
    }
    void* const library = dlopen(WARPSIGHT_FAKE_RECORDER, RTLD_NOW);
    ASSERT_NE(library, nullptr) << dlerror();
    recorder_ = reinterpret_cast<FakeRecorder* (*)()>(dlsym(library, "TheFakeRecorder"))();
    for (int i = 0; i < 64; ++i) RunOp({.text = "the recorder is looked for now and then"});
    *recorder_ = {};
  }
  FakeRecorder* recorder_ = nullptr;
};

TEST_F(OpRecorderTest, AnOpHasTheSizesAndTypesOfItsOperands) {
  ASSERT_EQ(at::Callbacks().size(), 1u);
  EXPECT_TRUE(at::Callbacks().front().with_inputs);
  Tensor nested({3}, "float");
  nested.nested = true;
  RunOp({.text = "aten::addmm",
         .operands = {Tensor({8}, "c10::Half"), Tensor({2, 4}, "c10::Half"), Tensor({4, 8}, "c10::Half"),
                      IValue(IValue::kScalar), IValue(IValue::kNone)},
         .sequence = 7},
        [&] {
          RunOp({.text = "aten::cat",
                 .operands = {std::vector<Tensor>{Tensor({2}, "float"), Tensor({}, "float")}, Tensor(), nested}});
        });
  EXPECT_EQ(recorder_->told,
            (std::vector<std::string>{"aten::addmm, seq = 7, sizes = [[8], [2, 4], [4, 8], [], []], types = [\"c10::Half\", "
                                      "\"c10::Half\", \"c10::Half\", \"Scalar\", \"\"]",
                                      "aten::cat, sizes = [[[2], []], [], []], types = [\"TensorList\", \"\", \"float\"]",
                                      ".", "."}));
}

TEST_F(OpRecorderTest, BackwardFunctionsNameTheThreadOfTheirForwardOp) {
  RunOp({.text = "AddmmBackward0",
         .operands = {},
         .sequence = 0,
         .forward_thread = 2,
         .of = at::RecordScope::BACKWARD_FUNCTION});
  EXPECT_EQ(recorder_->told,
            (std::vector<std::string>{"AddmmBackward0, seq = 0, fwd_thread = 2, sizes = [], types = []", "."}));
}

TEST_F(OpRecorderTest, RangesOfTheProgramKeepTheirNames) {
  RunOp({.text = "ProfilerStep#3", .operands = {IValue(IValue::kScalar)}, .sequence = 4, .of = at::RecordScope::USER_SCOPE});
  EXPECT_EQ(recorder_->told, (std::vector<std::string>{"ProfilerStep#3", "."}));
}

TEST_F(OpRecorderTest, WhatCanNotBeSaidIsLeftOut) {
  Tensor symbolic({2}, "float");
  symbolic.impl.symbolic = true;
  Tensor refuses({2}, "float");
  refuses.refuses = true;
  RunOp({.text = "aten::mul", .operands = {symbolic, Tensor({3}, "float")}, .sequence = 2});
  RunOp({.text = "aten::add", .operands = {refuses}, .sequence = 3});
  EXPECT_EQ(recorder_->told,
            (std::vector<std::string>{"aten::mul, seq = 2, sizes = [[], [3]], types = [\"float\", \"float\"]", ".",
                                      "aten::add, seq = 3, sizes = []", "."}));
}

// The recorder cuts texts, and half a list is no op's.
TEST_F(OpRecorderTest, LongListsKeepTheOp) {
  const std::vector<Tensor> many(31, Tensor({1600, 1600}, "float"));
  RunOp({.text = "aten::_foreach_add_", .operands = {std::vector<Tensor>(many.begin(), many.end() - 1)}});
  RunOp({.text = "aten::_foreach_add_", .operands = {many}});
  RunOp({.text = "wide", .operands = std::vector<IValue>(2000, Tensor({1600, 1600}, "float")), .sequence = 1});
  ASSERT_EQ(recorder_->told.size(), 6u);
  EXPECT_EQ(ParseOpRange(recorder_->told[0])->shapes.size(), 3 + 30 * std::string_view("[1600, 1600], ").size() - 1);
  EXPECT_EQ(recorder_->told[2], "aten::_foreach_add_, sizes = [[]], types = [\"TensorList\"]");
  EXPECT_EQ(recorder_->told[4], "wide, seq = 1, sizes = []");
}

// Of ranges that were begun, and of no other, the end is told; also when recording begins or ends in between.
TEST_F(OpRecorderTest, NothingIsLeftOpen) {
  recorder_->recording = false;
  RunOp({.text = "a"}, [&] { recorder_->recording = true; });
  RunOp({.text = "b"}, [&] { recorder_->recording = false; });
  EXPECT_EQ(recorder_->told, (std::vector<std::string>{"b, sizes = [], types = []", "."}));
}

// A future ends what it was handed on a thread of its own, where another range is open.
TEST_F(OpRecorderTest, AnEndOnAnotherThreadEndsNoRangeThere) {
  RunOp({.text = "outer"}, [] {
    const RecordFunction handed = {.text = "to a future"};
    RunOp(handed, [] { at::current_thread = 2; });
    at::current_thread = 1;
  });
  EXPECT_EQ(recorder_->told,
            (std::vector<std::string>{"outer, sizes = [], types = []", "to a future, sizes = [], types = []", ".", "."}));
}

// Beside the program, as `record` finds it.
std::string HookFolder() { return std::filesystem::path(WARPSIGHT_BINARY).parent_path().string() + "/record_hook"; }

// The hook with what stands for torch: where nothing fits it says why, and the emitter is used.
TEST(OpRecorderHookTest, WhatDoesNotLoadIsSaid) {
  const TemporaryFolder folder;
  std::ofstream(folder.File("s.py")) << "hook, cache = '" << HookFolder() << "', '" << folder.File("cache") << R"('
import contextlib, importlib.util, io, os, sys, types
# Not hidden by a folder of the hook's.
before = importlib.util.find_spec('warpsight')
sys.path.insert(0, hook)
assert importlib.util.find_spec('warpsight') == before
os.environ['XDG_CACHE_HOME'] = cache
torch = sys.modules['torch'] = types.ModuleType('torch')
torch.__version__, torch.version = '9.9', types.SimpleNamespace(git_version='abc')
import warpsight_op_recorder as recorder

def said():
    text = io.StringIO()
    with contextlib.redirect_stderr(text):
        assert recorder.load() is False
    return text.getvalue()

assert said() == ''  # not built
path = recorder._built()
torch.version.git_version = 'def'
assert recorder._built() != path
os.makedirs(os.path.dirname(path))
open(recorder._built(), 'w').write('no library')
assert 'NVTX emitter' in said() and 'build' in said()
# A part of a library, which the loader would take for one.
whole = open(os.environ['WHOLE'], 'rb').read()
open(recorder._built(), 'wb').write(whole[:len(whole) // 2])
assert 'no whole library' in said()
recorder._SOURCES += (hook + '/missing.h',)
assert 'missing.h' in said()
)";
  EXPECT_EQ(std::system(("WHOLE=" WARPSIGHT_FAKE_RECORDER " python3 " + folder.File("s.py")).c_str()), 0);
}

// Libraries ask whether torch is there before anything imports it.
TEST(OpRecorderHookTest, AskingForTorchIsNoImport) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.File("torch"));
  std::ofstream(folder.File("torch") + "/__init__.py") << "print('torch runs')\n";
  std::ofstream(folder.File("s.py")) << "import sys\nsys.path.insert(0, '" << folder.path() << R"(')
import importlib.util, sitecustomize
sitecustomize._emit_ops = lambda: print('followed')
assert importlib.util.find_spec('torch') is not None and 'torch' not in sys.modules
sys.path = [entry for entry in sys.path if 'record_hook' not in entry]
assert [part.__name__ for part in sitecustomize._parts()] == ['follow_modules', 'load']
import torch
import torch
)";
  const std::string command = "PYTHONPATH=" + HookFolder() + " python3 " + folder.File("s.py") + " > " + folder.File("out");
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(TextOfFile(folder.File("out")), "torch runs\nfollowed\n");
}

// Whole, where this machine's Python has PyTorch: built against its headers, loaded by the hook, read from the recording.
class PyTorchOpsTest : public RecordTest {};

TEST_F(PyTorchOpsTest, OpsOfTheInstalledPyTorchAreRecorded) {
#ifdef WARPSIGHT_SANITIZED
  GTEST_SKIP() << "Python without the sanitizer can't load a library with it";
#endif
  if (std::system("python3 -c 'import torch' > /dev/null 2>&1") != 0) GTEST_SKIP() << "python3 has no PyTorch here";
  std::ofstream(folder_.File("ops.py")) << R"(
import ctypes, os, torch, threading
ctypes.CDLL(os.environ['CUDA_INJECTION64_PATH']).InitializeInjection()
x, w = torch.ones(2, 4), torch.ones(4, 8, requires_grad=True)
with torch.autograd.profiler.record_function('ProfilerStep#0'):
    torch.mm(x, w).sum().backward()
thread = threading.Thread(target=lambda: torch.cat([x, x]))
thread.start()
thread.join()
)";
  const std::string cache = "XDG_CACHE_HOME=" + folder_.File("cache") + " ";
  ASSERT_EQ(std::system((cache + "python3 " + HookFolder() + "/warpsight_op_recorder.py > /dev/null").c_str()), 0);
  const Recording recording =
      RecordCommand("--pytorch --cupti " WARPSIGHT_FAKE_CUPTI, "python3 " + folder_.File("ops.py"), cache);
  EXPECT_EQ(recording.status, 0) << recording.err;
  const Trace trace = Open(recording);
  std::map<std::string, uint32_t> rows;
  for (uint32_t row = 0; row < trace.host().size(); ++row)
    rows.emplace(std::string(trace.Text(trace.host().name[row])), row);
  ASSERT_TRUE(rows.contains("aten::mm") && rows.contains("MmBackward0") && rows.contains("aten::cat"));
  EXPECT_EQ(trace.Text(trace.host().shapes[rows["aten::mm"]]), "[[2, 4], [4, 8]]");
  EXPECT_EQ(trace.Text(trace.host().types[rows["aten::mm"]]), R"(["float", "float"])");
  EXPECT_EQ(trace.host().sequence_plus_one[rows["aten::mm"]], trace.host().sequence_plus_one[rows["MmBackward0"]]);
  EXPECT_NE(trace.host().forward_thread[rows["MmBackward0"]], 0);
  EXPECT_EQ(trace.host().kind[rows["ProfilerStep#0"]], HostKind::kRange);
  EXPECT_NE(trace.host().thread[rows["aten::cat"]], trace.host().thread[rows["aten::mm"]]);
}

}  // namespace
}  // namespace warpsight::record_ops_test
