#include "diagnosis/eager_sequences.h"

#include <gtest/gtest.h>

#include "diagnosis/launched_trace.h"

namespace warpsight::testing {
namespace {

// Lengths of the runs of elementwise kernels ('e') in a stream of them and others ('g'), 10 us each, in steps that end at
// '|'.
std::vector<size_t> RunLengths(std::string_view kernels) {
  LaunchedTrace made;
  int64_t at = 0;
  int64_t step_start = 0;
  int step = 0;
  for (const char kernel : kernels) {
    if (kernel == '|') {
      made.Step(++step, {step_start, at});
      step_start = at;
      continue;
    }
    const bool elementwise = kernel == 'e';
    made.OpKernel(elementwise ? "aten::add" : "aten::mm",
                  elementwise ? "vectorized_elementwise_kernel<CUDAFunctor_add<float>>" : "ampere_fp16_s16816gemm",
                  {at, at + 1}, {at + 1, at + 9});
    at += 10;
  }
  const Trace trace = made.Seal();
  Analysis analysis(trace, {});
  std::vector<size_t> lengths;
  for (const Sequence& run : FindElementwiseRuns(trace, *analysis.Get<FrameWorkPass>())) lengths.push_back(run.size());
  return lengths;
}

TEST(ElementwiseRunsTest, OneKernelIsNoRun) { EXPECT_EQ(RunLengths("egege|"), std::vector<size_t>()); }

TEST(ElementwiseRunsTest, OthersEndThem) { EXPECT_EQ(RunLengths("eegeeegeg|"), (std::vector<size_t>{2, 3})); }

TEST(ElementwiseRunsTest, TheBorderOfAStepEndsThem) {
  EXPECT_EQ(RunLengths("gee|eeeg|"), (std::vector<size_t>{2, 3}));
  EXPECT_EQ(RunLengths("ge|eg|"), std::vector<size_t>());
}

TEST(ElementwiseRunsTest, TheLastMayEndTheStream) { EXPECT_EQ(RunLengths("ee|geee|"), (std::vector<size_t>{2, 3})); }

}  // namespace
}  // namespace warpsight::testing
