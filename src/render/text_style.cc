#include "render/text_style.h"

namespace warpsight {
namespace {

std::string_view InkOn(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kBold:
      return "\x1b[1m";
    case Ink::kDim:
      return "\x1b[2m";
    case Ink::kRed:
      return "\x1b[1;31m";
    case Ink::kYellow:
      return "\x1b[33m";
    case Ink::kCyan:
      return "\x1b[36m";
  }
  return "";
}

}  // namespace

std::string Painted(std::string_view text, Ink ink, const TextStyle& style) {
  if (!style.colour || ink == Ink::kPlain || text.empty()) return std::string(text);
  std::string painted(InkOn(ink));
  painted += text;
  painted += "\x1b[0m";
  return painted;
}

}  // namespace warpsight
