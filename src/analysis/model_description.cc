#include "analysis/model_description.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

using nlohmann::json;

// The names of one number in config.json files, from [keys] of data/models.toml.
const std::map<std::string, std::vector<std::string>, std::less<>>& ConfigKeys() {
  static const auto& keys = *[] {
    auto* map = new std::map<std::string, std::vector<std::string>, std::less<>>();
    const toml::table file = toml::parse(EmbeddedFile("data/models.toml"), std::string_view("data/models.toml"));
    const toml::table* table = file["keys"].as_table();
    CHECK(table != nullptr);
    for (const auto& [key, names] : *table) {
      const toml::array* array = names.as_array();
      CHECK(array != nullptr);
      for (const toml::node& name : *array) (*map)[std::string(key.str())].push_back(name.value_or(std::string()));
    }
    return map;
  }();
  return keys;
}

// Sizes beyond this are no model's; products of two of them stay in int64.
constexpr double kMostSize = 0x1p31;

bool IsSize(const json& number) { return number.get<double>() >= 0 && number.get<double>() < kMostSize; }

std::optional<int64_t> Number(const json& config, const std::string& name) {
  const auto found = config.find(name);
  if (found == config.end() || !found->is_number() || !IsSize(*found)) return std::nullopt;
  return found->get<int64_t>();
}

std::optional<int64_t> ConfigNumber(const json& config, std::string_view key) {
  const auto names = ConfigKeys().find(key);
  CHECK(names != ConfigKeys().end());
  for (const std::string& name : names->second) {
    if (const auto number = Number(config, name)) return number;
  }
  return std::nullopt;
}

// Numbers under the names of sizes that are no sizes, and so are not used: "hidden_size, num_hidden_layers".
std::string NoSizes(const json& config) {
  std::string names;
  for (const auto& [key, aliases] : ConfigKeys()) {
    for (const std::string& name : aliases) {
      const auto found = config.find(name);
      if (found == config.end() || !found->is_number() || IsSize(*found)) continue;
      names += (names.empty() ? "" : ", ") + name;
    }
  }
  return names;
}

void NoteNoSizes(const std::string& names, ModelDescription& model) {
  if (names.empty()) return;
  model.note += fmt::format("{}left out, for no model has such a size: {}", model.note.empty() ? "" : "; ", names);
}

