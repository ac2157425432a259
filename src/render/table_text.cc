#include "render/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "document/kernel_name.h"
#include "render/cell_text.h"
#include "render/display_text.h"
#include "render/table_layout.h"

namespace warpsight {
namespace {

// Padding of the last column; copied output with invisible spaces at line ends annoys.
void TrimRight(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

class TextTableWriter {
 public:
  TextTableWriter(const Table& table, const TextStyle& style, int width)
      : table_(table), style_(style), width_(width), texts_(FormatCells(table, style.ascii)) {}

  std::vector<std::string> Write() {
    layout_ = LayOutTable(table_, texts_, width_);
    AddWrapped(table_.title, Ink::kBold);
    if (layout_.stacked) {
      AddStack();
    } else if (!table_.columns.empty()) {
      AddGrid();
    }
    if (table_.rows.empty()) lines_.push_back(Painted("(none)", Ink::kDim, style_));
    AddWrapped(HiddenNote(), Ink::kDim);
    AddWrapped(table_.footnote, Ink::kDim);
    return std::move(lines_);
  }

 private:
  void AddWrapped(const std::string& text, Ink ink) {
    if (text.empty()) return;
    for (const std::string& line : Wrap(Printable(text, style_.ascii), width_)) lines_.push_back(Painted(line, ink, style_));
  }

  void AddGrid() {
    AddHeaders();
    AddRule();
    for (const auto& row : texts_.rows) {
      AddRow([&](std::size_t column) -> std::string_view { return row[column]; });
    }
  }

  // Several header lines stand on the rule, so the gaps are at the top.
  void AddHeaders() {
    std::vector<std::vector<std::string>> headers;
    std::size_t height = 1;
    for (std::size_t i = 0; i < layout_.shown.size(); ++i) {
      headers.push_back(Wrap(texts_.headers[layout_.shown[i]], layout_.widths[i]));
      height = std::max(height, headers.back().size());
    }
    for (std::vector<std::string>& header : headers) header.insert(header.begin(), height - header.size(), "");
    for (std::size_t line = 0; line < height; ++line) {
      std::size_t next = 0;
      AddRow([&](std::size_t) -> std::string_view { return headers[next++][line]; });
    }
  }

  // One dashed segment per column shows where each begins and ends even without colour.
  void AddRule() {
    std::string rule;
    for (std::size_t i = 0; i < layout_.widths.size(); ++i) {
      if (i > 0) rule.append(kGutter, ' ');
      for (int dash = 0; dash < layout_.widths[i]; ++dash) rule += style_.ascii ? "-" : "\xE2\x94\x80";
    }
    lines_.push_back(Painted(rule, Ink::kDim, style_));
  }

  // `text_of(column)` is called once for each shown column, in order.
  template <typename TextOf>
  void AddRow(TextOf text_of) {
    std::string line;
    for (std::size_t i = 0; i < layout_.shown.size(); ++i) {
      const Column& column = table_.columns[layout_.shown[i]];
      if (i > 0) line.append(kGutter, ' ');
      const std::string_view text = text_of(layout_.shown[i]);
      line += Pad(Fitting(text, column, layout_.widths[i]), layout_.widths[i], column.align == Align::kRight);
    }
    TrimRight(line);
    lines_.push_back(std::move(line));
  }

  // Of a name the namespaces go first, then the middle.
  std::string Fitting(std::string_view text, const Column& column, int width) const {
    if (!column.can_shrink || DisplayWidth(text) <= width) return std::string(text);
    if (column.kind == ColumnKind::kName || column.kind == ColumnKind::kKernelName) text = WithoutNamespaces(text);
    return ShortenMiddle(text, width, style_.ascii);
  }

  void AddStack() {
    int label_width = 0;
    for (const std::string& header : texts_.headers) label_width = std::max(label_width, DisplayWidth(header));
    const int value_column = label_width + kGutter;
    for (std::size_t row = 0; row < texts_.rows.size(); ++row) {
      if (row > 0) lines_.emplace_back();
      for (std::size_t column = 0; column < texts_.headers.size(); ++column) {
        AddStackedCell(texts_.headers[column], texts_.rows[row][column], value_column);
      }
    }
  }

  // On a terminal too narrow for label and value side by side the value goes below its label.
  void AddStackedCell(const std::string& label, const std::string& value, int value_column) {
    constexpr int kNarrowestValue = 16;
    constexpr int kBelowIndent = 2;
    const bool below = width_ - value_column < kNarrowestValue;
    const int indent = below ? kBelowIndent : value_column;
    if (below) lines_.push_back(Painted(label, Ink::kDim, style_));
    bool first = !below;
    for (const std::string& line : Wrap(value, std::max(width_ - indent, kNarrowestValue))) {
      const std::string start =
          first ? Painted(label, Ink::kDim, style_) + Pad("", indent - DisplayWidth(label), false) : Pad("", indent, false);
      lines_.push_back(start + line);
      TrimRight(lines_.back());
      first = false;
    }
  }

  std::string HiddenNote() const {
    if (layout_.hidden.empty()) return "";
    std::string names;
    for (const std::size_t column : layout_.hidden) {
      if (!names.empty()) names += ", ";
      names += table_.columns[column].header;
    }
    return fmt::format("Left out, the terminal is too narrow: {}.", names);
  }

  const Table& table_;
  const TextStyle& style_;
  int width_;
  CellTexts texts_;
  TableLayout layout_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> TableLines(const Table& table, const TextStyle& style, int width) {
  return TextTableWriter(table, style, width).Write();
}

}  // namespace warpsight
