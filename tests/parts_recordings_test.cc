// What parts must say about recordings that are not part of the repository: ours of a Llama on an H200, and strangers' of
// BERT, Qwen, ResNet, vLLM and SGLang on H100, B200, MI300.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "analysis/model_pass.h"
#include "analysis/parts_pass.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::parts_recordings_test {
namespace {

class PartsRecordingsTest : public ::testing::Test {
 protected:
  static std::string Path(const std::string& name) { return (testing::SharedData() / name).string(); }
  static bool Missing(const std::string& name) { return !std::filesystem::exists(Path(name)); }
  static Trace Open(const std::string& name) {
    Result<Trace> trace = OpenTrace(Path(name), {});
    EXPECT_TRUE(trace.ok()) << name;
    return std::move(trace).value();
  }
  static double Share(const PartsResult& parts, Part part) {
    for (const PartRow& row : parts.rows) {
      if (row.part == part) return row.gpu_share;
    }
    return 0;
  }
  static void ExpectExact(const PartsResult& parts) {
    Ns sum = 0;
    for (const PartRow& row : parts.rows) sum += row.gpu_ns;
    EXPECT_EQ(sum, parts.gpu_work_ns);
  }
};

TEST_F(PartsRecordingsTest, LlamaDecodeAndPrefill) {
  if (Missing("h200/torch")) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  const std::pair<const char*, int64_t> cases[] = {{"decode_b1", 1},  {"decode_b1_stack", 1}, {"decode_b8", 8},
                                                   {"prefill_b4", 4}, {"train_b2", 2},        {"compile_b1", 1}};
  for (const auto& [name, batch] : cases) {
    SCOPED_TRACE(name);
    const Trace trace = Open(std::string("h200/torch/") + name + ".pt.trace.json.gz");
    Analysis analysis(trace, {});
    const ModelResult& model = *analysis.Get<ModelPass>();
    EXPECT_EQ(model.inferred.name, "Llama-like");
    EXPECT_EQ(model.inferred.layers, 22);
    EXPECT_EQ(model.inferred.hidden, 2048);
    EXPECT_EQ(model.inferred.kv, 256);
    EXPECT_EQ(model.inferred.ffn, 5632);
    EXPECT_EQ(model.inferred.vocab, 32000);
    EXPECT_EQ(model.batch, batch);
    EXPECT_EQ(model.attention_backend, "cuDNN flash");
    const PartsResult& parts = *analysis.Get<PartsPass>();
    ExpectExact(parts);
    EXPECT_LT(Share(parts, Part::kOther), 0.01);
    ASSERT_FALSE(parts.accounting.empty());
    EXPECT_EQ(parts.accounting[0].what, "linear calls");
    EXPECT_EQ(parts.accounting[0].expected, 155);
    EXPECT_EQ(parts.accounting[0].seen, 155);
  }
}

TEST_F(PartsRecordingsTest, TheStackSaysTheSameAsTheOrder) {
  if (Missing("h200/torch")) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  const Trace plain = Open("h200/torch/decode_b1.pt.trace.json.gz");
  const Trace stack = Open("h200/torch/decode_b1_stack.pt.trace.json.gz");
  Analysis of_plain(plain, {});
  Analysis of_stack(stack, {});
  const WorkParts& a = *of_plain.Get<WorkPartsPass>();
  const WorkParts& b = *of_stack.Get<WorkPartsPass>();
  ASSERT_EQ(plain.gpu().size(), stack.gpu().size());
  int differences = 0;
  for (uint32_t row = 0; row < plain.gpu().size(); ++row) differences += a.part(row) != b.part(row) ? 1 : 0;
  EXPECT_LE(differences, 12);  // the scalar work of positions
}

TEST_F(PartsRecordingsTest, TrainingIsToldApartAndTheOptimizerLeads) {
  if (Missing("h200/torch")) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  const Trace trace = Open("h200/torch/train_b2.pt.trace.json.gz");
  Analysis analysis(trace, {});
  const PartsResult& parts = *analysis.Get<PartsPass>();
  EXPECT_EQ(parts.phases.size(), 3u);
  EXPECT_EQ(parts.rows.front().part, Part::kOptimizer);
  EXPECT_GT(Share(parts, Part::kBackward), 0.2);
  Ns told = 0;
  for (const ForwardPartRow& row : parts.backward) told += row.part ? row.gpu_ns : 0;
  EXPECT_GT(static_cast<double>(told), 0.99 * Share(parts, Part::kBackward) * static_cast<double>(parts.gpu_work_ns));
}

TEST_F(PartsRecordingsTest, AGraphAlignsWithAnEagerStep) {
  if (Missing("h200/torch")) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  const Trace eager = Open("h200/torch/decode_b1.pt.trace.json.gz");
  const Trace graph = Open("h200/torch/graph_b1.pt.trace.json.gz");
  Analysis of_eager(eager, {});
  Analysis of_graph(graph, {}, {.reference = &eager});
  const PartsResult& expected = *of_eager.Get<PartsPass>();
  const PartsResult& parts = *of_graph.Get<PartsPass>();
  ASSERT_TRUE(parts.alignment.has_value());
  EXPECT_GT(parts.alignment->aligned * 100, parts.alignment->kernels * 80);
  for (const PartRow& row : expected.rows) {
    // The graph was recorded without a cache and with another attention backend, which expands k and v and builds a mask.
    if (row.part == Part::kKvCache || row.part == Part::kAttention || row.part == Part::kSampling) continue;
    EXPECT_NEAR(Share(parts, row.part), row.gpu_share, 0.02) << PartName(row.part);
  }
}

TEST_F(PartsRecordingsTest, StrangersRecordingsLeaveLittleUntold) {
  if (Missing("public/torch")) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  const std::map<std::string, std::pair<std::string, int64_t>> models = {
      {"tracelens_h100_bert_small.json.gz", {"BERT-like", 4}},
      {"tracelens_mi300_bert_small.json.gz", {"BERT-like", 4}},
      {"tracelens_h100_qwen0.5b.json.gz", {"Llama-like", 24}},
      {"tracelens_sglang_decode_qwen3.json.gz", {"Qwen3-like", 36}},
      {"tracelens_vllm_decode_full_graph_execution.json.gz", {"Mixtral-like", 24}},
      {"tracelens_b200_eager.json.gz", {"Mixtral-like", 36}},
      {"tracelens_mi300_resnet_act_checkpoint.json.gz", {"", 0}},
      {"kineto_resnet50_w0_2021.pt.trace.json.gz", {"", 0}},
      {"tracelens_mi210_gpu_only.json.gz", {"", 0}}};
  for (const auto& [file, model] : models) {
    SCOPED_TRACE(file);
    const Trace trace = Open("public/torch/" + file);
    Analysis analysis(trace, {});
    const PartsResult& parts = *analysis.Get<PartsPass>();
    ExpectExact(parts);
    EXPECT_LT(Share(parts, Part::kOther), 0.03);
    EXPECT_LT(Share(parts, Part::kLinear), 0.05);
    const ModelResult& read = *analysis.Get<ModelPass>();
    EXPECT_EQ(read.found, !model.first.empty());
    EXPECT_EQ(read.inferred.name, model.first);
    if (read.found) {
      EXPECT_EQ(read.inferred.layers, model.second);
    }
  }
}

// vLLM captured the graph in one recording and replayed it in another: names and order say the same as the capture.
TEST_F(PartsRecordingsTest, ACaptureConfirmsWhatTheNamesSay) {
  if (Missing("public/torch")) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  const Trace replay = Open("public/torch/tracelens_vllm_decode_full_graph_execution.json.gz");
  const Trace capture = Open("public/torch/tracelens_vllm_decode_full_graph_capture.pt.trace.json.gz");
  Analysis alone(replay, {});
  Analysis captured(replay, {}, {.reference = &capture});
  const WorkParts& by_name = *alone.Get<WorkPartsPass>();
  const WorkParts& by_capture = *captured.Get<WorkPartsPass>();
  ASSERT_TRUE(by_capture.alignment.has_value());
  EXPECT_EQ(by_capture.alignment->captured, 421);
  for (uint32_t row = 0; row < replay.gpu().size(); ++row) EXPECT_EQ(by_name.part(row), by_capture.part(row)) << row;
  const ModelDescription& model = captured.Get<ModelPass>()->inferred;
  EXPECT_EQ(model.heads, 64);
  EXPECT_EQ(model.kv_heads, 8);
  EXPECT_EQ(model.experts, 32);
}

// Every recording: rows partition the work, and nothing breaks.
TEST_F(PartsRecordingsTest, RowsPartitionTheWorkOfEveryRecording) {
  int read = 0;
  for (const char* folder : {"h200/torch", "public/torch"}) {
    for (const std::string& file : testing::SharedFiles(folder)) {
      if (file.find(".json") == std::string::npos || file.find("keyavg") != std::string::npos) continue;
      const Result<Trace> trace = OpenTrace(file, {});
      if (!trace.ok() || trace->gpu().size() == 0) continue;
      Analysis analysis(*trace, {});
      SCOPED_TRACE(file);
      ExpectExact(*analysis.Get<PartsPass>());
      ++read;
    }
  }
  if (read == 0) GTEST_SKIP() << "no recordings in " << testing::SharedData();
}

}  // namespace
}  // namespace warpsight::parts_recordings_test
