#include "counters/source_columns.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kColumnFile = "data/source_columns.toml";

SourceColumnData::Kind ParseColumnKind(std::string_view text) {
  if (text == "flags") return SourceColumnData::Kind::kFlags;
  if (text == "average") return SourceColumnData::Kind::kAverage;
  CHECK(text == "count");
  return SourceColumnData::Kind::kCount;
}

std::vector<SourceColumnData> ParseColumns(std::string_view text) {
  std::vector<SourceColumnData> columns;
  const toml::table file = toml::parse(text, kColumnFile);
  for (const toml::node& node : *file["column"].as_array()) {
    const toml::table& row = *node.as_table();
    SourceColumnData column;
    column.metric = row["metric"].value_or(std::string());
    column.label = row["label"].value_or(std::string());
    column.kind = ParseColumnKind(row["kind"].value_or(std::string("count")));
    CHECK(!column.metric.empty() && !column.label.empty());
    if (const toml::array* flags = row["flags"].as_array(); flags != nullptr) {
      for (const toml::node& flag : *flags) {
        const toml::array& pair = *flag.as_array();
        column.flags.push_back({static_cast<unsigned>(pair[0].value_or(int64_t{64})), pair[1].value_or(std::string())});
        CHECK(column.flags.back().bit < 64 && !column.flags.back().name.empty());
      }
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

const std::vector<SourceColumnData>& AllSourceColumns() {
  static const std::vector<SourceColumnData>& columns =
      *new std::vector<SourceColumnData>(ParseColumns(EmbeddedFile(kColumnFile)));
  return columns;
}

const SourceColumnData* FindSourceColumn(std::string_view metric) {
  const auto found = std::ranges::find(AllSourceColumns(), metric, &SourceColumnData::metric);
  return found == AllSourceColumns().end() ? nullptr : &*found;
}

const SourceColumnData* FindSourceColumnByLabel(std::string_view label) {
  const auto found = std::ranges::find(AllSourceColumns(), label, &SourceColumnData::label);
  return found == AllSourceColumns().end() ? nullptr : &*found;
}

StallSamples ReadStallMetric(std::string_view metric) {
  // The second is of recorders before 2021.
  for (const std::string_view prefix : {"smsp__pcsamp_warps_issue_stalled_", "smsp__pcsamp_warp_stall_"}) {
    if (!metric.starts_with(prefix)) continue;
    constexpr std::string_view kNotIssued = "_not_issued";
    const std::string_view reason = metric.substr(prefix.size());
    if (!reason.ends_with(kNotIssued)) return {reason, false};
    return {reason.substr(0, reason.size() - kNotIssued.size()), true};
  }
  return {};
}

std::string FlagsText(const SourceColumnData& column, uint64_t bits) {
  std::string text;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((bits >> bit & 1U) == 0) continue;
    const auto named = std::ranges::find(column.flags, bit, &SourceColumnData::Flag::bit);
    if (!text.empty()) text += ',';
    text += named == column.flags.end() ? fmt::format("bit {}", bit) : named->name;
  }
  return text;
}

uint64_t FlagsOf(const SourceColumnData& column, std::string_view text) {
  uint64_t bits = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const auto named = std::ranges::find(column.flags, text.substr(0, end), &SourceColumnData::Flag::name);
    if (named != column.flags.end()) bits |= uint64_t{1} << named->bit;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return bits;
}

}  // namespace warpsight
