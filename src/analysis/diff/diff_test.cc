#include "analysis/diff/diff.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/diff/diff_condition.h"
#include "analysis/diff/diff_document.h"
#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

struct StepKernel {
  std::string name;
  Ns duration_ns = 0;
  std::string op = "aten::mm";
  std::string shapes = "[[1, 8], [8, 8]]";
};

// `steps` steps of 100 us, in each the kernels one after another, step i longer by i x `drift_ns`.
Trace StepsOf(const std::vector<StepKernel>& kernels, int steps = 3, Ns drift_ns = 0) {
  HandMadeTrace make;
  uint32_t correlation = 0;
  for (int step = 0; step < steps; ++step) {
    const Ns start = step * Ns{100'000};
    make.Range("ProfilerStep#" + std::to_string(step), {start, start + 100'000});
    Ns at = start + 1'000;
    for (const StepKernel& kernel : kernels) {
      ++correlation;
      const Ns duration = kernel.duration_ns + step * drift_ns;
      make.OpWithShapes(kernel.op, {at - 500, at - 100}, kernel.shapes, "['float', 'float']");
      make.Api("cudaLaunchKernel", {at - 400, at - 200}, correlation);
      make.Kernel(kernel.name, {at, at + duration}, correlation);
      at += duration + 1'000;
    }
  }
  return make.Seal();
}

struct Compared {
  Compared(Trace first, Trace second, Selection selection_a = {}, Selection selection_b = {})
      : a(std::move(first)),
        b(std::move(second)),
        analysis_a(a, selection_a),
        analysis_b(b, selection_b),
        diff(CompareRecordings(analysis_a, analysis_b)) {}
  const DiffResult& operator*() const { return *diff; }
  const DiffResult* operator->() const { return &*diff; }
  const DiffRow& kernel(std::string_view name) const {
    for (const DiffRow& row : diff->kernels->rows) {
      if (row.name() == name) return row;
    }
    ADD_FAILURE() << name;
    return diff->kernels->rows.front();
  }

  Trace a;
  Trace b;
  Analysis analysis_a;
  Analysis analysis_b;
  Result<DiffResult> diff;
};

void ExpectSumsAgree(const DiffResult& diff) {
  for (const DiffTable* table : {&*diff.kernels, &*diff.parts, &diff.ops}) {
    DiffTimes sum;
    for (const DiffRow& row : table->rows) {
      sum.a_ns += row.gpu.a_ns;
      sum.b_ns += row.gpu.b_ns;
    }
    EXPECT_EQ(sum.a_ns, diff.metrics[kDiffWork].a->mean());
    EXPECT_EQ(sum.b_ns, diff.metrics[kDiffWork].b->mean());
    EXPECT_EQ(table->gpu.change_ns(), sum.change_ns());
  }
}

TEST(DiffTest, IdenticalRecordingsHaveNoDifference) {
  const std::vector<StepKernel> kernels = {{"gemm_a", 10'000}, {"gemm_b", 20'001}};
  const Compared both(StepsOf(kernels, 3, 7), StepsOf(kernels, 3, 7));
  ASSERT_TRUE(both.diff.ok());
  EXPECT_TRUE(both->by_steps);
  for (const DiffMetricRow& row : both->metrics) EXPECT_EQ(row.change.value_or(0), 0) << InfoOfMetric(row.metric).key;
  for (const DiffRow& row : both->kernels->rows) {
    EXPECT_EQ(row.change, DiffChange::kBoth);
    EXPECT_EQ(row.gpu.change_ns(), 0);
  }
  ExpectSumsAgree(*both);
  for (const DiffFact& fact : both->facts) EXPECT_FALSE(fact.differs()) << fact.what;
}

TEST(DiffTest, TimesCountsAndIdleOfAStep) {
  const Compared both(StepsOf({{"gemm_a", 10'000}, {"gemm_b", 20'000}}), StepsOf({{"gemm_a", 13'000}}));
  EXPECT_EQ(both->metrics[kDiffStep].change, 0);
  EXPECT_EQ(both->metrics[kDiffBusy].change, -17'000);
  EXPECT_EQ(both->metrics[kDiffIdle].change, 17'000);
  Ns classes = 0;
  for (size_t kind = 0; kind < kIdleClassCount; ++kind) classes += *both->metrics[kFirstIdleMetric + kind].change;
  EXPECT_EQ(classes, 17'000) << "every step is alike, so medians add up";
  EXPECT_EQ(both->metrics[kDiffKernels].change, -1);
  EXPECT_EQ(both->metrics[kDiffLaunches].change, -1);
  EXPECT_EQ(both->kernels->rows[0].name(), "gemm_b") << "the largest change first";
  EXPECT_EQ(both.kernel("gemm_b").change, DiffChange::kVanished);
  EXPECT_EQ(both.kernel("gemm_b").gpu.change_ns(), -20'000);
  EXPECT_EQ(both.kernel("gemm_a").gpu.change_ns(), 3'000);
  EXPECT_EQ(both.kernel("gemm_a").calls_b, 1);
  ExpectSumsAgree(*both);
}

TEST(DiffTest, MeansAreRoundedSoThatTheyAddUp) {
  std::vector<StepKernel> kernels;
  for (int i = 0; i < 40; ++i) kernels.push_back({"kernel_" + std::to_string(i), 1'000 + i * 7});
  const Compared both(StepsOf(kernels, 7, 1), StepsOf(kernels, 3, 5));
  ExpectSumsAgree(*both);
}

TEST(DiffTest, AChangeBelowTheScatterIsNoise) {
  const Compared noisy(StepsOf({{"gemm", 10'000}}, 5, 500), StepsOf({{"gemm", 10'300}}, 5, 500));
  EXPECT_EQ(noisy->metrics[kDiffBusy].within_noise, true);
  EXPECT_EQ(noisy.kernel("gemm").gpu.within_noise, true);
  const Compared steady(StepsOf({{"gemm", 10'000}}, 5), StepsOf({{"gemm", 10'300}}, 5));
  EXPECT_EQ(steady->metrics[kDiffBusy].within_noise, false);
  const Compared single(StepsOf({{"gemm", 10'000}}, 1), StepsOf({{"gemm", 10'300}}, 1));
  EXPECT_EQ(single->metrics[kDiffBusy].within_noise, std::nullopt);
}

TEST(DiffTest, AKernelOfTheSameOpAndShapesIsTheSameWork) {
  const Compared both(StepsOf({{"gemm_64x64", 10'000}, {"other", 5'000, "aten::add"}}),
                      StepsOf({{"gemm_128x64", 8'000}, {"other", 5'000, "aten::add"}}));
  const DiffRow& row = both.kernel("gemm_128x64");
  ASSERT_EQ(row.change, DiffChange::kRenamed);
  EXPECT_EQ(row.name_a, "gemm_64x64");
  EXPECT_EQ(row.pair->confidence, PairConfidence::kHigh);
  EXPECT_EQ(row.gpu.change_ns(), -2'000);
  EXPECT_EQ(both->kernels->rows.size(), 2u);
  ExpectSumsAgree(*both);
}

TEST(DiffTest, OtherShapesMakeAPairLessCertainAndOtherOpsMakeNone) {
  const Compared shapes(StepsOf({{"gemm_64x64", 10'000}}),
                        StepsOf({{"gemm_128x64", 8'000, "aten::mm", "[[8, 8], [8, 8]]"}}));
  EXPECT_EQ(shapes.kernel("gemm_128x64").pair->confidence, PairConfidence::kMedium);
  const Compared ops(StepsOf({{"gemm_64x64", 10'000}}), StepsOf({{"softmax_warp_forward", 8'000, "aten::softmax"}}));
  EXPECT_EQ(ops.kernel("softmax_warp_forward").change, DiffChange::kAppeared);
  EXPECT_EQ(ops.kernel("gemm_64x64").change, DiffChange::kVanished);
}

TEST(DiffTest, WithoutStepsOnASideTheWindowsAreCompared) {
  HandMadeTrace make;
  make.Kernel("gemm", {0, 500});
  const Compared both(StepsOf({{"gemm", 10'000}}), make.Seal());
  ASSERT_TRUE(both.diff.ok());
  EXPECT_FALSE(both->by_steps);
  EXPECT_EQ(both->metrics[kDiffStep].b->median, 500);
  EXPECT_EQ(both.kernel("gemm").gpu.a_ns, 30'000) << "all three steps";
  EXPECT_FALSE(both->metrics[kDiffLaunches].b) << "no calls were recorded";
}

TEST(DiffTest, AWindowCutsTimeAndCountsStarts) {
  HandMadeTrace make_a;
  make_a.Kernel("k", {0, 100});
  make_a.Kernel("k", {200, 300});
  HandMadeTrace make_b;
  make_b.Kernel("k", {0, 100});
  Selection half;
  half.range = Interval{50, 250};
  const Compared both(make_a.Seal(), make_b.Seal(), half, {});
  EXPECT_EQ(both.kernel("k").gpu.a_ns, 100);
  EXPECT_EQ(both.kernel("k").calls_a, 1);
  EXPECT_EQ(both->metrics[kDiffBusy].a->median, 100);
}

TEST(DiffTest, WithoutGpuWorkOnASideStepsAndOpsRemain) {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 50'000});
  make.Op("aten::mm", {100, 900});
  const Compared both(StepsOf({{"gemm", 10'000}}), make.Seal());
  ASSERT_TRUE(both.diff.ok());
  EXPECT_FALSE(both->kernels);
  EXPECT_EQ(both->no_gpu, "B has no GPU work: only steps and ops are compared");
  EXPECT_EQ(both->metrics[kDiffStep].change, -50'000);
  EXPECT_FALSE(both->metrics[kDiffBusy].change);
  const Result<ConditionAnswer> gate = AnswerCondition(*ParseDiffCondition("busy>3%"), *both);
  EXPECT_EQ(gate.status().kind(), StatusKind::kLacks) << "a gate does not pass on nothing";
  EXPECT_EQ(AnswerCondition(*ParseDiffCondition("kernel:gemm>3%"), *both).status().kind(), StatusKind::kLacks);
  EXPECT_EQ(MakeDiffDocument(*both, {}, {}).data["kernels"], nullptr);
  EXPECT_FALSE(Compared(HandMadeTrace().Seal(), HandMadeTrace().Seal()).diff.ok());
}

TEST(DiffTest, DevicesAreAddedUpAndDifferingOnesAreSaid) {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 1'000});
  make.OnStream(7, 0).Kernel("k", {0, 400});
  make.OnStream(7, 1).Kernel("k", {100, 300});
  make.builder().header().devices.resize(2);
  const Compared both(make.Seal(), StepsOf({{"k", 400}}, 1));
  EXPECT_EQ(both->metrics[kDiffBusy].a->median, 600);
  EXPECT_EQ(both->facts[0].what, "GPU");
  EXPECT_TRUE(both->facts[0].differs());
}

TEST(DiffTest, AFirstStepThatIsSlowIsSaidAndDoesNotMoveTheMedian) {
  HandMadeTrace make;
  make.Range("ProfilerStep#0", {0, 900'000});
  for (int step = 1; step < 4; ++step)
    make.Range("ProfilerStep#" + std::to_string(step), {800'000 + step * 100'000, 900'000 + step * 100'000});
  make.Kernel("k", {0, 1'000});
  const Compared both(make.Seal(), StepsOf({{"k", 1'000}}));
  EXPECT_TRUE(both->a.first_is_slow);
  EXPECT_EQ(both->metrics[kDiffStep].change, 0);
}

ConditionAnswer Answer(std::string_view condition, const Compared& both) {
  const Result<DiffCondition> parsed = ParseDiffCondition(condition);
  EXPECT_TRUE(parsed.ok()) << condition;
  const Result<ConditionAnswer> answer = AnswerCondition(*parsed, *both);
  EXPECT_TRUE(answer.ok()) << condition;
  return answer.ok() ? *answer : ConditionAnswer{};
}

TEST(DiffConditionTest, BothSidesOfALimit) {
  const Compared both(StepsOf({{"void gemm<64, 64>(int)", 10'000}}), StepsOf({{"void gemm<64, 64>(int)", 10'300}}));
  EXPECT_FALSE(Answer("busy>3%", both).holds) << "exactly 3 %";
  EXPECT_TRUE(Answer("busy>2.9%", both).holds);
  EXPECT_TRUE(Answer(" busy > 299 ns ", both).holds);
  EXPECT_FALSE(Answer("busy>0.3us", both).holds);
  EXPECT_TRUE(Answer("idle<-299ns", both).holds);
  EXPECT_FALSE(Answer("step>0%", both).holds);
  EXPECT_FALSE(Answer("kernels>0", both).holds);
  EXPECT_TRUE(Answer("kernel:GEMM<64, 64>>299ns", both).holds) << "names hold brackets; case is no matter";
  EXPECT_EQ(Answer("kernel:gemm>1ms", both).change(), 300);
}

TEST(DiffConditionTest, APercentageOfNothing) {
  const Compared both(StepsOf({{"gemm", 10'000}}),
                      StepsOf({{"gemm", 10'000}, {"softmax_warp_forward", 5, "aten::softmax"}}));
  const ConditionAnswer answer = Answer("kernel:softmax>1000%", both);
  EXPECT_TRUE(answer.holds);
  EXPECT_FALSE(answer.change_share);
  EXPECT_FALSE(Answer("kernel:softmax<-5%", both).holds);
}

TEST(DiffConditionTest, BadOnesSayWhatMayBeGiven) {
  for (const char* text : {"", "step", "step>", "step>3", "step>x%", "step>3 %%", "step>3parsecs", "kernels>3us", ">3%",
                           "speed>3%", "part:>3%", "kernel:>3%", "step>nan%", "step>1e999%", "step=3%", "step>--3%"}) {
    const Result<DiffCondition> parsed = ParseDiffCondition(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.status().kind(), StatusKind::kUsage) << text;
    EXPECT_NE(parsed.status().message().find("METRIC>LIMIT"), std::string::npos) << parsed.status().message();
  }
  EXPECT_NE(ParseDiffCondition("part:brain>3%").status().message().find("lm_head"), std::string::npos);
}

TEST(DiffConditionTest, WhatNeitherRecordingHasIsNoPass) {
  const Compared both(StepsOf({{"gemm", 10'000}}), StepsOf({{"gemm", 10'000}}));
  EXPECT_EQ(AnswerCondition(*ParseDiffCondition("kernel:flash>3%"), *both).status().kind(), StatusKind::kLacks);
  EXPECT_EQ(AnswerCondition(*ParseDiffCondition("part:experts>3%"), *both).status().kind(), StatusKind::kLacks);
}

TEST(DiffDocumentTest, WhatIsListedAndWhatIsNotAddUp) {
  std::vector<StepKernel> before;
  std::vector<StepKernel> after;
  for (int i = 0; i < 30; ++i) {
    before.push_back({"kernel_" + std::to_string(i), 1'000 + i});
    after.push_back({"kernel_" + std::to_string(i), 1'000 + i * 3});
  }
  const Compared both(StepsOf(before), StepsOf(after));
  const Document document = MakeDiffDocument(*both, {}, {5});
  for (const Block& block : document.blocks) {
    const Table* table = std::get_if<Table>(&block);
    if (table == nullptr || table->title.find("by kernel") == std::string::npos) continue;
    ASSERT_EQ(table->rows.size(), 7u);
    int64_t listed = 0;
    for (size_t i = 0; i < 6; ++i) listed += std::get<int64_t>(table->rows[i][2]) - std::get<int64_t>(table->rows[i][1]);
    EXPECT_EQ(listed, std::get<int64_t>(table->rows[6][2]) - std::get<int64_t>(table->rows[6][1]));
    EXPECT_EQ(listed, both->kernels->gpu.change_ns());
    EXPECT_EQ(std::get<std::string>(table->rows[5][0]), "not listed (25)");
  }
  EXPECT_EQ(document.data["kernels"]["rows"].size(), 30u);
  EXPECT_EQ(document.data["metrics"]["busy"]["change_ns"], both->metrics[kDiffBusy].change);
  EXPECT_TRUE(OnlyTable(MakeDiffDocument(*both, {}, {0, false, true})).ok());
}

TEST(DiffDocumentTest, WhatTheTextWarnsOfIsInTheJson) {
  const auto warnings = [](const Document& document) {
    std::vector<std::string> found;
    for (const Block& block : document.blocks) {
      const auto* paragraph = std::get_if<Paragraph>(&block);
      if (paragraph != nullptr && paragraph->kind == ParagraphKind::kWarning) found.push_back(paragraph->text);
    }
    return found;
  };
  const Compared alike(StepsOf({{"gemm", 10'000}}), StepsOf({{"gemm", 10'000}}));
  EXPECT_EQ(MakeDiffDocument(*alike, {}, {}).data["warnings"], nlohmann::ordered_json::array());
  HandMadeTrace make;
  make.Op("aten::mm", {100, 900});
  const Compared both(StepsOf({{"gemm", 10'000}}), make.Seal());
  const Document document = MakeDiffDocument(*both, {}, {});
  EXPECT_EQ(document.data["warnings"], nlohmann::ordered_json(warnings(document)));
  EXPECT_GE(document.data["warnings"].size(), 2u);  // no steps, no GPU work
}

TEST(DiffRangeTest, SidesCountFromTheStart) {
  EXPECT_TRUE(CheckRangeOfTwo("+1ms:+2ms").ok());
  EXPECT_TRUE(CheckRangeOfTwo(":+2ms").ok());
  EXPECT_TRUE(CheckRangeOfTwo("").ok());
  EXPECT_FALSE(CheckRangeOfTwo("100:200").ok());
  EXPECT_FALSE(CheckRangeOfTwo("+1ms:200").ok());
}

}  // namespace
}  // namespace warpsight
