// Parts against the truth: which module launched each kernel, recorded by hooks in a second run of the same program, for
// models of eight families. The recordings that are read here hold no modules.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "analysis/model_pass.h"
#include "analysis/parts_pass.h"
#include "formats/open_trace.h"

namespace warpsight::parts_modules_test {
namespace {

const std::string kFolder = WARPSIGHT_TESTDATA_DIR "/parts/";

// The module of every kernel, in their order.
std::vector<std::string> ReadModules(const std::string& name) {
  std::ifstream file(kFolder + name + ".modules");
  std::vector<std::string> modules;
  int count = 0;
  for (std::string module; file >> count >> module;) modules.insert(modules.end(), static_cast<size_t>(count), module);
  return modules;
}

// Last components of module paths and the parts that their work may be: what stands in an attention module itself (not in
// a projection) is the core, the rotation or the cache.
const std::vector<std::pair<std::string, std::vector<Part>>>& Truths() {
  static const std::vector<std::pair<std::string, std::vector<Part>>> truths = {
      {"attention.output.dense", {Part::kO}},
      {"attn.c_proj", {Part::kO}},
      {"mlp.c_proj", {Part::kDown}},
      {"intermediate.dense", {Part::kUp}},
      {"output.dense", {Part::kDown}},
      {"transform.dense", {Part::kLmHead}},
      {"self_attention.dense", {Part::kO}},
      {"query_key_value", {Part::kQkv}},
      {"mlp.gate", {Part::kRouter}},
      {"experts", {Part::kExperts}},
      {"q_proj", {Part::kQ}},
      {"query", {Part::kQ}},
      {"q_a_proj", {Part::kQ}},
      {"q_b_proj", {Part::kQ}},
      {"Attention.q", {Part::kQ}},
      {"k_proj", {Part::kK}},
      {"key", {Part::kK}},
      {"Attention.k", {Part::kK}},
      {"v_proj", {Part::kV}},
      {"value", {Part::kV}},
      {"Attention.v", {Part::kV}},
      {"kv_a_proj_with_mqa", {Part::kKv}},
      {"kv_b_proj", {Part::kKv}},
      {"c_attn", {Part::kQkv}},
      {"o_proj", {Part::kO}},
      {"Attention.o", {Part::kO}},
      {"gate_proj", {Part::kGate}},
      {"wi_0", {Part::kGate}},
      {"up_proj", {Part::kUp}},
      {"wi_1", {Part::kUp}},
      {"c_fc", {Part::kUp}},
      {"dense_h_to_4h", {Part::kUp}},
      {"down_proj", {Part::kDown}},
      {"wo", {Part::kDown}},
      {"dense_4h_to_h", {Part::kDown}},
      {"act_fn", {Part::kActivation}},
      {"act", {Part::kActivation}},
      {"mlp", {Part::kActivation, Part::kExperts}},
      {"DenseReluDense", {Part::kActivation}},
      {"layernorm", {Part::kNorm}},
      {"layer_norm", {Part::kNorm}},
      {"LayerNorm", {Part::kNorm}},
      {"ln_1", {Part::kNorm}},
      {"ln_2", {Part::kNorm}},
      {"ln_f", {Part::kNorm}},
      {"norm", {Part::kNorm}},
      {"rotary_emb", {Part::kRotary}},
      {"embed_tokens", {Part::kEmbedding}},
      {"embeddings", {Part::kEmbedding, Part::kOther}},
      {"wte", {Part::kEmbedding}},
      {"wpe", {Part::kEmbedding}},
      {"lm_head", {Part::kLmHead}},
      {"predictions.decoder", {Part::kLmHead}},
      {"intermediate_act_fn", {Part::kActivation}},
      {"transform_act_fn", {Part::kActivation}},
      {"relative_attention_bias", {Part::kAttention}},
      {"self_attn", {Part::kAttention, Part::kRotary, Part::kKvCache, Part::kCopy}},
      {"self_attention", {Part::kAttention, Part::kRotary, Part::kKvCache, Part::kCopy}},
      {"SelfAttention", {Part::kAttention, Part::kKvCache}},
      {"EncDecAttention", {Part::kAttention, Part::kKvCache}},
      {"attention.self", {Part::kAttention}},
      {"attn", {Part::kAttention, Part::kKvCache}},
  };
  return truths;
}

bool IsLayer(const std::string& module) {
  // "model.layers.3", "transformer.h.3", "encoder.block.0.layer.1", "bert.encoder.layer.0.output"
  return module.back() >= '0' && module.back() <= '9' ? true : module.ends_with(".output");
}

// Whether the part fits the module; nullopt where the module says nothing (the model itself, nothing at all).
std::optional<bool> Fits(const std::string& module, Part part) {
  if (module.find("shared_experts") != std::string::npos || module.find(".experts.") != std::string::npos)
    return part == Part::kExperts;
  for (const auto& [ending, parts] : Truths()) {
    if (!module.ends_with(ending)) continue;
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  }
  if (IsLayer(module)) return part == Part::kResidual;
  return std::nullopt;
}

class PartsModulesTest : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(PartsModulesTest, KernelsArePartsOfTheModulesThatLaunchedThem) {
  const std::string name = GetParam().first;
  const Result<Trace> trace = OpenTrace(kFolder + name + ".pt.trace.json.gz", {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const std::vector<std::string> modules = ReadModules(name);
  ASSERT_EQ(modules.size(), trace->gpu().size());
  Analysis analysis(*trace, {});
  const WorkParts& parts = *analysis.Get<WorkPartsPass>();
  Ns right = 0;
  Ns wrong = 0;
  std::map<std::string, Ns> mistakes;
  for (uint32_t row = 0; row < trace->gpu().size(); ++row) {
    const std::optional<bool> fits = Fits(modules[row], parts.part(row));
    if (!fits) continue;
    const Ns spent = trace->gpu().duration_ns(row);
    (*fits ? right : wrong) += spent;
    if (!*fits) mistakes[modules[row] + " read as " + std::string(PartName(parts.part(row)))] += spent;
  }
  EXPECT_GT(right, 0);
  EXPECT_LT(wrong * 200, right) << "more than 0.5 % of the time in wrong parts";
  for (const auto& [mistake, spent] : mistakes) std::cout << name << ": " << mistake << ": " << spent << " ns\n";
}

TEST_P(PartsModulesTest, TheModelGivenIsTheModelSeen) {
  const Result<Trace> trace = OpenTrace(kFolder + GetParam().first + std::string(".pt.trace.json.gz"), {});
  ASSERT_TRUE(trace.ok());
  const Result<ModelDescription> model = ReadModelDescription(kFolder + GetParam().second + std::string(".config.json"));
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->note, "");
  Analysis analysis(*trace, {}, {.model = &*model});
  const PartsResult& parts = *analysis.Get<PartsPass>();
  EXPECT_GE(parts.accounting.size(), 7u);
  for (const AccountingLine& line : parts.accounting) {
    // Times of small products say little.
    if (line.what == "FFN / attention GEMM time") continue;
    EXPECT_TRUE(line.ok) << line.what << ": expected " << line.expected << ", seen " << line.seen << " (" << line.how << ")";
  }
}

INSTANTIATE_TEST_SUITE_P(Models, PartsModulesTest,
                         ::testing::Values(std::pair{"gpt2_decode", "gpt2"}, std::pair{"qwen3_decode", "qwen3"},
                                           std::pair{"mixtral_decode", "mixtral"},
                                           std::pair{"deepseekv3_decode", "deepseekv3"},
                                           std::pair{"gemma2_decode", "gemma2"}, std::pair{"bert", "bert"},
                                           std::pair{"falcon_decode", "falcon"}, std::pair{"t5", "t5"}),
                         [](const auto& each) { return std::string(each.param.first); });

std::map<Part, double> SharesOf(const PartsResult& parts) {
  std::map<Part, double> shares;
  for (const PartRow& row : parts.rows) shares[row.part] = row.gpu_share;
  return shares;
}

TEST(PartsReplayTest, AGraphHasThePartsOfItsEagerStep) {
  const Result<Trace> eager = OpenTrace(kFolder + "llama_static_decode.pt.trace.json.gz", {});
  const Result<Trace> graph = OpenTrace(kFolder + "llama_static_graph.pt.trace.json.gz", {});
  ASSERT_TRUE(eager.ok() && graph.ok());
  Analysis of_eager(*eager, {});
  Analysis alone(*graph, {});
  Analysis aligned(*graph, {}, {.reference = &*eager});
  const std::map<Part, double> expected = SharesOf(*of_eager.Get<PartsPass>());
  for (Analysis* analysis : {&alone, &aligned}) {
    const std::map<Part, double> shares = SharesOf(*analysis->Get<PartsPass>());
    for (const auto& [part, share] : expected) {
      const double seen = shares.contains(part) ? shares.at(part) : 0;
      EXPECT_NEAR(seen, share, 0.02) << PartName(part);
    }
  }
  const ReplayAlignment& alignment = *aligned.Get<PartsPass>()->alignment;
  EXPECT_EQ(alignment.replays, 2);
  EXPECT_GT(alignment.aligned * 100, alignment.kernels * 98);
}

TEST(PartsReplayTest, ACompiledGraphIsReadFromNamesAlone) {
  const Result<Trace> graph = OpenTrace(kFolder + "llama_static_compile_graph.pt.trace.json.gz", {});
  ASSERT_TRUE(graph.ok());
  Analysis analysis(*graph, {});
  const PartsResult& parts = *analysis.Get<PartsPass>();
  EXPECT_EQ(analysis.Get<ModelPass>()->inferred.layers, 6);
  EXPECT_LT(SharesOf(parts)[Part::kOther], 0.01);
  EXPECT_EQ(parts.accounting.front().what, "linear calls");
  EXPECT_TRUE(parts.accounting.front().ok) << parts.accounting.front().seen;
  EXPECT_FALSE(parts.fused.empty());
}

}  // namespace
}  // namespace warpsight::parts_modules_test
