#include "analysis/thresholds.h"

#include <toml++/toml.h>
#include <algorithm>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

std::vector<Threshold> ParseThresholds(std::string_view text) {
  const toml::table file = toml::parse(text, std::string_view("data/thresholds.toml"));
  std::vector<Threshold> thresholds;
  for (const auto& [id, node] : file) {
    const toml::table* entry = node.as_table();
    CHECK(entry != nullptr);
    Threshold threshold;
    threshold.id = id.str();
    threshold.unit = (*entry)["unit"].value_or(std::string());
    const std::optional<double> value = (*entry)["value"].value<double>();
    CHECK(value.has_value());
    threshold.value = *value;
    threshold.source = (*entry)["source"].value_or(std::string());
    threshold.meaning = (*entry)["meaning"].value_or(std::string());
    thresholds.push_back(std::move(threshold));
  }
  return thresholds;
}

double Value(std::string_view id, std::string_view unit) {
  const std::vector<Threshold>& all = AllThresholds();
  const auto found = std::find_if(all.begin(), all.end(), [id](const Threshold& threshold) { return threshold.id == id; });
  CHECK(found != all.end());
  CHECK(found->unit == unit);
  return found->value;
}

}  // namespace

const std::vector<Threshold>& AllThresholds() {
  static const std::vector<Threshold>& thresholds =
      *new std::vector<Threshold>(ParseThresholds(EmbeddedFile("data/thresholds.toml")));
  return thresholds;
}

Ns ThresholdNs(std::string_view id) { return static_cast<Ns>(Value(id, "ns")); }
double ThresholdShare(std::string_view id) { return Value(id, "share"); }
double ThresholdRatio(std::string_view id) { return Value(id, "ratio"); }
int64_t ThresholdCount(std::string_view id) { return static_cast<int64_t>(Value(id, "count")); }
int64_t ThresholdBytes(std::string_view id) { return static_cast<int64_t>(Value(id, "bytes")); }

}  // namespace warpsight
