// data/counter_sections.toml, parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counters/formula.h"

namespace warpsight {

struct SectionRowData {
  std::string label;
  std::vector<std::string> metrics;
  std::optional<Formula> formula;
  std::string unit;  // of a formula
};

struct SectionListData {
  enum class Kind { kBreakdown, kPattern, kInstances };
  Kind kind = Kind::kBreakdown;
  std::string title;
  std::string metric;
};

struct SectionTableData {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // label, then a metric a column; "" = none
};

struct SectionData {
  std::string id;
  std::string title;
  std::vector<std::string> covers;
  std::vector<SectionRowData> rows;
  std::vector<SectionListData> lists;
  std::vector<SectionTableData> tables;
};

// "lts__t_sectors.avg.pct" -> "L2: T Sectors", as ncu labels the rows of a breakdown; of units that it has no word for the
// metric's name without what it is rolled up by.
std::string BreakdownLabel(std::string_view metric);

// In the order of the file. Parsed once; thread-safe.
const std::vector<SectionData>& AllSectionData();

}  // namespace warpsight
