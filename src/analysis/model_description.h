// ModelDescription: the sizes of a model and how its layers are put together; given by a file or inferred from a recording.
//
// Files: the config.json of Hugging Face transformers as it is (of multimodal models the text part is read), or a
// descriptor of ours: TOML or JSON with the names of the fields below ("layers = 22"). An architecture that data/models.toml
// does not know is read with generic parts, and `note` says so.
// Sizes are counts of elements; absent = not known. Errors: kUsage with the reason, one line. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace warpsight {

// How the layers of a family are put together: a row of data/models.toml.
struct ModelFamily {
  std::string name;
  std::vector<std::string> types;          // model_type of config.json
  std::vector<std::string> architectures;  // beginnings of class names
  bool gated_mlp = true;
  bool fused_qkv = false;
  bool fused_gate_up = false;
  bool layer_norm = false;  // false = RMS norm
  int norms_per_layer = 2;
  int other_norms = 1;
  bool rotary = true;
  bool latent = false;
  bool experts = false;
  bool qk_norm = false;
  int embeddings = 1;
  bool convolutional = false;
  std::string source;
};

// All rows, in file order.
const std::vector<ModelFamily>& ModelFamilies();
const ModelFamily* FindModelFamily(std::string_view type, std::string_view architecture);

struct ModelDescription {
  std::string name;  // "LlamaForCausalLM", "Llama-like"; empty = not known
  const ModelFamily* family = nullptr;
  std::optional<int64_t> layers;
  std::optional<int64_t> hidden;
  std::optional<int64_t> ffn;
  std::optional<int64_t> kv;  // width of the keys of one token: kv_heads * head_dim; the latent where there is one
  std::optional<int64_t> vocab;
  std::optional<int64_t> heads;
  std::optional<int64_t> kv_heads;
  std::optional<int64_t> head_dim;
  std::optional<int64_t> experts;
  std::optional<int64_t> experts_per_token;
  std::optional<int64_t> moe_ffn;
  std::optional<int64_t> shared_experts;
  std::optional<int64_t> dense_layers;  // leading layers without experts
  std::optional<int64_t> q_rank;        // low-rank q; absent = q is one matrix
  std::optional<bool> gated_mlp;
  std::optional<bool> fused_qkv;
  std::optional<bool> fused_gate_up;
  std::optional<bool> bias;  // linear layers have one
  std::string note;

  // Width of what o reads.
  std::optional<int64_t> attention_width() const {
    return heads && head_dim ? std::optional<int64_t>(*heads * *head_dim) : std::nullopt;
  }
};

// `what` names the source in messages.
Result<ModelDescription> ParseModelDescription(std::string_view text, std::string_view what);
Result<ModelDescription> ReadModelDescription(const std::string& path);

}  // namespace warpsight
