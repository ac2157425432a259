// Integers as decimal text, written through a plain pointer: what an export spends much of its time on.
//
// Units: WriteMicroseconds takes ns and writes microseconds with exactly three decimals, never through a double.
// Errors: none; the whole range of 64 bits is fine. Each needs kMostDecimal bytes of room. Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpsight {

inline constexpr size_t kMostDecimal = 24;

namespace decimal_text_internal {

struct DigitPairs {
  char text[200];
};
consteval DigitPairs MakeDigitPairs() {
  DigitPairs pairs{};
  for (int i = 0; i < 100; ++i) {
    pairs.text[2 * i] = static_cast<char>('0' + i / 10);
    pairs.text[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}
inline constexpr DigitPairs kDigitPairs = MakeDigitPairs();

inline char* WritePair(char* at, uint32_t below_100) {
  std::memcpy(at, kDigitPairs.text + size_t{2} * below_100, 2);
  return at + 2;
}

// Exactly eight digits.
inline char* WriteEight(char* at, uint32_t below_1e8) {
  const uint32_t high = below_1e8 / 10000;
  const uint32_t low = below_1e8 % 10000;
  at = WritePair(at, high / 100);
  at = WritePair(at, high % 100);
  at = WritePair(at, low / 100);
  return WritePair(at, low % 100);
}

// One to eight digits.
inline char* WriteUpToEight(char* at, uint32_t below_1e8) {
  if (below_1e8 < 10) {
    *at = static_cast<char>('0' + below_1e8);
    return at + 1;
  }
  if (below_1e8 < 100) return WritePair(at, below_1e8);
  char digits[16];  // as much as the copy below reads
  WriteEight(digits, below_1e8);
  const size_t skip = below_1e8 < 10000     ? (below_1e8 < 1000 ? 5 : 4)
                      : below_1e8 < 1000000 ? (below_1e8 < 100000 ? 3 : 2)
                                            : (below_1e8 < 10000000 ? 1 : 0);
  std::memcpy(at, digits + skip, 8);  // what is too much is written over
  return at + 8 - skip;
}

}  // namespace decimal_text_internal

inline char* WriteUnsigned(char* at, uint64_t value) {
  namespace in = decimal_text_internal;
  constexpr uint64_t kEight = 100'000'000;
  if (value < kEight) return in::WriteUpToEight(at, static_cast<uint32_t>(value));
  const uint64_t high = value / kEight;
  if (high < kEight) {
    at = in::WriteUpToEight(at, static_cast<uint32_t>(high));
  } else {
    at = in::WriteUpToEight(at, static_cast<uint32_t>(high / kEight));
    at = in::WriteEight(at, static_cast<uint32_t>(high % kEight));
  }
  return in::WriteEight(at, static_cast<uint32_t>(value % kEight));
}

inline char* WriteInteger(char* at, int64_t value) {
  if (value >= 0) return WriteUnsigned(at, static_cast<uint64_t>(value));
  *at = '-';
  return WriteUnsigned(at + 1, uint64_t{0} - static_cast<uint64_t>(value));
}

inline char* WriteMicroseconds(char* at, int64_t ns) {
  uint64_t magnitude = static_cast<uint64_t>(ns);
  if (ns < 0) {
    *at++ = '-';
    magnitude = uint64_t{0} - magnitude;
  }
  at = WriteUnsigned(at, magnitude / 1000);
  const auto below = static_cast<uint32_t>(magnitude % 1000);
  at[0] = '.';
  at[1] = static_cast<char>('0' + below / 100);
  decimal_text_internal::WritePair(at + 2, below % 100);
  return at + 4;
}

}  // namespace warpsight
