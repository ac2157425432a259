#include "analysis/counters/roofline_data.h"

#include <toml++/toml.h>

#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kRooflineFile = "data/counter_rooflines.toml";

std::vector<RoofData> ParseRoofs(const toml::table& file, std::string_view key) {
  std::vector<RoofData> roofs;
  ForEachDataRow(file, key, [&roofs](const toml::table& row) {
    RoofData roof{RequiredDataText(row, "id"),
                  RequiredDataText(row, "name"),
                  row["operations"].value_or(std::string()),
                  Formula(RequiredDataText(row, "per_second")),
                  Formula(RequiredDataText(row, "amount")),
                  Formula(RequiredDataText(row, "peak")),
                  std::nullopt,
                  RequiredDataText(row, "needs"),
                  row["datasheet"].value_or(std::string())};
    if (const std::optional<std::string> share = row["utilisation"].value<std::string>()) roof.utilisation.emplace(*share);
    roofs.push_back(std::move(roof));
  });
  return roofs;
}

CounterRooflineData ParseRooflines(std::string_view text) {
  const toml::table file = toml::parse(text, kRooflineFile);
  CounterRooflineData data;
  const toml::table* values = file["values"].as_table();
  CHECK(values != nullptr);
  for (const auto& [id, node] : *values)
    data.values.emplace_back(std::string(id.str()), Formula(node.value_or(std::string())));
  data.work = ParseRoofs(file, "work");
  data.memory = ParseRoofs(file, "memory");
  return data;
}

}  // namespace

const CounterRooflineData& CounterRooflines() {
  static const CounterRooflineData& data = *new CounterRooflineData(ParseRooflines(EmbeddedFile(kRooflineFile)));
  return data;
}

}  // namespace warpsight
