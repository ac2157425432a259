#include "render/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/check.h"
#include "document/kernel_name.h"
#include "document/units.h"
#include "render/display_text.h"

namespace warpsight {
namespace {

// A mean in a column of whole units; out of range goes to the nearest end.
std::int64_t RoundedToWhole(double value) {
  constexpr double kEnd = 9.2233720368547748e18;  // largest double below 2^63
  return std::llround(std::clamp(value, -kEnd, kEnd));
}

std::string FormatInteger(std::int64_t value, const Column& column) {
  switch (column.kind) {
    case ColumnKind::kDurationNs:
      return FormatDuration(value);
    case ColumnKind::kBytes:
      return FormatBytes(value);
    case ColumnKind::kShare:
      return FormatShare(static_cast<double>(value));
    case ColumnKind::kNumber:
    case ColumnKind::kCount:
      return FormatCount(value);
    case ColumnKind::kText:
    case ColumnKind::kName:
    case ColumnKind::kKernelName:
      return fmt::format("{}", value);  // an identifier: a device, a stream
  }
  CHECK(false);
}

std::string FormatReal(double value, const Column& column) {
  switch (column.kind) {
    case ColumnKind::kDurationNs:
      return std::isfinite(value) ? FormatDuration(RoundedToWhole(value)) : "-";
    case ColumnKind::kBytes:
      return std::isfinite(value) ? FormatBytes(RoundedToWhole(value)) : "-";
    case ColumnKind::kShare:
      return FormatShare(value);
    case ColumnKind::kCount:
    case ColumnKind::kNumber:
    case ColumnKind::kText:
    case ColumnKind::kName:
    case ColumnKind::kKernelName:
      return FormatNumber(value, column.decimals);
  }
  CHECK(false);
}

// Right alignment alone would put "s" under the "s" of "ms" and so shift the number by one column.
void LineUpUnits(CellTexts& texts, std::size_t column) {
  const auto unit_size = [](const std::string& text) {
    const std::size_t space = text.rfind(' ');
    return space == std::string::npos ? std::size_t{0} : text.size() - space - 1;
  };
  std::size_t widest = 0;
  for (const auto& row : texts.rows) widest = std::max(widest, unit_size(row[column]));
  for (auto& row : texts.rows) {
    const std::size_t size = unit_size(row[column]);
    if (size > 0) row[column].append(widest - size, ' ');
  }
}

}  // namespace

std::string FormatCell(const Cell& cell, const Column& column, bool ascii) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return FormatInteger(*integer, column);
  if (const auto* real = std::get_if<double>(&cell)) return FormatReal(*real, column);
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return Printable(column.kind == ColumnKind::kKernelName ? ShortKernelName(*text) : *text, ascii);
  }
  return "-";
}

CellTexts FormatCells(const Table& table, bool ascii) {
  CellTexts texts;
  for (const Column& column : table.columns) texts.headers.push_back(Printable(column.header, ascii));
  texts.rows.reserve(table.rows.size());
  for (const Row& row : table.rows) {
    CHECK(row.size() == table.columns.size());
    std::vector<std::string>& cells = texts.rows.emplace_back();
    cells.reserve(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(FormatCell(row[i], table.columns[i], ascii));
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnKind kind = table.columns[i].kind;
    if (kind == ColumnKind::kDurationNs || kind == ColumnKind::kBytes) LineUpUnits(texts, i);
  }
  return texts;
}

}  // namespace warpsight
