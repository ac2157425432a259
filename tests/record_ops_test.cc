// `record --pytorch`: PyTorch's ops by our own callback (python/record_hook/op_recorder.cc): with what stands for PyTorch
// and for the recorder, and with the PyTorch of this machine where there is one.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "../python/record_hook/op_recorder.cc"
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

TEST_F(OpRecorderTest, WhatCanNotBeSaidIsLeftOutAndNothingIsLeftOpen) {
  Tensor symbolic({2}, "float");
  symbolic.symbolic = true;
  RunOp({.text = "aten::mul", .operands = {symbolic}});
  RunOp({.text = "rpc", .operands = {}, .asynchronous = true});
  EXPECT_EQ(recorder_->told, (std::vector<std::string>{"aten::mul, sizes = []", "."}));
  // Of ranges that were begun, and of no other, the end is told; also when recording begins or ends in between.
  recorder_->told.clear();
  recorder_->recording = false;
  RunOp({.text = "a"}, [&] { recorder_->recording = true; });
  RunOp({.text = "b"}, [&] { recorder_->recording = false; });
  EXPECT_EQ(recorder_->told, (std::vector<std::string>{"b, sizes = [], types = []", "."}));
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
  const std::string hook = std::filesystem::path(WARPSIGHT_BINARY).parent_path().string() + "/record_hook/";
  ASSERT_EQ(std::system((cache + "python3 " + hook + "warpsight_op_recorder.py > /dev/null").c_str()), 0);
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
