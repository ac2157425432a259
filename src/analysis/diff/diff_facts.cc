#include "analysis/diff/diff_facts.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/model_pass.h"
#include "document/units.h"

namespace warpsight {
namespace {

// "2 x NVIDIA H200" of the devices that worked.
std::string WorkingDevices(Analysis& analysis) {
  std::map<std::string, int64_t> counts;
  for (const Device& device : analysis.trace().devices()) {
    const bool selected = analysis.selection().device.value_or(device.id) == device.id;
    if (device.has_work && selected) ++counts[device.name.empty() ? "GPU of unknown name" : device.name];
  }
  std::string text;
  for (const auto& [name, count] : counts)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", count > 1 ? fmt::format("{} x ", count) : "", name);
  return text;
}

std::string CountText(const std::optional<int64_t>& value) { return value ? FormatCount(*value) : std::string(); }

std::string RankOfWorld(const RecordingInfo& info) {
  if (info.rank < 0) return {};
  return info.world_size > 0 ? fmt::format("{} of {}", info.rank, info.world_size) : std::to_string(info.rank);
}

std::string RecorderText(const RecordingInfo& info) {
  return info.version.empty() ? info.producer : fmt::format("{}, {}", info.producer, info.version);
}

constexpr std::pair<std::string_view, std::optional<int64_t> ModelDescription::*> kModelSizes[] = {
    {"number of layers", &ModelDescription::layers},
    {"hidden size", &ModelDescription::hidden},
    {"FFN size", &ModelDescription::ffn},
    {"vocabulary", &ModelDescription::vocab}};

}  // namespace

std::vector<DiffFact> FactsOfBoth(Analysis& a, Analysis& b) {
  std::vector<DiffFact> facts;
  const auto add = [&](std::string what, bool is_serious, const auto& text) {
    facts.push_back({std::move(what), text(a), text(b), is_serious});
  };
  const auto of_model = [](const auto& text) {
    return [text](Analysis& analysis) {
      const Result<ModelResult>& model = analysis.Get<ModelPass>();
      return model.ok() && (model->found || model->given != nullptr) ? std::string(text(*model)) : std::string();
    };
  };
  const auto of_recording = [](const auto& text) {
    return [text](Analysis& analysis) { return text(analysis.trace().recording()); };
  };
  add("GPU", true, WorkingDevices);
  add("model", true, of_model([](const ModelResult& model) { return model.model().name; }));
  // One by one: a recording without shapes knows the layers and not the sizes, which is no difference.
  for (const auto& [what, size] : kModelSizes)
    add(std::string(what), true,
        of_model([size = size](const ModelResult& model) { return CountText(model.model().*size); }));
  add("batch", true, of_model([](const ModelResult& model) { return CountText(model.batch); }));
  add("tokens of a pass", true, of_model([](const ModelResult& model) { return CountText(model.tokens); }));
  add("layout", false, of_model([](const ModelResult& model) { return model.engine; }));
  add("attention", false, of_model([](const ModelResult& model) { return model.attention_backend; }));
  add("rank", false, of_recording(RankOfWorld));
  add("recorder", false, of_recording(RecorderText));
  return facts;
}

}  // namespace warpsight
