// Decimal text to integers, exactly. Times in Chrome JSON are decimal microseconds with fractions; they become int64
// nanoseconds without passing through a double.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"

namespace warpsight {

enum class DecimalFault : uint8_t {
  kNone,
  kNotANumber,  // NaN, Infinity, or no digits at all
  kOutOfRange,  // the value does not fit an int64 of nanoseconds
};

struct DecimalNs {
  Ns ns = 0;
  DecimalFault fault = DecimalFault::kNone;
  bool rounded = false;  // digits below a nanosecond were rounded to the nearest
};

// Decimal microseconds ("5108425130290.728", "-3", "1.5e3") to nanoseconds. A comma counts as the point.
DecimalNs ParseMicroseconds(std::string_view text);

// The value of one to eight decimal digits, -1 for any other text: the quick way for numbers that are mostly short. A plain
// number, since an optional goes through memory.
int64_t ParseShortDigits(std::string_view text);

// A whole decimal integer; nothing for any other text or when it does not fit.
std::optional<int64_t> ParseInteger(std::string_view text);

}  // namespace warpsight
