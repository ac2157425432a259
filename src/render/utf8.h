// The width of a character on a terminal, and whether it may reach one.
//
// Place in the flow: the lowest layer of the text renderer.
// Width covers the common cases (East Asian wide and emoji = 2, combining marks = 0), from ranges of Unicode 15.
// Threads: pure functions, thread-safe.
#pragma once

#include "base/utf8.h"

namespace warpsight {

// Columns that the character takes: 0, 1 or 2. Control characters have no width of their own; they never get here.
int CharacterWidth(char32_t code);

// True for what must not reach a terminal as it is: C0 and C1 controls, and characters that reorder or hide text.
bool IsUnsafe(char32_t code);

}  // namespace warpsight
