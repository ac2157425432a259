#include "render/html_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "base/check.h"
#include "document/kernel_name.h"
#include "document/units.h"
#include "render/cell_text.h"
#include "render/html_text.h"

namespace warpsight {
namespace {

constexpr std::size_t kRowsWorthSorting = 3;
constexpr std::size_t kRowsWorthFiltering = 13;
constexpr std::size_t kColumnsThatAreMany = 11;
constexpr std::size_t kRowsOnPaper = 60;    // as the style sheet prints them
constexpr std::size_t kLongestName = 1200;  // bytes of one name

bool IsNumber(const Column& column) {
  return column.kind != ColumnKind::kText && column.kind != ColumnKind::kName && column.kind != ColumnKind::kKernelName;
}
bool HasUnit(const Column& column) { return column.kind == ColumnKind::kDurationNs || column.kind == ColumnKind::kBytes; }

std::string ExactValue(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&cell)) return std::isfinite(*real) ? fmt::format("{}", *real) : "";
  return "";
}

// A share is drawn behind its number, when it is one of a whole.
std::string ShareStyle(const Cell& cell, const Column& column) {
  const auto* share = std::get_if<double>(&cell);
  if (column.kind != ColumnKind::kShare || share == nullptr || !(*share > 0) || *share > 1) return "";
  return fmt::format(" style=\"--s:{}%\"", Percent(*share));
}

void AppendNumber(const Cell& cell, const Column& column, std::string_view classes, std::string& out) {
  const std::string value = ExactValue(cell);
  const std::string text = Escaped(FormatCell(cell, column, /*ascii=*/false));
  out += fmt::format("<td{}{}{}>", classes, value.empty() ? "" : fmt::format(" data-v=\"{}\"", value),
                     ShareStyle(cell, column));
  out += HasUnit(column) && !value.empty() ? WithUnit(text) : text;
  out += "</td>";
}

std::string ShownText(const Cell& cell, const Column& column) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr || column.kind == ColumnKind::kKernelName ? FormatCell(cell, column, false) : *text;
}

void AppendText(const Cell& cell, const Column& column, bool is_row_header, std::string_view classes, std::string& out) {
  const char* const tag = is_row_header ? "th" : "td";
  out += fmt::format("<{}{}{}>", tag, is_row_header ? " scope=\"row\"" : "", classes);
  const auto* text = std::get_if<std::string>(&cell);
  const std::string shown = ShownText(cell, column);
  if (text != nullptr && column.kind == ColumnKind::kKernelName && shown != *text) {
    out += fmt::format("<span class=\"short\">{}</span><span class=\"full\">{}</span>", Escaped(shown),
                       EscapedAndCut(*text, kLongestName));
  } else {
    out += EscapedAndCut(shown, kLongestName);
  }
  out += fmt::format("</{}>", tag);
}

