#include "render/utf8.h"

#include <algorithm>
#include <array>
#include <span>

namespace warpsight {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array<Range, 14> kZeroWidth = {{
    {0x0300, 0x036F},
    {0x0483, 0x0489},
    {0x0591, 0x05BD},
    {0x0610, 0x061A},
    {0x064B, 0x065F},
    {0x093C, 0x093C},
    {0x094D, 0x094D},
    {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF},
    {0x200C, 0x200D},  // joiners, needed by some scripts and by emoji
    {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F},
    {0xFE20, 0xFE2F},
    {0xE0100, 0xE01EF},
}};

constexpr std::array<Range, 14> kWide = {{
    {0x1100, 0x115F},
    {0x2E80, 0x303E},
    {0x3041, 0x4DBF},
    {0x4E00, 0xA4CF},
    {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF},
    {0x1F900, 0x1F9FF},
    {0x20000, 0x3FFFD},
}};

constexpr std::array<Range, 10> kUnsafe = {{
    {0x0000, 0x001F},
    {0x007F, 0x009F},
    {0x00AD, 0x00AD},    // soft hyphen
    {0x061C, 0x061C},    // Arabic letter mark
    {0x200B, 0x200B},    // zero width space
    {0x200E, 0x200F},    // direction marks
    {0x2028, 0x202E},    // line separators, direction embeddings and overrides
    {0x2060, 0x206F},    // invisible operators, direction isolates
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xE0000, 0xE007F},  // tags
}};

bool Contains(std::span<const Range> ranges, char32_t code) {
  const auto after = std::ranges::upper_bound(ranges, code, {}, &Range::first);
  return after != ranges.begin() && code <= std::prev(after)->last;
}

}  // namespace

int CharacterWidth(char32_t code) {
  if (code < kZeroWidth.front().first) return 1;
  if (Contains(kZeroWidth, code)) return 0;
  return Contains(kWide, code) ? 2 : 1;
}

bool IsUnsafe(char32_t code) { return Contains(kUnsafe, code); }

}  // namespace warpsight
