// Findings on recordings of our own: what must be found, and numbers that were worked out by other means.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/diagnose.h"
#include "diagnosis/step_frame.h"
#include "diagnosis/what_ifs.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::findings_numbers_test {
namespace {

class Diagnosed {
 public:
  explicit Diagnosed(const std::string& path) : trace_(OpenTrace(path, {})) {
    if (!trace_.ok()) return;
    analysis_.emplace(*trace_, Selection{});
    diagnosis_ = Diagnose(*analysis_);
  }
  bool ok() const { return trace_.ok(); }
  Analysis& analysis() { return *analysis_; }
  const Diagnosis& diagnosis() const { return diagnosis_; }
  const Finding* Find(std::string_view id) const {
    const auto found = std::ranges::find(diagnosis_.findings, id, &Finding::id);
    return found == diagnosis_.findings.end() ? nullptr : &*found;
  }
  // A name of its evidence; false when there is no such finding.
  bool Says(std::string_view id, std::string_view words) const {
    const Finding* finding = Find(id);
    return finding != nullptr && std::ranges::any_of(finding->evidence, [&](const std::string& line) {
             return line.find(words) != std::string::npos;
           });
  }

 private:
  Result<Trace> trace_;
  std::optional<Analysis> analysis_;
  Diagnosis diagnosis_;
};

std::string Sample(const std::string& name) { return testing::SharedData() / "h200/torch" / (name + ".pt.trace.json.gz"); }

#define OPEN_SAMPLE(variable, name)                                                   \
  if (!std::filesystem::exists(Sample(name))) GTEST_SKIP() << "no shared recordings"; \
  Diagnosed variable(Sample(name));                                                   \
  ASSERT_TRUE(variable.ok())

TEST(FindingsNumbersTest, DecodeIsHeldUpByTheHost) {
  OPEN_SAMPLE(decode, "decode_b1");
  ASSERT_NE(decode.Find("serial_dispatch"), nullptr);
  EXPECT_NEAR(static_cast<double>(*decode.Find("serial_dispatch")->gain_ns), 47.8e6, 0.2e6);
  EXPECT_NE(decode.Find("serial_dispatch")->title.find("CUDA-graph the step"), std::string::npos);
  EXPECT_EQ(decode.diagnosis().findings.front().id, "serial_dispatch");
  EXPECT_TRUE(
      decode.Says("unfused_norm", "in a step: 45, each a sequence of pow, mean, add, rsqrt, mul; their 360 kernels"));
  EXPECT_TRUE(decode.Says("cat_kv_cache", "in a step: 44, each to a cache of 203 positions that grows to 205"));
  EXPECT_EQ(decode.Find("unfused_attention"), nullptr);
  const std::vector<WhatIf> what_ifs = MakeWhatIfs(decode.analysis(), decode.diagnosis(), FindGemmBound(decode.analysis()));
  const auto gemms = std::ranges::find(what_ifs, "gemms_at_bound", &WhatIf::id);
  ASSERT_NE(gemms, what_ifs.end());
  EXPECT_NEAR(static_cast<double>(gemms->gain_ns), (1.09 - 0.43) * 1e6, 0.02e6);
}

TEST(FindingsNumbersTest, TheOptimizerIsTheTopCostOfTraining) {
  OPEN_SAMPLE(train, "train_b2");
  const Finding* optimizer = train.Find("optimizer");
  ASSERT_NE(optimizer, nullptr);
  EXPECT_NE(optimizer->title.find("The FP32 optimizer, the top cost on the GPU, is not fused"), std::string::npos)
      << optimizer->title;
  EXPECT_TRUE(train.Says("optimizer", "AdamW.step"));
  EXPECT_TRUE(train.Says("optimizer", "moves 20 tensors through memory, fused Adam 7"));
  EXPECT_NE(train.Find("wide_types"), nullptr);
}

TEST(FindingsNumbersTest, AReplayedGraphIsJudgedByItsKernels) {
  OPEN_SAMPLE(graph, "graph_b1");
  EXPECT_EQ(graph.Find("serial_dispatch"), nullptr) << "the step is a graph already";
  EXPECT_TRUE(graph.Says("unfused_norm", "in a step: 45, each a sequence of pow, mean, add, rsqrt, mul; their 360 kernels"));
}

TEST(FindingsNumbersTest, CompiledNormsAreFused) {
  OPEN_SAMPLE(compiled, "compile_b1");
  EXPECT_EQ(compiled.Find("unfused_norm"), nullptr);
  EXPECT_NE(compiled.Find("serial_dispatch"), nullptr);
}

// Of every recording that there is: gains are bounded by the step and can be added; what-ifs leave a step between 0 and now.
TEST(FindingsNumbersTest, GainsAreBoundedOnAllRecordings) {
  int judged = 0;
  for (const char* folder : {"h200/torch", "public/torch"}) {
    for (const std::string& file : testing::SharedFiles(folder)) {
      if (file.find("trace") == std::string::npos && file.find("json") == std::string::npos) continue;
      Diagnosed recording(file);
      if (!recording.ok()) continue;
      const Diagnosis& diagnosis = recording.diagnosis();
      Ns sum = 0;
      for (const Finding& finding : diagnosis.findings) {
        EXPECT_GE(finding.gain_ns.value_or(0), 0) << file << finding.id;
        EXPECT_LE(finding.gain_ns.value_or(0), diagnosis.step_ns) << file << finding.id;
        EXPECT_FALSE(finding.evidence.empty() || finding.advice.empty()) << file << finding.id;
        sum += finding.gain_ns.value_or(0);
      }
      EXPECT_LE(sum, diagnosis.all_gains_ns) << file;
      EXPECT_LE(diagnosis.all_gains_ns, diagnosis.step_ns) << file;
      for (const WhatIf& one : MakeWhatIfs(recording.analysis(), diagnosis, FindGemmBound(recording.analysis()))) {
        EXPECT_EQ(one.gain_ns + one.step_ns, one.from_ns) << file << one.id;
        EXPECT_GE(one.step_ns, 0) << file << one.id;
        EXPECT_LE(one.from_ns, diagnosis.step_ns) << file << one.id;
      }
      judged += diagnosis.step_ns > 0 ? 1 : 0;
    }
  }
  if (judged == 0) GTEST_SKIP() << "no shared recordings";
}

}  // namespace
}  // namespace warpsight::findings_numbers_test
