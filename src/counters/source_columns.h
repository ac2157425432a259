// The per-instruction counters that source pages show: their labels and how they are put together
// (data/source_columns.toml).
//
// Place in the flow: reports name their own columns (CounterSection::source_columns); this table is for those that do not,
// and for CSV files, which have labels only. Errors: none. Threads: the data is read once; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "counters/counter_value.h"

namespace warpsight {

struct SourceColumnData {
  enum class Kind : uint8_t { kCount, kAverage, kFlags };
  struct Flag {
    unsigned bit = 0;
    std::string name;
  };

  std::string metric;
  std::string label;
  Kind kind = Kind::kCount;
  std::vector<Flag> flags;
};

const std::vector<SourceColumnData>& AllSourceColumns();
// nullptr when the table has none.
const SourceColumnData* FindSourceColumn(std::string_view metric);
const SourceColumnData* FindSourceColumnByLabel(std::string_view label);

// Stall samples by reason: "smsp__pcsamp_warps_issue_stalled_long_scoreboard" is of "long_scoreboard".
struct StallSamples {
  std::string_view reason;  // empty = the metric is no such thing
  bool not_issued = false;  // only samples in which the scheduler issued nothing
};
StallSamples ReadStallMetric(std::string_view metric);

// The names of a set of bits, "Global,Shared"; "" of none.
std::string FlagsText(const SourceColumnData& column, uint64_t bits);
// The bits that have these names.
uint64_t FlagsOf(const SourceColumnData& column, std::string_view text);

}  // namespace warpsight
