#include "formats/ncu_csv/ncu_csv_importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/whole_input.h"
#include "formats/ncu_csv/csv_reader.h"
#include "formats/ncu_csv/csv_report.h"
#include "formats/reading_budget.h"

namespace warpsight {
namespace {

// Pages repeat themselves: those of many equal kernels shrink to a hundredth and less.
constexpr WholeInputLimits kPageLimits = {.most_expansion = 400, .most_bytes = uint64_t{4} << 30};
// A counter of an instruction is a cell of two to four bytes and costs 80.
constexpr uint64_t kMostPageCostPerByte = 48;

enum class CsvPage { kNone, kTable, kSource, kCudaSource };

// What the line starts, when it is the first of a page.
CsvPage PageOfLine(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  for (const std::string_view start : {"\"ID\",\"Process ID\"", "ID,Process ID,"}) {
    if (line.starts_with(start)) return CsvPage::kTable;
  }
  for (const std::string_view start : {"\"Kernel Name\",\"", "\"Address\",\"Source\"", "Address,Source,"}) {
    if (line.starts_with(start)) return CsvPage::kSource;
  }
  for (const std::string_view start : {"\"File Name\",\"", "\"Line No\",\"Source\""}) {
    if (line.starts_with(start)) return CsvPage::kCudaSource;
  }
  return CsvPage::kNone;
}

struct PageStart {
  CsvPage page = CsvPage::kNone;
  size_t at = 0;
  int64_t lines_before = 0;
};

PageStart FindPage(std::string_view text) {
  PageStart start;
  while (start.at < text.size()) {
    const size_t end = std::min(text.find('\n', start.at), text.size());
    start.page = PageOfLine(text.substr(start.at, end - start.at));
    if (start.page != CsvPage::kNone) return start;
    ++start.lines_before;
    start.at = end + 1;
  }
  return start;
}

class NcuCsvImporter final : public CounterImporter {
 public:
  std::string_view name() const override { return "ncu_csv"; }
  std::string_view description() const override { return "a CSV page of Nsight Compute"; }
  bool Recognises(std::string_view head) const override { return FindPage(head).page != CsvPage::kNone; }

  Result<CounterReport> Import(std::unique_ptr<ByteSource> source) const override {
    Result<std::unique_ptr<std::string>> read = ReadWhole(*source, kPageLimits);
    if (!read.ok()) return read.status();
    CounterReportParts parts;
    parts.bytes = std::move(read).value();
    parts.session.file = source->name();
    parts.session.container = source->container();
    const PageStart start = FindPage(*parts.bytes);
    if (start.page == CsvPage::kCudaSource) {
      return LacksError(source->name() +
                        ": is the CUDA view of a source page, which has no counters: export it with ncu --page source "
                        "--print-source sass --csv, or give the .ncu-rep");
    }
    const Status page = ReadPage(std::string_view(*parts.bytes).substr(start.at), start, parts);
    if (!page.ok()) return Status(page.kind(), source->name() + ": " + page.message());
    if (!source->problem().empty()) {
      parts.log.Add("file_cut", ImportSeverity::kError, Effect::kNote, "the file ends early: " + source->problem(), -1);
    }
    return CounterReport(std::move(parts));
  }

 private:
  static Status ReadPage(std::string_view text, const PageStart& start, CounterReportParts& parts) {
    ReadingBudget budget(text.size(), kMostPageCostPerByte);
    CsvReport report(parts, budget);
    try {
      return ReadRecords(text, start, report);
    } catch (const TooLargeToHold&) {
      return UnreadableError(
          "is a damaged CSV page of Nsight Compute: it has more kernels and metrics than what ncu prints into so few bytes: "
          "export it again");
    }
  }

  static Status ReadRecords(std::string_view text, const PageStart& start, CsvReport& report) {
    CsvReader reader(text, report.parts().made_texts);
    if (!reader.Next()) return UnreadableError("is empty: export it again");
    if (reader.damage().long_records > 0)
      return UnreadableError(
          fmt::format("has more than {} columns, more than any page of ncu: export it again", CsvReader::kMostCells));
    for (int64_t i = 0; i < start.lines_before; ++i) report.NoteForeignLine(0);
    if (start.page == CsvPage::kSource) {
      ReadSourceCsvPage(text, reader, report);
    } else if (std::ranges::find(reader.cells(), "Metric Name") != reader.cells().end()) {
      ReadDetailsCsvPage(reader, report);
    } else {
      ReadRawCsvPage(reader, report);
    }
    report.NoteDamage(reader.damage());
    if (!report.parts().kernels.empty()) return OkStatus();
    if (report.log().causes().empty() && !reader.is_cut())
      return LacksError(
          "is a CSV page of Nsight Compute without a kernel: none was profiled, or the report has no such page");
    return UnreadableError(
        "is a CSV page of Nsight Compute without one whole kernel: the export was cut off: export it again");
  }
};

}  // namespace

std::unique_ptr<CounterImporter> MakeNcuCsvImporter() { return std::make_unique<NcuCsvImporter>(); }

}  // namespace warpsight
