// ReadTextEntries: the tables of data/explain_*.toml, which are many texts and nothing else.
//
// These files are some 200 kB, and `explain` is to answer in the time in which a program starts: this reads in a tenth of
// the time what toml++ reads. It takes the part of TOML that they use: headers [a], [a.b], [[a]]; one key a line; values
// "text", ["text", ...] on one line, true, false; comments on lines of their own. text_entries_test.cc compares with toml++
// for every file. Errors: the data is compiled in, so anything else is our bug (CHECK). Threads: pure function.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpsight {

struct TextEntry {
  std::string_view table;                                       // "stall" of [stall.barrier]; "metric" of [[metric]]
  std::string_view id;                                          // "barrier"; empty without a dot
  std::vector<std::pair<std::string_view, std::string>> texts;  // in the order of the file; true and false as such
  std::vector<std::pair<std::string_view, std::vector<std::string>>> lists;

  // Empty when there is none.
  std::string Text(std::string_view key) const;
  std::vector<std::string> List(std::string_view key) const;
};

// Views point into `text`.
std::vector<TextEntry> ReadTextEntries(std::string_view text);

}  // namespace warpsight
