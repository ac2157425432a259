// Table: typed cells under described columns, the part of a Document that is both read by people and exported as CSV.
//
// Place in the flow: analyses fill it; renderers format it. A cell keeps the exact value and the column says what the
// value means, so text shows "47.10 ms" where CSV writes 47101234.
// Units: duration cells are int64 nanoseconds, byte cells int64 bytes, share cells doubles in 0..1 (1 = all).
// Text cells may come straight from a hostile file; renderers neutralise them, so do not escape here.
// Errors: none; a row must have one cell per column (renderers CHECK it). Threads: plain values, thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace warpsight {

enum class Align { kLeft, kRight };

enum class ColumnKind {
  kText,
  kDurationNs,
  kCount,
  kBytes,
  kShare,
  kNumber,
  kName,        // an op, range or file name: text that may be very long
  kKernelName,  // a whole demangled kernel name: text shows its short form (document/kernel_name.h), CSV all of it
};

struct Column {
  std::string key;     // machine name, unique in the table: "self_cpu_ns"
  std::string header;  // what people read: "Self CPU"
  ColumnKind kind = ColumnKind::kText;
  Align align = Align::kLeft;
  int min_width = 0;        // narrowest width a shrunken column may get; 0 = the renderer's choice
  bool can_shrink = false;  // text may be shortened with an ellipsis; never set it on numbers
  bool can_hide = false;    // on a narrow terminal the text form may leave it out (and says so); CSV never does
  int decimals = -1;        // kNumber only: fixed number of decimals, -1 = at most 4 significant digits
  int hide_rank = 0;        // of those that may be left out the highest goes first, of equal ones the rightmost
  bool is_minor = false;    // a page as narrow as a telephone leaves it out, beside those that can_hide
};

// Columns in the usual shape of their kind: numbers to the right, text to the left, names may shrink.
inline Column TextColumn(std::string key, std::string header) { return {std::move(key), std::move(header)}; }
inline Column NameColumn(std::string key, std::string header) {
  return {std::move(key), std::move(header), ColumnKind::kName, Align::kLeft, 0, true};
}
// Give whole names; with --full-names use a NameColumn.
inline Column KernelNameColumn(std::string key, std::string header) {
  return {std::move(key), std::move(header), ColumnKind::kKernelName, Align::kLeft, 0, true};
}
inline Column DurationColumn(std::string key, std::string header) {
  return {std::move(key), std::move(header), ColumnKind::kDurationNs, Align::kRight};
}
inline Column CountColumn(std::string key, std::string header) {
  return {std::move(key), std::move(header), ColumnKind::kCount, Align::kRight};
}
inline Column BytesColumn(std::string key, std::string header) {
  return {std::move(key), std::move(header), ColumnKind::kBytes, Align::kRight};
}
inline Column ShareColumn(std::string key, std::string header) {
  return {std::move(key), std::move(header), ColumnKind::kShare, Align::kRight};
}
inline Column NumberColumn(std::string key, std::string header, int decimals = -1) {
  return {std::move(key), std::move(header), ColumnKind::kNumber, Align::kRight, 0, false, false, decimals};
}
// The same column, left out of the text form when the terminal is too narrow for all of them.
inline Column Hideable(Column column, int rank = 0) {
  column.can_hide = true;
  column.hide_rank = rank;
  return column;
}

// The same column, left out of narrow pages: what the row is about and what matters must be seen without scrolling.
inline Column Minor(Column column) {
  column.is_minor = true;
  return column;
}

// std::monostate = absent: "-" in text, empty in CSV. Absent is never written as 0.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;
using Row = std::vector<Cell>;

// A table that holds more rows than people want to read on a terminal: the text form shows the first `rows` of them, with
// `footnote` in place of the table's own.
struct TextCut {
  std::size_t rows = 0;
  std::string footnote;
};

struct Table {
  std::string title;  // may be empty
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::string footnote;  // may be empty
  std::optional<TextCut> text_cut = std::nullopt;
  // CSV as another tool prints it, for scripts that read that tool's: the headers that people read, shares in percent with
  // one decimal, numbers with their fixed decimals. Else CSV has the keys and the exact values.
  bool csv_as_read = false;
};

}  // namespace warpsight
