#include "analysis/counters/stall_reasons.h"

#include <toml++/toml.h>

#include <algorithm>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kStallFile = "data/stall_reasons.toml";

std::vector<StallReason> ParseStallReasons(std::string_view text) {
  std::vector<StallReason> reasons;
  for (const auto& [id, node] : toml::parse(text, kStallFile)) {
    const toml::table* row = node.as_table();
    CHECK(row != nullptr);
    StallReason reason;
    reason.id = id.str();
    reason.name = (*row)["name"].value_or(std::string());
    reason.meaning = (*row)["meaning"].value_or(std::string());
    reason.advice = (*row)["advice"].value_or(std::string());
    reason.is_stall = (*row)["is_stall"].value_or(true);
    CHECK(!reason.name.empty() && !reason.meaning.empty() && !reason.advice.empty());
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

}  // namespace

const std::vector<StallReason>& AllStallReasons() {
  static const std::vector<StallReason>& reasons =
      *new std::vector<StallReason>(ParseStallReasons(EmbeddedFile(kStallFile)));
  return reasons;
}

const StallReason* FindStallReason(std::string_view id) {
  const auto found = std::ranges::find(AllStallReasons(), id, &StallReason::id);
  return found == AllStallReasons().end() ? nullptr : &*found;
}

std::string StallWords(std::string_view id) {
  std::string words(id);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string StallName(std::string_view id) {
  const StallReason* known = FindStallReason(id);
  if (known == nullptr && id.ends_with('s')) known = FindStallReason(id.substr(0, id.size() - 1));
  return known != nullptr ? known->name : StallWords(id);
}

std::vector<StallCycles> StallsOf(const CounterReport& report, const ProfiledKernel& kernel) {
  std::vector<StallCycles> stalls;
  for (const StallReason& reason : AllStallReasons()) {
    const std::optional<double> cycles =
        report.Number(kernel, "smsp__average_warps_issue_stalled_" + reason.id + "_per_issue_active.ratio");
    if (cycles) stalls.push_back({&reason, *cycles});
  }
  return stalls;
}

std::optional<TopStall> FindTopStall(const std::vector<StallCycles>& stalls) {
  TopStall top;
  double all_cycles = 0;
  for (const StallCycles& stall : stalls) {
    all_cycles += stall.cycles;
    if (!stall.reason->is_stall || (top.reason != nullptr && stall.cycles <= top.cycles)) continue;
    top.reason = stall.reason;
    top.cycles = stall.cycles;
  }
  if (top.reason == nullptr || all_cycles <= 0) return std::nullopt;
  top.share = top.cycles / all_cycles;
  return top;
}

}  // namespace warpsight
