#include "render/html_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "base/check.h"
#include "document/kernel_name.h"
#include "document/units.h"
#include "render/cell_text.h"
#include "render/html_text.h"

namespace warpsight {
namespace {

constexpr std::size_t kRowsWorthSorting = 3;
constexpr std::size_t kRowsWorthFiltering = 13;
constexpr std::size_t kRowsOnPaper = 60;    // as the style sheet prints them
constexpr std::size_t kLongestName = 1200;  // bytes of one name

bool IsNumber(const Column& column) {
  return column.kind != ColumnKind::kText && column.kind != ColumnKind::kName && column.kind != ColumnKind::kKernelName;
}
bool HasUnit(const Column& column) { return column.kind == ColumnKind::kDurationNs || column.kind == ColumnKind::kBytes; }
bool IsName(const Column& column) { return column.kind == ColumnKind::kName || column.kind == ColumnKind::kKernelName; }

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

void AppendNumber(const Cell& cell, const Column& column, std::string& out) {
  const std::string value = ExactValue(cell);
  const std::string text = Escaped(FormatCell(cell, column, /*ascii=*/false));
  out += fmt::format("<td class=\"n{}\"{}{}>", column.kind == ColumnKind::kShare ? " s" : "",
                     value.empty() ? "" : fmt::format(" data-v=\"{}\"", value), ShareStyle(cell, column));
  out += HasUnit(column) && !value.empty() ? WithUnit(text) : text;
  out += "</td>";
}

void AppendText(const Cell& cell, const Column& column, bool is_row_header, std::string& out) {
  const char* const tag = is_row_header ? "th" : "td";
  out += fmt::format("<{}{}{}>", tag, is_row_header ? " scope=\"row\"" : "", IsName(column) ? " class=\"name\"" : "");
  const auto* text = std::get_if<std::string>(&cell);
  const std::string shown =
      text == nullptr || column.kind == ColumnKind::kKernelName ? FormatCell(cell, column, false) : *text;
  if (text != nullptr && column.kind == ColumnKind::kKernelName && shown != *text) {
    out += fmt::format("<span class=\"short\">{}</span><span class=\"full\">{}</span>", Escaped(shown),
                       EscapedAndCut(*text, kLongestName));
  } else {
    out += EscapedAndCut(shown, kLongestName);
  }
  out += fmt::format("</{}>", tag);
}

class TableWriter {
 public:
  TableWriter(const Table& table, std::string_view id, std::string_view name, std::string& out)
      : table_(table), id_(id), name_(table.title.empty() ? name : table.title), out_(out) {}

  void Write() {
    if (table_.rows.size() >= kRowsWorthFiltering) AppendTools();
    out_ += fmt::format("<div class=\"scroll\" role=\"region\" aria-labelledby=\"{}-name\" tabindex=\"0\"><table id=\"{}\">",
                        id_, id_);
    // A table without a title stands below a heading that says the same: its name is for those who hear the page.
    out_ += fmt::format("<caption id=\"{}-name\"{}>{}</caption>", id_, table_.title.empty() ? " class=\"hush\"" : "",
                        Escaped(name_));
    AppendHead();
    const std::size_t shown = AppendRows();
    out_ += "</table></div>\n";
    AppendFootnotes(shown);
  }

 private:
  void AppendTools() {
    out_ += fmt::format(
        "<div class=\"tools\" data-table=\"{}\" hidden><label>Filter<input type=\"search\" aria-label=\"Filter {}\" "
        "aria-controls=\"{}\" autocomplete=\"off\" spellcheck=\"false\"></label>",
        id_, Escaped(name_), id_);
    const bool has_full_names = std::any_of(table_.columns.begin(), table_.columns.end(),
                                            [](const Column& column) { return column.kind == ColumnKind::kKernelName; });
    if (has_full_names) out_ += "<label><input type=\"checkbox\">Whole kernel names</label>";
    out_ += fmt::format("<output role=\"status\">{} rows</output></div>", FormatCount(std::ssize(table_.rows)));
  }

  void AppendHead() {
    const bool sorts = table_.rows.size() >= kRowsWorthSorting;
    out_ += "<thead><tr>";
    for (const Column& column : table_.columns) {
      const std::string header = Escaped(column.header);
      out_ +=
          fmt::format("<th scope=\"col\"{}{}>", IsNumber(column) ? " class=\"n\"" : "", sorts ? " aria-sort=\"none\"" : "");
      out_ += sorts ? fmt::format("<button type=\"button\">{}</button>", header) : header;
      out_ += "</th>";
    }
    out_ += "</tr></thead>";
  }

  // Returns how many rows were written.
  std::size_t AppendRows() {
    const auto header =
        std::find_if(table_.columns.begin(), table_.columns.end(), [](const Column& c) { return !IsNumber(c); });
    const auto header_index = static_cast<std::size_t>(header - table_.columns.begin());
    const std::size_t begin = out_.size();
    out_ += "<tbody>";
    std::size_t shown = 0;
    for (const Row& row : table_.rows) {
      if (out_.size() - begin > kMaxTableBytes) break;
      CHECK(row.size() == table_.columns.size());
      out_ += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) {
        const Column& column = table_.columns[i];
        IsNumber(column) ? AppendNumber(row[i], column, out_) : AppendText(row[i], column, i == header_index, out_);
      }
      out_ += "</tr>\n";
      ++shown;
    }
    out_ += "</tbody>";
    return shown;
  }

  void AppendFootnotes(std::size_t shown) {
    if (table_.rows.empty()) out_ += "<p class=\"remark\">(none)</p>\n";
    if (shown < table_.rows.size()) {
      out_ += fmt::format("<p class=\"remark\">{} more rows are left out to keep the page small: --csv has all.</p>\n",
                          FormatCount(static_cast<std::int64_t>(table_.rows.size() - shown)));
    }
    if (!table_.footnote.empty()) out_ += fmt::format("<p class=\"remark\">{}</p>\n", Escaped(table_.footnote));
    if (shown > kRowsOnPaper) {
      out_ += fmt::format("<p class=\"remark paper\">On paper the first {} rows of {}.</p>\n", kRowsOnPaper,
                          FormatCount(static_cast<std::int64_t>(shown)));
    }
  }

  const Table& table_;
  std::string_view id_;
  std::string_view name_;
  std::string& out_;
};

}  // namespace

void AppendHtmlTable(const Table& table, std::string_view id, std::string_view fallback_name, std::string& out) {
  TableWriter(table, id, fallback_name, out).Write();
}

}  // namespace warpsight
