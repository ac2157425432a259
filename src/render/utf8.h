// UTF-8 decoding and the width of a character on a terminal.
//
// Place in the flow: the lowest layer of the text renderer; nothing else needs characters instead of bytes.
// Width covers the common cases (East Asian wide and emoji = 2, combining marks = 0), from ranges of Unicode 15.
// Errors: a malformed byte is a character of its own with `valid` false. Threads: pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpsight {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;  // taken from the text
  bool valid = true;      // false: overlong, surrogate, out of range, cut off or a stray byte
};

// The character that begins at `at`, which must be below text.size().
Character DecodeCharacter(std::string_view text, std::size_t at);

// Columns that the character takes: 0, 1 or 2. Control characters have no width of their own; they never get here.
int CharacterWidth(char32_t code);

// True for what must not reach a terminal as it is: C0 and C1 controls, and characters that reorder or hide text.
bool IsUnsafe(char32_t code);

}  // namespace warpsight
