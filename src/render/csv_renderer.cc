#include "render/csv_renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <variant>

#include "base/check.h"
#include "render/display_text.h"

namespace warpsight {
namespace {

// Printable() without touching the three controls that belong in CSV.
std::string Cleaned(std::string_view text) {
  constexpr std::string_view kKept = "\n\r\t";
  std::string cleaned;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(kKept, at), text.size());
    cleaned += Printable(text.substr(at, end - at), /*ascii=*/false);
    if (end < text.size()) cleaned += text[end];
    at = end + 1;
  }
  return cleaned;
}

// Outer spaces are quoted too: many readers strip them from bare fields.
std::string Quoted(std::string_view text) {
  std::string field = Cleaned(text);
  const bool has_outer_space = !field.empty() && (field.front() == ' ' || field.back() == ' ');
  if (!has_outer_space && field.find_first_of(",\"\n\r") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  quoted += '"';
  return quoted;
}

// The default form of fmt for a double is the shortest one that reads back as the same value.
std::string ExactText(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&cell)) return std::isfinite(*real) ? fmt::format("{}", *real) : "";
  if (const auto* text = std::get_if<std::string>(&cell)) return Quoted(*text);
  return "";
}

// As people read it, but without separators in numbers.
std::string ReadText(const Column& column, const Cell& cell) {
  const auto* real = std::get_if<double>(&cell);
  if (real == nullptr || !std::isfinite(*real)) return ExactText(cell);
  if (column.kind == ColumnKind::kShare) return fmt::format("{:.1f}", *real * 100);
  return column.decimals < 0 ? ExactText(cell) : fmt::format("{:.{}f}", *real, column.decimals);
}

}  // namespace

std::string RenderCsv(const Table& table) {
  std::string csv;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) csv += ',';
    csv += Quoted(table.csv_as_read ? table.columns[i].header : table.columns[i].key);
  }
  csv += '\n';
  for (const Row& row : table.rows) {
    CHECK(row.size() == table.columns.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) csv += ',';
      csv += table.csv_as_read ? ReadText(table.columns[i], row[i]) : ExactText(row[i]);
    }
    csv += '\n';
  }
  return csv;
}

Result<std::string> RenderCsv(const Document& document) {
  const Result<const Table*> table = OnlyTable(document);
  if (!table.ok()) return table.status();
  return RenderCsv(**table);
}

}  // namespace warpsight
