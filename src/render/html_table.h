// A table of a Document as HTML: caption, headers that sort, a filter for long ones, cells with their exact value.
//
// Place in the flow: called by the page renderer for each Table block. Numbers carry their exact value in data-v, so that
// the page's script sorts by what was measured and not by what is shown. Names of kernels are shown short, with the whole
// name a switch away. A table stops after kMaxTableBytes of rows and says how many were left out: names may be foreign and
// long. Errors: CHECKs that every row has one cell per column. Threads: pure, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "document/table.h"

namespace warpsight {

inline constexpr std::size_t kMaxTableBytes = 700'000;

// `id` is unique on the page; `fallback_name` names a table without a title for those who hear the page.
void AppendHtmlTable(const Table& table, std::string_view id, std::string_view fallback_name, std::string& out);

}  // namespace warpsight
