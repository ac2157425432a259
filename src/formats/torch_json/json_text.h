// JSON string text as people read it.
#pragma once

#include <string>
#include <string_view>

namespace warpsight::torch_json {

struct UnescapedText {
  std::string text;
  bool damaged = false;  // a wrong escape was kept as it stands, or bytes that are not UTF-8 were replaced by U+FFFD
};

// Resolves escapes (\n, \u0041, surrogate pairs) and makes the text valid UTF-8. A backslash that starts no known escape
// stays (Windows paths written unescaped); a lone surrogate becomes U+FFFD.
UnescapedText Unescape(std::string_view raw);

// Whether the bytes are valid UTF-8.
bool IsUtf8(std::string_view text);

}  // namespace warpsight::torch_json
