// CsvReport: what the pages of `ncu --csv` have in common: the columns of a launch, the names of metrics, the ledger.
//
// Place in the flow: CSV records -> CsvReport -> CounterReportParts. Errors: damage goes into the ledger; TooLargeToHold
// when the report costs more than the bytes of the page can state. Threads: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "counters/counter_report.h"
#include "formats/ncu_csv/csv_reader.h"
#include "formats/reading_budget.h"

namespace warpsight {

using CsvRow = std::vector<std::string_view>;

// Where in a record the columns with these names are.
class CsvHeader {
 public:
  static constexpr size_t kNone = ~size_t{0};

  explicit CsvHeader(const CsvRow& names);

  size_t Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name) != kNone; }
  const CsvRow& names() const { return names_; }
  // Columns with a name that an earlier one has; they are not read.
  const std::vector<bool>& is_repeated() const { return is_repeated_; }
  int64_t repeated() const { return repeated_; }

  // The cell of that column; "" when the record has none.
  std::string_view Cell(const CsvRow& row, std::string_view name) const;

 private:
  CsvRow names_;
  std::unordered_map<std::string_view, size_t> places_;
  std::vector<bool> is_repeated_;
  int64_t repeated_ = 0;
};

class CsvReport {
 public:
  CsvReport(CounterReportParts& parts, ReadingBudget& budget) : parts_(parts), budget_(budget) {}

  // A kernel of which the launch columns are read; it is in the report from now on, and valid until the next is added.
  ProfiledKernel& AddKernel(const CsvHeader& header, const CsvRow& row);
  // Adds a metric that the kernel does not have yet, with its base unit; false when it has it.
  bool AddMetric(ProfiledKernel& kernel, std::string_view name, const std::string& unit, const CounterValue& value);
  // The same where the caller knows that the kernel does not have it.
  Metric& AppendMetric(ProfiledKernel& kernel, std::string_view name, const std::string& unit);

  void NoteRepeatedColumns(const CsvHeader& header, int64_t place);
  void NoteDamage(const CsvReader::Damage& damage);
  // Text of the profiled program, or of ncu itself, between the records.
  void NoteForeignLine(int64_t place);
  CounterReportParts& parts() { return parts_; }
  ImportLog& log() { return parts_.log; }
  // What a page appends to a kernel itself is taken from here.
  ReadingBudget& budget() { return budget_; }
  // A text that does not stand in the file.
  std::string_view Keep(std::string text) { return parts_.made_texts.emplace_back(std::move(text)); }

 private:
  uint32_t NameOf(std::string_view name, const std::string& unit);
  uint64_t CapabilityModule(std::string_view capability);
  void AddProcess(uint64_t id, std::string_view host, std::string_view executable);

  CounterReportParts& parts_;
  ReadingBudget& budget_;
  std::unordered_map<std::string_view, uint32_t> names_;
  std::unordered_set<uint32_t> metrics_of_last_;
  std::unordered_set<uint64_t> known_processes_;
  std::unordered_set<uint64_t> known_modules_;
  int64_t last_id_ = -1;
};

// Reads the tables of a page whose headers begin with "ID": every header begins a Table, made of (header, report), which is
// handed the records below it: table.Take(row, is_cut, place), unless table.IsForeign(row) says that a line is none.
template <typename Table>
void ReadTablesOfPage(CsvReader& reader, CsvReport& report) {
  std::optional<Table> table;
  do {
    const CsvRow& row = reader.cells();
    const auto place = static_cast<int64_t>(reader.begin());
    if (row.empty()) continue;
    if (row[0] == "ID") {
      table.emplace(row, report);
      report.NoteRepeatedColumns(table->header(), place);
    } else if (table->IsForeign(row)) {
      report.NoteForeignLine(place);
    } else {
      table->Take(row, reader.is_cut(), place);
    }
  } while (reader.Next());
}

// The pages. Each reads `reader` to its end, of which `header` was the last record.
void ReadRawCsvPage(CsvReader& reader, CsvReport& report);
void ReadDetailsCsvPage(CsvReader& reader, CsvReport& report);
void ReadSourceCsvPage(std::string_view text, CsvReader& reader, CsvReport& report);

}  // namespace warpsight
