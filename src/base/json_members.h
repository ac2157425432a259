// JsonMembers: the members of a JSON object as they stand in the text, without taking any apart: numbers keep their digits,
// and nesting costs nothing. Text that is no JSON gives what can be told of it. Threads: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

struct JsonMember {
  std::string_view key;    // as written, without its quotes
  std::string_view value;  // as written, from its first byte to its last
};

// Of the object that `text` begins with; empty when it begins with none. Views into `text`.
std::vector<JsonMember> JsonMembers(std::string_view text);

// The value of the first member of this name; empty when there is none.
std::string_view FindJsonMember(const std::vector<JsonMember>& members, std::string_view key);

// A string as written, quotes and escapes undone; any other value as it is.
std::string JsonValueText(std::string_view value);

}  // namespace warpsight