std::string Text(const json& config, const std::string& name) {
  const auto found = config.find(name);
  return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool Flag(const json& config, const std::string& name) {
  const auto found = config.find(name);
  return found != config.end() && found->is_boolean() && found->get<bool>();
}

std::string Architecture(const json& config) {
  const auto found = config.find("architectures");
  if (found == config.end() || !found->is_array() || found->empty() || !found->front().is_string()) return {};
  return found->front().get<std::string>();
}

void FillFromFamily(ModelDescription& model) {
  if (model.family == nullptr) return;
  if (!model.gated_mlp) model.gated_mlp = model.family->gated_mlp;
  if (!model.fused_qkv) model.fused_qkv = model.family->fused_qkv;
  if (!model.fused_gate_up) model.fused_gate_up = model.family->fused_gate_up;
}

// What follows from other sizes.
void Complete(ModelDescription& model) {
  if (!model.kv_heads) model.kv_heads = model.heads;
  if (!model.head_dim && model.hidden && model.heads && *model.heads > 0) model.head_dim = *model.hidden / *model.heads;
  if (!model.kv && model.kv_heads && model.head_dim) model.kv = *model.kv_heads * *model.head_dim;
}

Result<ModelDescription> FromConfig(const json& outer, std::string_view what) {
  // Of a multimodal model the text part is what decodes.
  const auto nested = outer.find("text_config");
  const bool has_text = nested != outer.end() && nested->is_object() && ConfigNumber(*nested, "hidden");
  const json& config = has_text ? *nested : outer;
  ModelDescription model;
  const std::string architecture = Architecture(outer);
  const std::string type = Text(config, "model_type");
  model.name = !architecture.empty() ? architecture : type;
  model.family = FindModelFamily(type, architecture);
  model.layers = ConfigNumber(config, "layers");
  model.hidden = ConfigNumber(config, "hidden");
  model.ffn = ConfigNumber(config, "ffn");
  model.vocab = ConfigNumber(config, "vocab");
  model.heads = ConfigNumber(config, "heads");
  model.kv_heads = ConfigNumber(config, "kv_heads");
  model.head_dim = ConfigNumber(config, "head_dim");
  model.experts = ConfigNumber(config, "experts");
  model.experts_per_token = ConfigNumber(config, "experts_per_token");
  model.moe_ffn = ConfigNumber(config, "moe_ffn");
  model.shared_experts = ConfigNumber(config, "shared_experts");
  model.dense_layers = ConfigNumber(config, "dense_layers");
  model.q_rank = ConfigNumber(config, "q_rank");
  if (Flag(outer, "is_encoder_decoder")) {
    model.decoder_layers = ConfigNumber(config, "decoder_layers");
    if (!model.decoder_layers) model.decoder_layers = model.layers;
  }
  // Falcon says one shared head by a flag.
  if (Flag(config, "multi_query") && !Flag(config, "new_decoder_architecture")) model.kv_heads = 1;
  // GPT-2 and its heirs: no size of the feed-forward layer means four times the hidden size.
  if (!model.ffn && model.hidden && model.family != nullptr && !model.family->gated_mlp) model.ffn = 4 * *model.hidden;
  const std::string projection = Text(config, "feed_forward_proj");
  if (!projection.empty()) model.gated_mlp = projection.starts_with("gated");
  if (const auto rank = ConfigNumber(config, "kv_rank")) model.kv = *rank + ConfigNumber(config, "rope_dim").value_or(0);
  if (!model.layers && !model.hidden && model.family == nullptr) {
    return UsageError(
        fmt::format("{}: neither a config.json nor a model descriptor: it has no hidden size and no layers", what));
  }
  if (model.family == nullptr) {
    model.note = fmt::format("the architecture {} is not known: generic parts, and only its sizes are compared",
                             model.name.empty() ? "of this file" : model.name);
  }
  NoteNoSizes(NoSizes(config), model);
  FillFromFamily(model);
  Complete(model);
  return model;
}

// A descriptor of ours: the fields by their own names.
Result<ModelDescription> FromDescriptor(const json& file, std::string_view what) {
  ModelDescription model;
  model.name = Text(file, "name");
  model.family = FindModelFamily(Text(file, "type"), Text(file, "architecture"));
  for (const ModelFamily& family : ModelFamilies()) {
    if (model.family == nullptr && !Text(file, "family").empty() && family.name == Text(file, "family"))
      model.family = &family;
  }
  const std::pair<const char*, std::optional<int64_t>*> fields[] = {{"layers", &model.layers},
                                                                    {"hidden", &model.hidden},
                                                                    {"ffn", &model.ffn},
                                                                    {"kv", &model.kv},
                                                                    {"vocab", &model.vocab},
                                                                    {"heads", &model.heads},
                                                                    {"kv_heads", &model.kv_heads},
                                                                    {"head_dim", &model.head_dim},
                                                                    {"experts", &model.experts},
                                                                    {"moe_ffn", &model.moe_ffn},
                                                                    {"q_rank", &model.q_rank},
                                                                    {"experts_per_token", &model.experts_per_token},
                                                                    {"shared_experts", &model.shared_experts},
                                                                    {"dense_layers", &model.dense_layers}};
  std::string no_sizes;
  for (const auto& [name, field] : fields) {
    *field = Number(file, name);
    const bool left_out = !*field && file.contains(name) && file[name].is_number();
    if (left_out) no_sizes += (no_sizes.empty() ? "" : ", ") + std::string(name);
  }
  NoteNoSizes(no_sizes, model);
  const std::pair<const char*, std::optional<bool>*> flags[] = {
      {"gated_mlp", &model.gated_mlp}, {"fused_qkv", &model.fused_qkv}, {"fused_gate_up", &model.fused_gate_up}};
  for (const auto& [name, flag] : flags) {
    if (file.contains(name)) *flag = Flag(file, name);
  }
  if (!model.layers && !model.hidden) {
    return UsageError(fmt::format("{}: a model descriptor needs at least layers or hidden", what));
  }
  FillFromFamily(model);
  Complete(model);
  return model;
}

std::optional<json> TomlToJson(std::string_view text) {
  try {
    const toml::table table = toml::parse(text);
    json file = json::object();
    for (const auto& [key, node] : table) {
      if (const auto number = node.value_exact<int64_t>()) file[std::string(key.str())] = *number;
      if (const auto flag = node.value_exact<bool>()) file[std::string(key.str())] = *flag;
      if (const auto words = node.value_exact<std::string>()) file[std::string(key.str())] = *words;
    }
    return file;
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

}  // namespace

Result<ModelDescription> ParseModelDescription(std::string_view text, std::string_view what) {
  const size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first != std::string_view::npos && text[first] == '{') {
    const json file = json::parse(text.substr(first), nullptr, false);
    if (file.is_discarded() || !file.is_object()) return UsageError(fmt::format("{}: not valid JSON", what));
    const bool ours = file.contains("layers") || (file.contains("hidden") && !file.contains("model_type"));
    return ours ? FromDescriptor(file, what) : FromConfig(file, what);
  }
  const std::optional<json> file = TomlToJson(text);
  if (!file || file->empty())
    return UsageError(fmt::format("{}: neither a config.json nor a model descriptor (TOML or JSON)", what));
  return FromDescriptor(*file, what);
}

Result<ModelDescription> ReadModelDescription(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return UsageError(fmt::format("{}: a folder, not a model file", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) return UsageError(fmt::format("{}: the model file cannot be opened", path));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return ParseModelDescription(text, path);
}

}  // namespace warpsight
