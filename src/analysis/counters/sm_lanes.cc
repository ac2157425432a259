#include "analysis/counters/sm_lanes.h"

#include <toml++/toml.h>

#include <string_view>

#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kLanesFile = "data/sm_lanes.toml";

std::vector<SmLanes> ParseSmLanes(std::string_view text) {
  std::vector<SmLanes> all;
  ForEachDataRow(toml::parse(text, kLanesFile), "capability", [&](const toml::table& row) {
    SmLanes lanes;
    lanes.from_capability = row["from"].value_or(0);
    lanes.fp32 = row["fp32"].value_or(int64_t{0});
    lanes.fp64 = row["fp64"].value<int64_t>();
    lanes.special = row["special"].value_or(int64_t{0});
    CHECK(lanes.from_capability > 0 && lanes.fp32 > 0 && lanes.special > 0 && lanes.fp64.value_or(1) > 0);
    CHECK(all.empty() || all.back().from_capability < lanes.from_capability);
    all.push_back(lanes);
  });
  return all;
}

}  // namespace

const std::vector<SmLanes>& AllSmLanes() {
  static const std::vector<SmLanes>& lanes = *new std::vector<SmLanes>(ParseSmLanes(EmbeddedFile(kLanesFile)));
  return lanes;
}

const SmLanes* SmLanesFor(int capability) {
  const SmLanes* found = nullptr;
  for (const SmLanes& lanes : AllSmLanes()) {
    if (lanes.from_capability <= capability) found = &lanes;
  }
  return found;
}

}  // namespace warpsight
