// Files that no importer reads but that people hand over: what they are and what to do instead.
#pragma once

#include <string>
#include <string_view>

namespace warpsight {

// For a file that begins with `head` and that no importer recognises: "is empty: ...", "is a SQLite database ...: ...".
std::string DescribeUnreadable(std::string_view head);

}  // namespace warpsight