class HtmlTableWriter {
 public:
  HtmlTableWriter(const Table& table, std::string_view id, std::string_view name, std::string& out)
      : table_(table), id_(id), name_(table.title.empty() ? name : table.title), out_(out) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (!IsLeftOut(i)) columns_.push_back({i, table.columns[i], ClassesOf(i)});
    }
  }

  void Write() {
    std::string rows;
    const std::size_t shown = AppendRows(rows);
    if (shown >= kRowsWorthFiltering) AppendTools(shown);
    out_ +=
        fmt::format("<div class=\"scroll\" role=\"region\" aria-labelledby=\"{}-name\" tabindex=\"0\"><table id=\"{}\"{}>",
                    id_, id_, columns_.size() >= kColumnsThatAreMany ? " class=\"dense\"" : "");
    // A table without a title stands below a heading that says the same: its name is for those who hear the page.
    out_ += fmt::format("<caption id=\"{}-name\"{}>{}</caption>", id_, table_.title.empty() ? " class=\"hush\"" : "",
                        Escaped(name_));
    AppendHead();
    out_ += rows;
    out_ += "</table></div>\n";
    AppendFootnotes(shown);
  }

 private:
  void AppendTools(std::size_t shown) {
    out_ += fmt::format(
        "<div class=\"tools\" data-table=\"{}\" hidden><label>Filter<input type=\"search\" aria-label=\"Filter {}\" "
        "aria-controls=\"{}\" autocomplete=\"off\" spellcheck=\"false\"></label>",
        id_, Escaped(name_), id_);
    const bool has_full_names = std::any_of(table_.columns.begin(), table_.columns.end(),
                                            [](const Column& column) { return column.kind == ColumnKind::kKernelName; });
    if (has_full_names) out_ += "<label><input type=\"checkbox\">Whole kernel names</label>";
    out_ += fmt::format("<output role=\"status\">{} rows</output></div>", FormatCount(static_cast<std::int64_t>(shown)));
  }

  void AppendHead() {
    const bool sorts = table_.rows.size() >= kRowsWorthSorting;
    out_ += "<thead><tr>";
    for (const auto& [index, column, classes] : columns_) {
      const std::string header = Escaped(column.header);
      out_ += fmt::format("<th scope=\"col\"{}{}>", ClassAttribute(IsNumber(column) ? "n" : "", column),
                          sorts ? " aria-sort=\"none\"" : "");
      out_ += sorts ? fmt::format("<button type=\"button\">{}</button>", header) : header;
      out_ += "</th>";
    }
    out_ += "</tr></thead>";
  }

  // Returns how many rows were written.
  std::size_t AppendRows(std::string& out) const {
    // What a row is about: its first text.
    const auto header = std::find_if(columns_.begin(), columns_.end(), [](const Shown& c) { return !IsNumber(c.column); });
    const std::size_t header_index = header == columns_.end() ? table_.columns.size() : header->index;
    out += "<tbody>";
    std::size_t shown = 0;
    for (const Row& row : table_.rows) {
      if (out.size() > kMaxTableBytes) break;
      CHECK(row.size() == table_.columns.size());
      out += "<tr>";
      for (const auto& [index, column, classes] : columns_) {
        IsNumber(column) ? AppendNumber(row[index], column, classes, out)
                         : AppendText(row[index], column, index == header_index, classes, out);
      }
      out += "</tr>\n";
      ++shown;
    }
    out += "</tbody>";
    return shown;
  }

  void AppendFootnotes(std::size_t shown) {
    if (table_.rows.empty()) out_ += "<p class=\"remark\">(none)</p>\n";
    if (shown < table_.rows.size()) {
      out_ += fmt::format("<p class=\"remark\">{} more rows are left out to keep the page small: --csv has all.</p>\n",
                          FormatCount(static_cast<std::int64_t>(table_.rows.size() - shown)));
    }
    if (!table_.footnote.empty()) out_ += fmt::format("<p class=\"remark\">{}</p>\n", Escaped(table_.footnote));
    std::string hidden;
    std::string minor;
    for (const Shown& one : columns_) {
      if (one.column.can_hide) hidden += (hidden.empty() ? "" : ", ") + one.column.header;
      if (one.column.is_minor && !one.column.can_hide) minor += (minor.empty() ? "" : ", ") + one.column.header;
    }
    if (!minor.empty())
      out_ += fmt::format("<p class=\"remark slim\">Left out on a narrow screen: {}.</p>\n", Escaped(minor));
    if (!hidden.empty()) {
      out_ += fmt::format("<p class=\"remark narrow\">Left out on a narrow screen and on paper: {}.</p>\n", Escaped(hidden));
    }
    if (shown > kRowsOnPaper) {
      out_ += fmt::format("<p class=\"remark paper\">On paper the first {} rows of {}.</p>\n", kRowsOnPaper,
                          FormatCount(static_cast<std::int64_t>(shown)));
    }
  }

  struct Shown {
    std::size_t index = 0;  // in the table
    const Column& column;
    std::string classes;  // of its cells: an attribute, or nothing
  };

  // Narrow screens and paper leave out what a narrow terminal does, narrow screens minor columns as well.
  static std::string ClassAttribute(std::string_view names, const Column& column) {
    const std::string_view may_go = column.can_hide ? "opt" : column.is_minor ? "wide" : "";
    if (names.empty() && may_go.empty()) return "";
    return fmt::format(" class=\"{}{}{}\"", names, names.empty() || may_go.empty() ? "" : " ", may_go);
  }

  // A column that says nothing in any row only takes room; CSV has it.
  bool IsLeftOut(std::size_t index) const {
    return table_.columns[index].can_hide && !table_.rows.empty() &&
           std::all_of(table_.rows.begin(), table_.rows.end(), [index](const Row& row) {
             return index < row.size() && std::holds_alternative<std::monostate>(row[index]);
           });
  }

  // Long names are broken into lines of a readable length, short texts not at all.
  std::string ClassesOf(std::size_t index) const {
    constexpr std::size_t kShort = 30;
    const Column& column = table_.columns[index];
    if (IsNumber(column)) return ClassAttribute(column.kind == ColumnKind::kShare ? "n s" : "n", column);
    const bool is_long = std::any_of(table_.rows.begin(), table_.rows.end(), [&](const Row& row) {
      return index < row.size() && ShownText(row[index], column).size() > kShort;
    });
    return ClassAttribute(is_long ? "name" : "", column);
  }

  const Table& table_;
  std::string_view id_;
  std::string_view name_;
  std::string& out_;
  std::vector<Shown> columns_;
};

}  // namespace

void AppendHtmlTable(const Table& table, std::string_view id, std::string_view fallback_name, std::string& out) {
  HtmlTableWriter(table, id, fallback_name, out).Write();
}

}  // namespace warpsight
