// OneLine: a text without control characters, so that it stands in one line and no terminal obeys it.
//
// Threads: pure.
#pragma once

#include <algorithm>
#include <string>

namespace warpsight {

// They become spaces. Text quotes files, which may hold anything.
inline std::string OneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

}  // namespace warpsight
