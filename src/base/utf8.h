// UTF-8: taking text apart into characters, and mending bytes that are none.
//
// Place in the flow: what shows or writes text that a file gave. Errors: a malformed byte is a character of its own with
// `valid` false. Threads: pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpsight {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;  // taken from the text
  bool valid = true;      // false: overlong, surrogate, out of range, cut off or a stray byte
};

// The character that begins at `at`, which must be below text.size().
Character DecodeCharacter(std::string_view text, std::size_t at);

// U+FFFD, which stands for a byte that is no text.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

// Whether the bytes are valid UTF-8; quick where they are ASCII.
bool IsWholeUtf8(std::string_view text);

// The text with U+FFFD in place of each byte that is part of no character.
std::string MendedUtf8(std::string_view text);

}  // namespace warpsight
