// RenderCsv: one table as CSV for spreadsheets and scripts.
//
// First line: the machine names of the columns (Column::key), then one line per row; absent = empty. Numbers are exact:
// integers with all digits, doubles in the shortest form that reads back as the same double; NaN and infinities are empty.
// Quoting follows RFC 4180 (quotes doubled; fields with a comma, quote, line break or outer space quoted); lines end in a
// single line feed as Unix tools expect. Bytes that are not UTF-8 become U+FFFD. Control characters that could steer a
// terminal are written as escapes (\x1b); tabs and line breaks stay.
// Errors: CHECKs that every row has one cell per column; the Document form fails when there is not exactly one table.
// Threads: pure, thread-safe.
#pragma once

#include <string>

#include "base/status.h"
#include "document/document.h"

namespace warpsight {

std::string RenderCsv(const Table& table);

// The only table of the document, or a usage error.
Result<std::string> RenderCsv(const Document& document);

}  // namespace warpsight
