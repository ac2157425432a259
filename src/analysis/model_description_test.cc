#include "analysis/model_description.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace warpsight {
namespace {

ModelDescription Parse(std::string_view text) {
  const Result<ModelDescription> model = ParseModelDescription(text, "config.json");
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.status().message());
  return model.ok() ? *model : ModelDescription{};
}

TEST(ModelFamiliesTest, EveryRowIsWhole) {
  std::set<std::string> names;
  std::set<std::string> types;
  for (const ModelFamily& family : ModelFamilies()) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    EXPECT_FALSE(family.types.empty()) << family.name;
    EXPECT_FALSE(family.source.empty()) << family.name;
    EXPECT_GE(family.norms_per_layer, 0) << family.name;
    EXPECT_GE(family.other_norms, 0) << family.name;
    EXPECT_GE(family.embeddings, 0) << family.name;
    for (const std::string& type : family.types) EXPECT_TRUE(types.insert(type).second) << type;
  }
  EXPECT_GE(names.size(), 15u);
}

TEST(ModelDescriptionTest, LlamaConfig) {
  const ModelDescription model = Parse(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048,
      "intermediate_size": 5632, "num_attention_heads": 32, "num_hidden_layers": 22, "num_key_value_heads": 4,
      "vocab_size": 32000})");
  EXPECT_EQ(model.name, "LlamaForCausalLM");
  ASSERT_NE(model.family, nullptr);
  EXPECT_EQ(model.family->name, "Llama");
  EXPECT_EQ(model.layers, 22);
  EXPECT_EQ(model.kv, 256);
  EXPECT_EQ(model.head_dim, 64);
  EXPECT_EQ(model.ffn, 5632);
  EXPECT_EQ(model.gated_mlp, true);
  EXPECT_EQ(model.note, "");
}

TEST(ModelDescriptionTest, NamesOfOtherFamilies) {
  const ModelDescription gpt2 =
      Parse(R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_inner": null, "vocab_size": 50257})");
  EXPECT_EQ(gpt2.hidden, 768);
  EXPECT_EQ(gpt2.ffn, 3072);
  EXPECT_EQ(gpt2.kv, 768);
  EXPECT_EQ(gpt2.fused_qkv, true);
  const ModelDescription falcon = Parse(R"({"model_type": "falcon", "hidden_size": 1024, "num_hidden_layers": 4,
      "num_attention_heads": 16, "num_kv_heads": 16, "multi_query": true, "new_decoder_architecture": false})");
  EXPECT_EQ(falcon.kv, 64);
  const ModelDescription gemma = Parse(R"({"model_type": "gemma2", "hidden_size": 2304, "num_hidden_layers": 4,
      "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256})");
  EXPECT_EQ(gemma.attention_width(), 2048);
  EXPECT_EQ(gemma.kv, 1024);
}

TEST(ModelDescriptionTest, LatentAttentionAndExperts) {
  const ModelDescription model = Parse(R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61,
      "num_attention_heads": 128, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "q_lora_rank": 1536, "n_routed_experts": 256,
      "n_shared_experts": 1, "first_k_dense_replace": 3})");
  EXPECT_EQ(model.kv, 576);
  EXPECT_EQ(model.experts, 256);
  EXPECT_EQ(model.q_rank, 1536);
  EXPECT_EQ(model.dense_layers, 3);
}

TEST(ModelDescriptionTest, TheTextPartOfAMultimodalModel) {
  const ModelDescription model = Parse(R"({"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3",
      "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34}, "vision_config": {}})");
  EXPECT_EQ(model.hidden, 2560);
  EXPECT_EQ(model.family->name, "Gemma-3");
}

TEST(ModelDescriptionTest, AnUnknownArchitectureIsReadWithANote) {
  const ModelDescription model = Parse(
      R"({"architectures": ["MambaForCausalLM"], "model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24})");
  EXPECT_EQ(model.family, nullptr);
  EXPECT_EQ(model.layers, 24);
  EXPECT_NE(model.note.find("MambaForCausalLM"), std::string::npos);
}

TEST(ModelDescriptionTest, DescriptorsOfOurs) {
  const ModelDescription toml =
      Parse("name = \"mine\"\nfamily = \"Llama\"\nlayers = 22\nhidden = 2048\nheads = 32\nkv_heads = 4\n");
  EXPECT_EQ(toml.name, "mine");
  EXPECT_EQ(toml.kv, 256);
  EXPECT_EQ(toml.gated_mlp, true);
  const ModelDescription json = Parse(R"({"layers": 3, "hidden": 64, "fused_qkv": true})");
  EXPECT_EQ(json.layers, 3);
  EXPECT_EQ(json.fused_qkv, true);
}

TEST(ModelDescriptionTest, SizesThatNoModelHasAreNotRead) {
  const ModelDescription model = Parse(
      R"({"model_type": "llama", "num_hidden_layers": 900000000000000000, "hidden_size": 1e300, "intermediate_size": -1,
          "num_attention_heads": 32, "vocab_size": 32000})");
  EXPECT_EQ(model.layers, std::nullopt);
  EXPECT_EQ(model.hidden, std::nullopt);
  EXPECT_EQ(model.ffn, std::nullopt);
  EXPECT_EQ(model.vocab, 32000);
}

TEST(ModelDescriptionTest, WhatIsNoModelIsRefused) {
  for (const char* text : {"", "{", "[1, 2]", "{}", "{\"a\": 1}", "a = 1", "not a file", "{\"hidden_size\": \"big\"}"}) {
    const Result<ModelDescription> model = ParseModelDescription(text, "x.json");
    ASSERT_FALSE(model.ok()) << text;
    EXPECT_EQ(model.status().kind(), StatusKind::kUsage) << text;
    EXPECT_EQ(model.status().message().find("x.json"), 0u) << text;
  }
  EXPECT_FALSE(ReadModelDescription("/no/such/file.json").ok());
  const Result<ModelDescription> folder = ReadModelDescription("/");
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.status().kind(), StatusKind::kUsage);
}

TEST(ModelDescriptionTest, NumbersThatAreNoSizesAreLeftOutWithANote) {
  for (const char* number : {"-1", "2147483648", "9223372036854775807", "18446744073709551615", "1e19", "1e300", "-1e300"}) {
    const ModelDescription config = Parse(fmt::format(
        R"({{"model_type": "gpt2", "n_embd": 768, "n_layer": {0}, "n_head": {0}, "vocab_size": {0}, "n_inner": {0}}})",
        number));
    EXPECT_EQ(config.layers, std::nullopt) << number;
    EXPECT_EQ(config.kv, std::nullopt) << number;
    EXPECT_EQ(config.vocab, std::nullopt) << number;
    EXPECT_EQ(config.ffn, 3072) << number;
    EXPECT_NE(config.note.find("n_layer"), std::string::npos) << config.note;
    const ModelDescription ours = Parse(fmt::format(R"({{"layers": 3, "hidden": {0}, "kv": {0}}})", number));
    EXPECT_EQ(ours.hidden, std::nullopt) << number;
    EXPECT_NE(ours.note.find("hidden, kv"), std::string::npos) << ours.note;
  }
}

TEST(ModelDescriptionTest, ProductsOfTheLargestSizesHold) {
  const ModelDescription model = Parse(R"({"model_type": "gpt2", "n_embd": 2147483647, "n_layer": 2147483647,
      "n_head": 2147483647, "head_dim": 2147483647})");
  EXPECT_EQ(model.kv, int64_t{2147483647} * 2147483647);
  EXPECT_EQ(model.ffn, int64_t{4} * 2147483647);
}

}  // namespace
}  // namespace warpsight
