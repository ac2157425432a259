#include "analysis/counters/source_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "document/absent.h"

namespace warpsight {
namespace {

constexpr std::string_view kAllStalls = "Warp Stall Sampling (All Samples)";
constexpr std::string_view kNotIssuedStalls = "Warp Stall Sampling (Not-issued Samples)";

std::string PlainSourceNumber(const CounterValue& value) {
  if (const uint64_t* whole = std::get_if<uint64_t>(&value)) return fmt::format("{}", *whole);
  const double number = NumberOf(value).value_or(0);
  return number == std::floor(number) ? fmt::format("{:.0f}", number) : fmt::format("{:.2f}", number);
}

bool HasStalls(const SourceView& view, bool not_issued) {
  return std::ranges::any_of(view.columns(), [&](const SourceColumn& column) {
    return !column.stall.reason.empty() && column.stall.not_issued == not_issued;
  });
}

Cell AllStallsOf(const SourceView& view, uint32_t instruction, bool not_issued) {
  if (!HasStalls(view, not_issued)) return {};
  double samples = 0;
  for (const StallShare& stall : view.Stalls({instruction}, not_issued)) samples += stall.samples;
  return PlainSourceNumber(samples);
}

// Labels of all views, each once, in the order of their first sight.
std::vector<std::string> AllLabels(const std::vector<SourceView>& views) {
  std::vector<std::string> labels;
  std::unordered_map<std::string_view, bool> known;
  for (const SourceView& view : views) {
    for (const SourceColumn& column : view.columns()) {
      if (known.emplace(column.label, true).second) labels.push_back(column.label);
    }
  }
  return labels;
}

void AddPageRows(const SourceView& view, const std::vector<std::string>& labels, Table& table) {
  std::unordered_map<std::string_view, const SourceColumn*> columns;
  for (const SourceColumn& column : view.columns()) columns.emplace(column.label, &column);
  for (uint32_t i = 0; i < view.instructions().size(); ++i) {
    const SourceInstruction& instruction = view.instructions()[i];
    Row row = {view.kernel().id, std::string(view.kernel().full_name), AddressText(instruction.address),
               TextOrAbsent(PrintedInstruction(instruction))};
    if (instruction.line == SourceInstruction::kNone) {
      row.insert(row.end(), {Cell(), Cell()});
    } else {
      const SourceLine& line = view.lines()[instruction.line];
      row.insert(row.end(), {Cell(view.files()[line.file]->path), Cell(int64_t{line.line})});
    }
    row.push_back(AllStallsOf(view, i, false));
    row.push_back(AllStallsOf(view, i, true));
    for (const std::string& label : labels) {
      const auto column = columns.find(label);
      row.push_back(column == columns.end() ? Cell() : Cell(PrintedSourceCell(view, *column->second, i)));
    }
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

std::string PrintedSourceCell(const SourceView& view, const SourceColumn& column, uint32_t instruction) {
  const CounterValue value = view.Value(column, instruction);
  if (column.kind == SourceColumnData::Kind::kFlags) {
    const uint64_t* bits = std::get_if<uint64_t>(&value);
    return bits == nullptr ? "-" : FlagsText(*column.data, *bits);
  }
  return PlainSourceNumber(value);
}

std::string AddressText(uint64_t address) { return fmt::format("{:#x}", address); }

std::string_view PrintedInstruction(const SourceInstruction& instruction) {
  return instruction.text.empty() ? instruction.opcode : instruction.text;
}

Document MakeSourcePageDocument(const std::vector<SourceView>& views) {
  Table table;
  table.columns = {CountColumn("id", "ID"),
                   TextColumn("kernel_name", "Kernel Name"),
                   TextColumn("address", "Address"),
                   TextColumn("source", "Source"),
                   TextColumn("file", "File"),
                   CountColumn("line", "Line"),
                   TextColumn(std::string(kAllStalls), std::string(kAllStalls)),
                   TextColumn(std::string(kNotIssuedStalls), std::string(kNotIssuedStalls))};
  const std::vector<std::string> labels = AllLabels(views);
  for (const std::string& label : labels) table.columns.push_back(TextColumn(label, label));
  for (const SourceView& view : views) AddPageRows(view, labels, table);
  Document document;
  document.verb = "source";
  document.blocks.push_back(std::move(table));
  return document;
}

}  // namespace warpsight
