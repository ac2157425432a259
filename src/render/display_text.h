// Text that is safe to show, measured in terminal columns, shortened and wrapped.
//
// Place in the flow: every string of a Document passes Printable() before it reaches a terminal, because names come from
// files of strangers. What is measured, shortened or wrapped is printable text.
// Units: widths are terminal columns. Errors: none, any bytes are taken. Threads: pure functions, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

// Control characters become visible escapes (ESC as \x1b, a line feed as \n, U+202E as \u202e), malformed UTF-8 becomes
// U+FFFD. With `ascii` every other character outside ASCII is written as an escape too, and malformed bytes as "?".
std::string Printable(std::string_view text, bool ascii);

int DisplayWidth(std::string_view printable);

// At most `width` columns, with an ellipsis in the middle if something was left out: the end of a kernel name or path tells
// it from its siblings. The head gets the larger part.
std::string ShortenMiddle(std::string_view printable, int width, bool ascii);

// Lines of at most `width` columns, broken at spaces; a longer word is broken where it must be. A number and its unit
// ("47.10 ms") stay on one line. At least one line, without trailing spaces.
std::vector<std::string> Wrap(std::string_view printable, int width);

// Spaces up to `width` columns on the right or, with `align_right`, on the left.
std::string Pad(std::string_view printable, int width, bool align_right);

}  // namespace warpsight
