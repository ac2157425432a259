#include <gtest/gtest.h>

#include "diagnosis/diagnose_trace.h"

namespace warpsight::testing {
namespace {

// Two steps with two concatenations each; `shapes` of the first and of the second step.
Trace Cats(std::string_view first, std::string_view second) {
  LaunchedTrace made;
  for (int step = 0; step < 2; ++step) {
    const int64_t at = step * 1000;
    made.Step(step, {at, at + 1000});
    for (const int64_t i : {0, 1}) {
      made.OpKernel("aten::cat", "CatArrayBatchedCopy", {at + i * 20, at + i * 20 + 10},
                    {at + 100 + i * 100, at + 200 + i * 100}, step == 0 ? first : second);
    }
  }
  return made.Seal();
}

TEST(CatKvCacheTest, TheCopyOfWhatWasThereIsGained) {
  const Diagnosis diagnosis =
      DiagnoseTrace(Cats("[[[1, 4, 99, 64], [1, 4, 1, 64]], []]", "[[[1, 4, 100, 64], [1, 4, 1, 64]], []]"));
  const Finding* finding = Find(diagnosis, "cat_kv_cache");
  ASSERT_NE(finding, nullptr);
  EXPECT_NEAR(static_cast<double>(*finding->gain_ns), (99 * 2.0 + 200.0 * 100 / 101) / 2 * kUs, 2);
  EXPECT_NE(Evidence(*finding).find("a cache of 99 positions that grows to 100: 2; they take 200.0 us"), std::string::npos)
      << Evidence(*finding);
}

TEST(CatKvCacheTest, OtherConcatenationsAreNone) {
  // Equal halves (rotary), a class token in front, no growth, more than one dimension, three tensors, nonsense.
  for (const auto& [first, second] :
       {std::pair<std::string_view, std::string_view>{"[[[1, 32, 1, 32], [1, 32, 1, 32]], []]",
                                                      "[[[1, 32, 1, 32], [1, 32, 1, 32]], []]"},
        {"[[[8, 1, 768], [8, 196, 768]], []]", "[[[8, 1, 768], [8, 197, 768]], []]"},
        {"[[[1, 4, 99, 64], [1, 4, 1, 64]], []]", "[[[1, 4, 99, 64], [1, 4, 1, 64]], []]"},
        {"[[[1, 4, 99, 64], [1, 2, 1, 64]], []]", "[[[1, 4, 100, 64], [1, 2, 1, 64]], []]"},
        {"[[[9, 9], [1, 9], [1, 9]], []]", "[[[10, 9], [1, 9], [1, 9]], []]"},
        {"]]][[[", "[[[[[[[[99999999999999999999, 1"},
        {"[[], []]", "[[5], []]"}}) {
    EXPECT_EQ(Find(DiagnoseTrace(Cats(first, second)), "cat_kv_cache"), nullptr) << first;
  }
}

TEST(CatKvCacheTest, WithoutShapesItIsNotEvaluated) {
  const Diagnosis diagnosis = DiagnoseTrace(Cats("", ""));
  EXPECT_EQ(Find(diagnosis, "cat_kv_cache"), nullptr);
  EXPECT_NE(WhyNot(diagnosis, "cat_kv_cache").find("record_shapes=True"), std::string::npos);
}

}  // namespace
}  // namespace warpsight::testing
