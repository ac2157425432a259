#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counters/source_columns.h"
#include "formats/ncu_csv/csv_report.h"
#include "formats/ncu_csv/printed_value.h"

namespace warpsight {
namespace {

// Sums over stall reasons, which stand in columns of their own.
constexpr std::string_view kStallSums = "Warp Stall Sampling";

struct SourceCell {
  uint64_t address = 0;
  CounterValue value;
};

// One kernel: a header and a record for each instruction.
class SourceBlock {
 public:
  SourceBlock(std::string_view kernel_name, size_t begin) : kernel_name_(kernel_name), begin_(begin) {}

  bool has_header() const { return !columns_.empty(); }
  size_t begin() const { return begin_; }

  void TakeHeader(const CsvRow& names, CsvReport& report) {
    header_.emplace(names);
    report.NoteRepeatedColumns(*header_, static_cast<int64_t>(begin_));
    columns_.resize(names.size());
    for (const std::string_view name : names) known_.push_back(FindSourceColumnByLabel(name));
  }

  void TakeInstruction(const CsvRow& row, bool is_cut, int64_t place, CsvReport& report) {
    const uint64_t address = ReadPrintedWhole(header_->Cell(row, "Address"), 0);
    if (address == 0 || is_cut || row.size() != columns_.size()) {
      report.log().Add("record_short", ImportSeverity::kWarning, Effect::kNote,
                       "instructions that are not whole were passed over", place);
      return;
    }
    std::string_view text = header_->Cell(row, "Source");
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    report.budget().Append(texts_, {address, text});
    for (size_t i = 0; i < row.size(); ++i) {
      if (!IsCounter(i)) continue;
      if (CounterValue value = ReadCell(i, row[i]); !IsAbsent(value)) report.budget().Append(columns_[i], {address, value});
    }
  }

  void AddTo(CsvReport& report) {
    if (texts_.empty()) return;
    ProfiledKernel& kernel = report.AddKernel(CsvHeader({}), {});
    kernel.full_name = kernel_name_;
    kernel.function_name = kernel_name_.substr(0, kernel_name_.find('('));
    kernel.instruction_texts = std::move(texts_);
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (IsCounter(i)) AddColumn(i, kernel, report);
    }
  }

 private:
  bool IsCounter(size_t column) const {
    const std::string_view name = header_->names()[column];
    return !name.empty() && name != "Address" && name != "Source" && name != "#" && !name.starts_with(kStallSums) &&
           !header_->is_repeated()[column];
  }

  CounterValue ReadCell(size_t column, std::string_view cell) const {
    const SourceColumnData* data = known_[column];
    if (data == nullptr || data->kind != SourceColumnData::Kind::kFlags) return ReadPrintedValue(cell, {});
    if (cell == "-") return {};
    return FlagsOf(*data, cell);
  }

  void AddColumn(size_t column, ProfiledKernel& kernel, CsvReport& report) {
    const std::string_view label = header_->names()[column];
    const SourceColumnData* data = known_[column];
    Metric& metric = report.AppendMetric(kernel, data == nullptr ? label : std::string_view(data->metric), "");
    uint64_t sum = 0;
    report.budget().Take(columns_[column].size() * sizeof(MetricInstance));
    for (const SourceCell& cell : columns_[column]) {
      if (const uint64_t* whole = std::get_if<uint64_t>(&cell.value)) sum += *whole;
      kernel.instances.push_back({cell.address, cell.value});
    }
    metric.instance_count = static_cast<uint32_t>(kernel.instances.size()) - metric.first_instance;
    columns_[column] = {};
    if (data != nullptr && data->kind == SourceColumnData::Kind::kCount) metric.value = sum;
  }

  std::string_view kernel_name_;
  size_t begin_;
  std::optional<CsvHeader> header_;
  std::vector<const SourceColumnData*> known_;  // one a column; null when the table has none of that label
  std::vector<InstructionText> texts_;
  std::vector<std::vector<SourceCell>> columns_;
};

}  // namespace

void ReadSourceCsvPage(std::string_view text, CsvReader& reader, CsvReport& report) {
  std::optional<SourceBlock> block;
  std::string_view last_block;
  // ncu prints a kernel once for each view that was asked for: the same records again are no further launch.
  const auto finish = [&](size_t end) {
    if (!block) return;
    const std::string_view whole = text.substr(block->begin(), end - block->begin());
    if (whole == last_block) {
      report.log().Add("kernel_repeated", ImportSeverity::kInfo, Effect::kNote,
                       "kernels that are printed twice, with the same records, were read once",
                       static_cast<int64_t>(block->begin()));
    } else {
      block->AddTo(report);
    }
    last_block = whole;
    block.reset();
  };
  do {
    const CsvRow& row = reader.cells();
    const auto place = static_cast<int64_t>(reader.begin());
    const bool is_header = std::ranges::find(row, "Address") != row.end();
    if (row.size() >= 2 && row[0] == "Kernel Name") {
      finish(reader.begin());
      block.emplace(row[1], reader.begin());
    } else if (is_header) {
      if (!block || block->has_header()) {
        finish(reader.begin());
        block.emplace(std::string_view("kernel"), reader.begin());
      }
      block->TakeHeader(row, report);
    } else if (row.size() < 2 || !block || !block->has_header()) {
      report.NoteForeignLine(place);
    } else {
      block->TakeInstruction(row, reader.is_cut(), place, report);
    }
  } while (reader.Next());
  finish(text.size());
}

}  // namespace warpsight
