// Text and numbers for a page of HTML: the one way in which anything reaches the page.
//
// Place in the flow: html_renderer.h and the writers beside it pass every text of a Document through Escaped(), since names
// come from files of strangers. Control characters become visible escapes, malformed UTF-8 becomes U+FFFD, and the five
// characters that mean something to HTML become entities, so the result is safe as text and in a quoted attribute.
// Errors: none, any bytes are taken. Threads: pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpsight {

std::string Escaped(std::string_view text);

// At most `bytes` of the text, cut between characters and with an ellipsis; then escaped.
std::string EscapedAndCut(std::string_view text, std::size_t bytes);

// A value with its unit ("47.10 ms") with the unit in an element of its own, so that a column of them can be lined up. Takes
// formatted, safe text; text without a unit comes back as it is.
std::string WithUnit(std::string_view formatted);

// "12.345" of 0..1, for lengths and places in percent; held inside of 0..100, at most three decimals.
std::string Percent(double share);

// Hex digits as base64, as a content security policy names a hash.
std::string Base64OfHex(std::string_view hex);

}  // namespace warpsight
