// The sections of a kernel's counters, recomputed from its metrics: speed of light, compute, memory, scheduler, ...
//
// Place in the flow: CounterReport + data/counter_sections.toml -> typed rows -> documents. Rows that the kernel has no
// metric for are left out, and so are sections without rows: absent is never 0. Sections that a report brings itself, and
// the data file does not cover, follow as the report describes them. Values are in base units. Errors: none. Threads: pure
// functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "counters/counter_report.h"
#include "counters/metric_unit.h"

namespace warpsight {

struct SectionRow {
  std::string label;
  std::string metric;  // its name; for a computed row the formula
  CounterValue value;  // texts point into the report
  std::string unit;    // base unit
};

struct SectionTable {
  std::string title;
  std::vector<std::string> columns;  // without the one for the labels
  struct Row {
    std::string label;
    std::vector<SectionRow> cells;  // one a column; an absent value where the kernel has none
  };
  std::vector<Row> rows;
};

// Rows of the same meaning, largest first: a breakdown, stall reasons, opcodes.
struct SectionList {
  std::string title;
  std::vector<SectionRow> rows;
};

struct SectionResult {
  std::string id;
  std::string title;
  std::vector<SectionRow> rows;
  std::vector<SectionList> lists;
  std::vector<SectionTable> tables;
};

std::vector<SectionResult> MakeSections(const CounterReport& report, const ProfiledKernel& kernel, const UnitContext& units);

// The value with its unit as ncu's details page has them: ("14.62", "Gbyte/s").
struct PrintedValue {
  std::string value;
  std::string unit;
};
PrintedValue PrintRow(const SectionRow& row);

// Every metric name and formula of the data file, for its test.
std::vector<std::string> AllSectionMetrics();

}  // namespace warpsight
