#include <algorithm>
#include <array>
#include <string>

#include "formats/ncu_csv/csv_report.h"
#include "formats/ncu_csv/printed_value.h"

namespace warpsight {
namespace {

constexpr std::array<std::string_view, 11> kLaunchColumns = {
    "ID",     "Process ID", "Process Name", "Host Name", "Kernel Name", "Context",
    "Stream", "Block Size", "Grid Size",    "Device",    "CC"};

bool IsMetricColumn(const CsvHeader& header, size_t column) {
  const std::string_view name = header.names()[column];
  if (name.empty() || header.is_repeated()[column]) return false;
  // Open NVTX ranges: "thread Domain:Push/Pop_Range:...", "Id:Domain:Start/Stop_Range:...".
  if (name.find("Domain:") != std::string_view::npos) return false;
  return std::ranges::find(kLaunchColumns, name) == kLaunchColumns.end();
}

// One header and the records below it.
class RawTable {
 public:
  RawTable(const CsvRow& header, CsvReport& report) : header_(header), report_(report), units_(header.size()) {}

  const CsvHeader& header() const { return header_; }

  bool IsForeign(const CsvRow& row) const { return row.size() == 1 && header_.names().size() > 1; }
  void Take(const CsvRow& row, bool is_cut, int64_t place) {
    if (!TakeUnits(row)) TakeKernel(row, is_cut, place);
  }

 private:
  // The record below the header has units, and no kernel.
  bool TakeUnits(const CsvRow& row) {
    if (has_rows_ || !header_.Cell(row, "ID").empty()) return false;
    for (size_t i = 0; i < std::min(row.size(), units_.size()); ++i) units_[i] = ReadPrintedUnit(row[i]);
    return true;
  }

  void TakeKernel(const CsvRow& row, bool is_cut, int64_t place) {
    has_rows_ = true;
    ProfiledKernel& kernel = report_.AddKernel(header_, row);
    for (size_t i = 0; i < std::min(row.size(), units_.size()); ++i) {
      if (!IsMetricColumn(header_, i) || row[i].empty()) continue;
      report_.AppendMetric(kernel, header_.names()[i], units_[i].base).value = ReadPrintedValue(row[i], units_[i]);
    }
    if (is_cut || row.size() < units_.size()) {
      report_.log().Add("record_short", ImportSeverity::kError, Effect::kRepaired,
                        "a kernel has fewer cells than the header has columns: the rest of its metrics is missing", place);
    } else if (row.size() > units_.size()) {
      report_.log().Add("record_long", ImportSeverity::kError, Effect::kRepaired,
                        "a kernel has more cells than the header has columns: its values may stand under wrong names",
                        place);
    }
  }

  CsvHeader header_;
  CsvReport& report_;
  std::vector<PrintedUnit> units_;
  bool has_rows_ = false;
};

}  // namespace

void ReadRawCsvPage(CsvReader& reader, CsvReport& report) { ReadTablesOfPage<RawTable>(reader, report); }

}  // namespace warpsight
