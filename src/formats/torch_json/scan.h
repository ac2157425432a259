// Scanning JSON text sixteen bytes at a time.
//
// All functions read past `end` by up to kScanPadding bytes, which the caller must have allocated and filled with zeros; none
// returns a position past `end`. They find where a value ends and nothing more; what they do not look at (the inside of args that no
// analysis needs) is not checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace warpsight::torch_json {

inline constexpr size_t kScanPadding = 64;

// Sixteen bytes compared at once; a mask has bit i set when byte i matches.
class Bytes16 {
 public:
#if defined(__SSE2__)
  explicit Bytes16(const char* at) : value_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))) {}
  uint32_t Equals(char c) const { return Mask(_mm_cmpeq_epi8(value_, _mm_set1_epi8(c))); }
  // Bytes equal to `c` when bit 5 is taken as set: joins [ with { and ] with }.
  uint32_t EqualsWithBit5(char c) const {
    return Mask(_mm_cmpeq_epi8(_mm_or_si128(value_, _mm_set1_epi8(0x20)), _mm_set1_epi8(c)));
  }
  // Bytes from 0 to `c`, unsigned.
  uint32_t AtMost(char c) const { return Mask(_mm_cmpeq_epi8(_mm_min_epu8(value_, _mm_set1_epi8(c)), value_)); }
  uint32_t HighBit() const { return Mask(value_); }

 private:
  static uint32_t Mask(__m128i matches) { return static_cast<uint32_t>(_mm_movemask_epi8(matches)); }
  __m128i value_;
#elif defined(__ARM_NEON)
  explicit Bytes16(const char* at) : value_(vld1q_u8(reinterpret_cast<const uint8_t*>(at))) {}
  uint32_t Equals(char c) const { return Mask(vceqq_u8(value_, vdupq_n_u8(static_cast<uint8_t>(c)))); }
  uint32_t EqualsWithBit5(char c) const {
    return Mask(vceqq_u8(vorrq_u8(value_, vdupq_n_u8(0x20)), vdupq_n_u8(static_cast<uint8_t>(c))));
  }
  uint32_t AtMost(char c) const { return Mask(vcleq_u8(value_, vdupq_n_u8(static_cast<uint8_t>(c)))); }
  uint32_t HighBit() const { return Mask(vcgeq_u8(value_, vdupq_n_u8(0x80))); }

 private:
  static uint32_t Mask(uint8x16_t matches) {
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t chosen = vandq_u8(matches, bits);
    return vaddv_u8(vget_low_u8(chosen)) | static_cast<uint32_t>(vaddv_u8(vget_high_u8(chosen))) << 8;
  }
  uint8x16_t value_;
#else
  explicit Bytes16(const char* at) { std::memcpy(value_, at, sizeof(value_)); }
  template <typename Test>
  uint32_t Mask(Test test) const {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 16; ++i) mask |= test(value_[i]) ? 1u << i : 0;
    return mask;
  }
  uint32_t Equals(char c) const {
    return Mask([c](unsigned char b) { return b == static_cast<unsigned char>(c); });
  }
  uint32_t EqualsWithBit5(char c) const {
    return Mask([c](unsigned char b) { return (b | 0x20) == static_cast<unsigned char>(c); });
  }
  uint32_t AtMost(char c) const {
    return Mask([c](unsigned char b) { return b <= static_cast<unsigned char>(c); });
  }
  uint32_t HighBit() const {
    return Mask([](unsigned char b) { return b >= 0x80; });
  }

 private:
  unsigned char value_[16];
#endif
};

inline bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

inline const char* SkipSpace(const char* at, const char* end) {
  while (at < end && IsSpace(*at)) ++at;
  return at < end ? at : end;
}

// What a string's text holds besides plain printable ASCII.
struct StringFacts {
  bool escapes = false;
  bool controls = false;   // raw bytes below 0x20, which JSON forbids
  bool non_ascii = false;  // bytes from 0x80: to be checked as UTF-8
};

// `at` is the first byte after the opening quote. Returns the closing quote, or null when `end` comes first.
inline const char* FindStringEnd(const char* at, const char* end, StringFacts& facts) {
  while (at < end) {
    const Bytes16 bytes(at);
    const uint32_t stops = bytes.Equals('"') | bytes.Equals('\\');
    const uint32_t before = stops == 0 ? 0xFFFF : (stops & -stops) - 1;
    facts.controls |= (bytes.AtMost(0x1F) & before) != 0 && at + 16 <= end;
    facts.non_ascii |= (bytes.HighBit() & before) != 0;
    if (stops == 0) {
      at += 16;
      continue;
    }
    const char* const stop = at + __builtin_ctz(stops);
    if (*stop == '"') return stop < end ? stop : nullptr;
    facts.escapes = true;
    at = stop + 2;
  }
  return nullptr;
}

// The same when nobody will look at the text.
inline const char* FindStringEnd(const char* at, const char* end) {
  while (at < end) {
    const Bytes16 bytes(at);
    const uint32_t stops = bytes.Equals('"') | bytes.Equals('\\');
    if (stops == 0) {
      at += 16;
      continue;
    }
    const char* const stop = at + __builtin_ctz(stops);
    if (*stop == '"') return stop < end ? stop : nullptr;
    at = stop + 2;
  }
  return nullptr;
}

// The end of a number or literal: the first comma, bracket or space.
inline const char* FindScalarEnd(const char* at, const char* end) {
  while (at < end) {
    const Bytes16 bytes(at);
    const uint32_t stops = bytes.Equals(',') | bytes.EqualsWithBit5('}') | bytes.AtMost(' ');
    if (stops != 0) {
      at += __builtin_ctz(stops);
      return at < end ? at : end;
    }
    at += 16;
  }
  return end;
}

// Why FindNestedEnd gave up.
enum class NestedFault : uint8_t { kNone, kEnd, kStrayQuote };

// `at` is an opening bracket. Returns the byte after its closing bracket; null and a fault when there is none, or when a string in it is
// followed by something that can't follow a string (a quote inside the string was not escaped).
inline const char* FindNestedEnd(const char* at, const char* end, NestedFault& fault) {
  int64_t depth = 0;
  while (at < end) {
    const Bytes16 bytes(at);
    const uint32_t quotes = bytes.Equals('"');
    const uint32_t opens = bytes.EqualsWithBit5('{');
    const uint32_t closes = bytes.EqualsWithBit5('}');
    uint32_t stops = quotes | opens | closes;
    const char* next = at + 16;
    while (stops != 0) {
      const uint32_t bit = stops & -stops;
      stops ^= bit;
      const char* const stop = at + __builtin_ctz(bit);
      if (stop >= end) break;
      if ((bit & closes) != 0) {
        if (--depth <= 0) return stop + 1;
      } else if ((bit & opens) != 0) {
        ++depth;
      } else {
        const char* const close = FindStringEnd(stop + 1, end);
        if (close == nullptr) {
          fault = NestedFault::kEnd;
          return nullptr;
        }
        const char after = close[1];
        if (after != ',' && after != ':' && after != ']' && after != '}') {
          const char* const past = SkipSpace(close + 1, end);
          if (past < end && *past != ',' && *past != ':' && *past != ']' && *past != '}') {
            fault = NestedFault::kStrayQuote;
            return nullptr;
          }
        }
        next = close + 1;
        break;
      }
    }
    at = next;
  }
  fault = NestedFault::kEnd;
  return nullptr;
}

}  // namespace warpsight::torch_json
