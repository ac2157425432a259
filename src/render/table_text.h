// A table as lines of text: title, headers, one thin rule, rows, footnote.
//
// Place in the flow: called by the text renderer for each Table block; uses cell_text.h and table_layout.h.
// Guarantees: no line is wider than `width` (unless a single number is), no line ends in a space, no number is cut, and
// columns that were left out are named below the table. Threads: pure, thread-safe.
#pragma once

#include <string>
#include <vector>

#include "document/table.h"
#include "render/text_style.h"

namespace warpsight {

// `width` is what is left of style.width after the caller's indent.
std::vector<std::string> TableLines(const Table& table, const TextStyle& style, int width);

}  // namespace warpsight
