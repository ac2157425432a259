#include "analysis/api_calls.h"

#include <toml++/toml.h>
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::pair<std::string_view, ApiCallKind> kKindNames[] = {
    {"synchronise", ApiCallKind::kSynchronise},
    {"blocking_copy", ApiCallKind::kBlockingCopy},
    {"launch", ApiCallKind::kLaunch},
    {"graph_launch", ApiCallKind::kGraphLaunch},
    {"stream_wait", ApiCallKind::kStreamWait},
    {"event_record", ApiCallKind::kEventRecord},
    {"capture", ApiCallKind::kCapture},
    {"copy", ApiCallKind::kCopy},
    {"set", ApiCallKind::kSet},
    {"allocation", ApiCallKind::kAllocation},
};

ApiCallKind KindOfName(std::string_view name) {
  for (const auto& [kind_name, kind] : kKindNames) {
    if (kind_name == name) return kind;
  }
  return ApiCallKind::kOther;
}

std::vector<ApiCallGroup> ParseGroups(std::string_view text) {
  const toml::table file = toml::parse(text, std::string_view("data/api_calls.toml"));
  std::vector<ApiCallGroup> groups;
  const toml::array* entries = file["group"].as_array();
  CHECK(entries != nullptr);
  for (const toml::node& node : *entries) {
    const toml::table& entry = *node.as_table();
    ApiCallGroup group;
    group.kind_name = entry["kind"].value_or(std::string());
    group.kind = KindOfName(group.kind_name);
    CHECK(group.kind != ApiCallKind::kOther);
    group.meaning = entry["meaning"].value_or(std::string());
    group.source = entry["source"].value_or(std::string());
    group.names = RequiredDataTexts(entry, "names");
    groups.push_back(std::move(group));
  }
  return groups;
}

// `pattern` holds at most one "*".
bool MatchesApiName(std::string_view pattern, std::string_view name) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const std::string_view head = pattern.substr(0, star);
  const std::string_view tail = pattern.substr(star + 1);
  return name.size() >= head.size() + tail.size() && name.starts_with(head) && name.ends_with(tail);
}

std::optional<std::string_view> WithoutVariant(std::string_view name) {
  for (std::string_view suffix : {"_ptsz", "_ptds", "_spt", "R0600"}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  const size_t digits = name.find_last_not_of("0123456789");
  if (digits != std::string_view::npos && digits + 1 < name.size() && digits > 0 && name.substr(digits - 1, 2) == "_v") {
    return name.substr(0, digits - 1);
  }
  return std::nullopt;
}

struct Lookup {
  std::unordered_map<std::string_view, ApiCallKind> exact;
  std::vector<std::pair<std::string_view, ApiCallKind>> patterns;
};

Lookup MakeLookup() {
  Lookup lookup;
  for (const ApiCallGroup& group : ApiCallGroups()) {
    for (const std::string& name : group.names) {
      if (name.find('*') == std::string::npos) {
        lookup.exact.emplace(name, group.kind);
      } else {
        lookup.patterns.emplace_back(name, group.kind);
      }
    }
  }
  return lookup;
}

}  // namespace

const std::vector<ApiCallGroup>& ApiCallGroups() {
  static const std::vector<ApiCallGroup>& groups =
      *new std::vector<ApiCallGroup>(ParseGroups(EmbeddedFile("data/api_calls.toml")));
  return groups;
}

ApiCallKind ClassifyApiCall(std::string_view name) {
  static const Lookup& lookup = *new Lookup(MakeLookup());
  while (std::optional<std::string_view> shorter = WithoutVariant(name)) name = *shorter;
  if (const auto found = lookup.exact.find(name); found != lookup.exact.end()) return found->second;
  for (const auto& [pattern, kind] : lookup.patterns) {
    if (MatchesApiName(pattern, name)) return kind;
  }
  return ApiCallKind::kOther;
}

}  // namespace warpsight
