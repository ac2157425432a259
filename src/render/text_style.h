// TextStyle: how the text renderer may write. Chosen once by the command line (render/terminal.h), given down by value.
#pragma once

#include <string>
#include <string_view>

namespace warpsight {

struct TextStyle {
  int width = 80;       // terminal columns; tables and paragraphs fit into it
  bool colour = false;  // SGR escapes for weight and colour
  bool ascii = false;   // no character outside ASCII
};

enum class Ink { kPlain, kBold, kDim, kRed, kYellow, kCyan };

// `text` in the ink when the style has colour, else as it is. Measure and pad before painting.
std::string Painted(std::string_view text, Ink ink, const TextStyle& style);

}  // namespace warpsight
