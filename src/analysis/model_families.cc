// The rows of data/models.toml.
#include <toml++/toml.h>

#include <algorithm>

#include "analysis/model_description.h"
#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

bool IsOneOf(const toml::table& row, std::string_view key, std::string_view yes, std::string_view no) {
  const std::string value = row[key].value_or(std::string());
  CHECK(value == yes || value == no);
  return value == yes;
}

std::vector<ModelFamily> ParseFamilies(std::string_view text) {
  const toml::table file = toml::parse(text, std::string_view("data/models.toml"));
  const toml::array* rows = file["model"].as_array();
  CHECK(rows != nullptr);
  std::vector<ModelFamily> families;
  for (const toml::node& node : *rows) {
    const toml::table* row = node.as_table();
    CHECK(row != nullptr);
    ModelFamily family;
    family.name = (*row)["name"].value_or(std::string());
    family.types = DataTexts(*row, "types");
    family.architectures = DataTexts(*row, "architectures");
    family.gated_mlp = IsOneOf(*row, "mlp", "gated", "plain");
    family.fused_qkv = IsOneOf(*row, "qkv", "fused", "separate");
    family.fused_gate_up = IsOneOf(*row, "gate_up", "fused", "separate");
    family.layer_norm = IsOneOf(*row, "norm", "layer", "rms");
    family.norms_per_layer = (*row)["norms_per_layer"].value_or(-1);
    family.other_norms = (*row)["other_norms"].value_or(-1);
    family.rotary = (*row)["rotary"].value_or(false);
    family.latent = (*row)["latent"].value_or(false);
    family.experts = (*row)["experts"].value_or(false);
    family.qk_norm = (*row)["qk_norm"].value_or(false);
    family.embeddings = (*row)["embeddings"].value_or(-1);
    family.convolutional = (*row)["convolutional"].value_or(false);
    family.source = (*row)["source"].value_or(std::string());
    families.push_back(std::move(family));
  }
  return families;
}

}  // namespace

const std::vector<ModelFamily>& ModelFamilies() {
  static const auto& families = *new std::vector<ModelFamily>(ParseFamilies(EmbeddedFile("data/models.toml")));
  return families;
}

const ModelFamily* FindModelFamily(std::string_view type, std::string_view architecture) {
  for (const ModelFamily& family : ModelFamilies()) {
    if (std::find(family.types.begin(), family.types.end(), type) != family.types.end()) return &family;
  }
  const ModelFamily* best = nullptr;
  size_t longest = 0;
  for (const ModelFamily& family : ModelFamilies()) {
    for (const std::string& beginning : family.architectures) {
      if (!architecture.starts_with(beginning) || beginning.size() <= longest) continue;
      longest = beginning.size();
      best = &family;
    }
  }
  return best;
}

}  // namespace warpsight
