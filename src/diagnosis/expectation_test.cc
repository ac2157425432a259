#include "diagnosis/expectation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "diagnosis/expectation_section.h"

namespace warpsight {
namespace {

// TinyLlama-1.1B, one token of one sequence, fp16.
ModelFacts TinyLlama() {
  ModelFacts model;
  model.layers = 22;
  model.hidden = 2048;
  model.ffn = 5632;
  model.kv = 256;
  model.vocab = 32000;
  model.context_tokens = 204;
  return model;
}

DeviceFacts H200() { return {"NVIDIA H200", 4.8e12, 989e12}; }

const ExpectedFamily& Of(const ExpectedStep& step, std::string_view family) {
  const auto found = std::ranges::find(step.families, family, &ExpectedFamily::family);
  EXPECT_NE(found, step.families.end()) << family;
  return *found;
}

TEST(PredictTest, DecodeReadsEveryWeightOnce) {
  const Result<ExpectedStep> step = Predict(TinyLlama(), H200());
  ASSERT_TRUE(step.ok());
  const ExpectedFamily& gemm = Of(*step, "gemm");
  EXPECT_EQ(gemm.calls_low, 155);
  // 1.034 G parameters of 2 bytes at 4.8 TB/s are 0.43 ms.
  EXPECT_NEAR(gemm.least_ns * 0.95, 431e3, 1e3);
  EXPECT_EQ(step->families.front().family, "gemm");
  EXPECT_EQ(Of(*step, "attention").calls_low, 22);
  EXPECT_EQ(Of(*step, "norm").calls_low, 45);
}

TEST(PredictTest, PrefillIsBoundByArithmetic) {
  ModelFacts model = TinyLlama();
  model.batch = 4;
  model.query_tokens = model.context_tokens = 512;
  const Result<ExpectedStep> step = Predict(model, H200());
  ASSERT_TRUE(step.ok());
  // 2 x 2048 tokens x 1.034 G parameters at 989 TFLOP/s.
  EXPECT_NEAR(Of(*step, "gemm").least_ns * 0.95, 2.0 * 2048 * 1.0345e9 / 989e12 * 1e9, 1e4);
}

TEST(PredictTest, FusedProjectionsAreFewerCalls) {
  ModelFacts model = TinyLlama();
  model.fused_qkv = model.fused_gate_up = true;
  EXPECT_EQ(Of(*Predict(model, H200()), "gemm").calls_low, 4 * 22 + 1);
  model.gated_mlp = false;
  EXPECT_EQ(Of(*Predict(model, H200()), "gemm").calls_low, 4 * 22 + 1);
}

TEST(PredictTest, SharesAreRangesThatHoldOne) {
  for (const int64_t batch : {1, 8, 256}) {
    ModelFacts model = TinyLlama();
    model.batch = batch;
    const Result<ExpectedStep> step = Predict(model, H200());
    ASSERT_TRUE(step.ok());
    double low = 0;
    double high = 0;
    for (const ExpectedFamily& family : step->families) {
      EXPECT_GE(family.share_low, 0) << family.family;
      EXPECT_LE(family.share_low, family.share_high) << family.family;
      EXPECT_LE(family.share_high, 1) << family.family;
      low += family.share_low;
      high += family.share_high;
    }
    EXPECT_LE(low, 1);
    EXPECT_GE(high, 1);
  }
}

TEST(PredictTest, WhatIsNotKnownIsSaid) {
  ModelFacts model = TinyLlama();
  model.vocab = 0;
  const Result<ExpectedStep> no_vocab = Predict(model, H200());
  ASSERT_FALSE(no_vocab.ok());
  EXPECT_EQ(no_vocab.status().kind(), StatusKind::kLacks);
  EXPECT_NE(no_vocab.status().message().find("vocabulary"), std::string::npos);
  const Result<ExpectedStep> no_peaks = Predict(TinyLlama(), {"unknown", 0, 0});
  ASSERT_FALSE(no_peaks.ok());
  EXPECT_NE(no_peaks.status().message().find("--peak-bandwidth"), std::string::npos);
}

// Sizes that a hostile file gives: no number of the prediction leaves int64.
TEST(PredictTest, AbsurdSizesAreRefused) {
  for (int64_t ModelFacts::*size : {&ModelFacts::layers, &ModelFacts::hidden, &ModelFacts::ffn, &ModelFacts::kv,
                                    &ModelFacts::attention, &ModelFacts::vocab, &ModelFacts::context_tokens}) {
    ModelFacts model = TinyLlama();
    model.*size = int64_t{1} << 62;
    const Result<ExpectedStep> step = Predict(model, H200());
    ASSERT_FALSE(step.ok());
    EXPECT_EQ(step.status().kind(), StatusKind::kLacks);
    EXPECT_NE(step.status().message().find("absurd"), std::string::npos);
  }
}

TEST(ExpectationSectionTest, TimesBeyondTheRangeAreHeldAtItsEnd) {
  ModelFacts model = TinyLlama();
  model.layers = model.hidden = model.ffn = model.kv = int64_t{1} << 40;
  const Result<ExpectedStep> step = Predict(model, H200());
  ASSERT_TRUE(step.ok());
  Document document;
  AddExpectation(model, H200(), *step, {}, document);
  EXPECT_EQ(document.data["expectation"]["most_busy_ns"], kMaxNs);
  for (const auto& family : document.data["expectation"]["families"]) {
    EXPECT_GE(family["least_ns"].get<int64_t>(), 0) << family["family"];
    EXPECT_GE(family["most_ns"].get<int64_t>(), family["least_ns"].get<int64_t>()) << family["family"];
    EXPECT_GE(family["low_share"].get<double>(), 0) << family["family"];
    EXPECT_LE(family["high_share"].get<double>(), 1) << family["family"];
  }
}

TEST(CompareTest, DeviationsAreCalledOut) {
  const Result<ExpectedStep> step = Predict(TinyLlama(), H200());
  ASSERT_TRUE(step.ok());
  const std::vector<ComparedFamily> compared = Compare(*step, {{"gemm", 155, Of(*step, "gemm").share_low},
                                                               {"attention", 22, 0.05},
                                                               {"elementwise", 600, 0.3},
                                                               {"reduction", 45, 0.06},
                                                               {"other", 3, 0.001}});
  const auto row = [&](std::string_view family) { return *std::ranges::find(compared, family, &ComparedFamily::family); };
  EXPECT_FALSE(row("gemm").deviates());
  EXPECT_EQ(row("elementwise").calls, Agreement::kMore);
  EXPECT_EQ(row("norm").share, Agreement::kMissing);
  EXPECT_EQ(row("reduction").share, Agreement::kNotExpected);
  EXPECT_EQ(std::ranges::find(compared, "other", &ComparedFamily::family), compared.end());
}

TEST(ExpectationSectionTest, ThePredictionStandsBeforeTheComparison) {
  const Result<ExpectedStep> step = Predict(TinyLlama(), H200());
  ASSERT_TRUE(step.ok());
  Document document;
  AddExpectation(TinyLlama(), H200(), *step, {{"gemm", 155, 0.5}, {"elementwise", 600, 0.3}}, document);
  EXPECT_EQ(document.data["expectation"]["families"].size(), 8u);
  EXPECT_EQ(document.data["expectation"]["compared"][0]["family"], "gemm");
  std::vector<const Table*> tables;
  for (const Block& block : document.blocks) {
    if (const auto* table = std::get_if<Table>(&block)) tables.push_back(table);
  }
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0]->title, "Expected of a step");
  EXPECT_EQ(tables[1]->title, "Expected and measured");
}

}  // namespace
}  // namespace warpsight
