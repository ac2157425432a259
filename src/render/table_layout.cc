#include "render/table_layout.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "render/display_text.h"

namespace warpsight {
namespace {

// How far names may be shortened before the next step is better.
constexpr int kComfortableName = 40;
constexpr int kShortName = 32;
constexpr int kShortestName = 16;

struct ColumnSize {
  int cells = 0;        // widest cell
  int header = 0;       // on one line
  int header_word = 0;  // its widest word
  int min_width = 0;
  bool can_shrink = false;
};

// What one column may get: `least` = `most` when it does not shrink.
struct Bounds {
  int least = 0;
  int most = 0;
};

int WidestWord(std::string_view text) {
  int widest = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    widest = std::max(widest, DisplayWidth(text.substr(at, end - at)));
    at = end + 1;
  }
  return widest;
}

std::vector<ColumnSize> Measure(const Table& table, const CellTexts& texts) {
  std::vector<ColumnSize> sizes;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    ColumnSize size;
    size.header = DisplayWidth(texts.headers[i]);
    size.header_word = WidestWord(texts.headers[i]);
    size.min_width = table.columns[i].min_width;
    size.can_shrink = table.columns[i].can_shrink;
    for (const auto& row : texts.rows) size.cells = std::max(size.cells, DisplayWidth(row[i]));
    sizes.push_back(size);
  }
  return sizes;
}

Bounds BoundsOf(const ColumnSize& size, bool wrap_headers, int shortest_name) {
  const int header = wrap_headers ? size.header_word : size.header;
  Bounds bounds;
  bounds.most = std::max(header, size.cells);
  const int floor = std::max(size.min_width, shortest_name);
  bounds.least = size.can_shrink ? std::min(bounds.most, std::max(header, floor)) : bounds.most;
  return bounds;
}

// Widths of the columns if they fit: everyone as wide as it likes, then the widest that may shrink gives way.
std::optional<std::vector<int>> Fit(const std::vector<ColumnSize>& sizes, const std::vector<std::size_t>& shown,
                                    bool wrap_headers, int shortest_name, int width) {
  std::vector<Bounds> bounds;
  std::vector<int> widths;
  int total = shown.empty() ? 0 : kGutter * (static_cast<int>(shown.size()) - 1);
  int least = total;
  for (const std::size_t column : shown) {
    bounds.push_back(BoundsOf(sizes[column], wrap_headers, shortest_name));
    // More than the whole width is never given, so that the loop below is short.
    widths.push_back(std::max(bounds.back().least, std::min(bounds.back().most, width)));
    least += bounds.back().least;
    total += widths.back();
  }
  if (least > width) return std::nullopt;
  for (; total > width; --total) {
    std::size_t widest = shown.size();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (widths[i] > bounds[i].least && (widest == shown.size() || widths[i] > widths[widest])) widest = i;
    }
    --widths[widest];
  }
  return widths;
}

// The columns that may be hidden, in the order in which they go.
std::vector<std::size_t> LeastImportantFirst(const Table& table) {
  std::vector<std::size_t> order;
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    if (table.columns[i].can_hide) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return table.columns[i].hide_rank; });
  return order;
}

}  // namespace

TableLayout LayOutTable(const Table& table, const CellTexts& texts, int width) {
  const std::vector<ColumnSize> sizes = Measure(table, texts);
  TableLayout layout;
  for (std::size_t i = 0; i < table.columns.size(); ++i) layout.shown.push_back(i);
  const TableLayout everything = layout;
  const auto fits = [&](bool wrap_headers, int shortest_name) {
    auto widths = Fit(sizes, layout.shown, wrap_headers, shortest_name, width);
    if (!widths) return false;
    layout.widths = *std::move(widths);
    layout.headers_wrapped = wrap_headers;
    return true;
  };
  // `fits` looks at layout.shown, which loses a hideable column with every round.
  if (fits(false, kComfortableName) || fits(true, kShortName)) return layout;
  for (const std::size_t i : LeastImportantFirst(table)) {
    std::erase(layout.shown, i);
    layout.hidden.insert(std::ranges::lower_bound(layout.hidden, i), i);
    if (fits(true, kShortName)) return layout;
  }
  if (fits(true, kShortestName)) return layout;
  layout = everything;
  layout.stacked = true;
  return layout;
}

}  // namespace warpsight
