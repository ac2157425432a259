// Scanning JSON text sixteen bytes at a time.
//
// All functions read past `end` by up to kScanPadding bytes, which the caller must have allocated and filled with zeros;
// none returns a position past `end`. They find where a value ends and nothing more; what they do not look at (the inside of
// args that no analysis needs) is not checked.
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
  static uint32_t EqualBytes(const char* a, const char* b) {
    return Mask(_mm_cmpeq_epi8(Bytes16(a).value_, Bytes16(b).value_));
  }

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
  static uint32_t EqualBytes(const char* a, const char* b) { return Mask(vceqq_u8(Bytes16(a).value_, Bytes16(b).value_)); }

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
  static uint32_t EqualBytes(const char* a, const char* b) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 16; ++i) mask |= a[i] == b[i] ? 1u << i : 0;
    return mask;
  }

 private:
  unsigned char value_[16];
#endif
};

inline bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// The first byte that is not space; control characters between values count as space.
inline const char* SkipSpace(const char* at, const char* end) {
  if (static_cast<unsigned char>(*at) > ' ') return at < end ? at : end;
  while (at < end) {
    const uint32_t other = ~Bytes16(at).AtMost(' ') & 0xFFFF;
    if (other != 0) {
      at += __builtin_ctz(other);
      break;
    }
    at += 16;
  }
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
    facts.controls |= (bytes.AtMost(0x1F) & before) != 0 && (stops != 0 || at + 16 <= end);
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

// 64 bytes as bit masks: bit i stands for byte i.
struct Masks64 {
  uint64_t quotes = 0;
  uint64_t backslashes = 0;
  uint64_t opens = 0;
  uint64_t closes = 0;
  uint64_t followers = 0;  // what may stand after a string: , : ] } and space

  explicit Masks64(const char* at) {
    for (unsigned part = 0; part < 4; ++part) {
      const Bytes16 bytes(at + 16 * part);
      const unsigned shift = 16 * part;
      const uint32_t close = bytes.EqualsWithBit5('}');
      quotes |= uint64_t{bytes.Equals('"')} << shift;
      backslashes |= uint64_t{bytes.Equals('\\')} << shift;
      opens |= uint64_t{bytes.EqualsWithBit5('{')} << shift;
      closes |= uint64_t{close} << shift;
      followers |= uint64_t{close | bytes.Equals(',') | bytes.Equals(':') | bytes.AtMost(' ')} << shift;
    }
  }
};

// Bit i of the result is the parity of bits 0..i: turns quotes into "inside a string".
inline uint64_t PrefixParity(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

// The quotes among `quotes` that no backslash escapes. `escape_next` carries a backslash at the end of the last 64 bytes.
inline uint64_t RemoveEscaped(uint64_t quotes, uint64_t backslashes, bool& escape_next) {
  if (backslashes == 0 && !escape_next) return quotes;
  uint64_t escaped = escape_next ? 1 : 0;
  escape_next = false;
  for (uint64_t left = backslashes & ~escaped; left != 0;) {
    const uint64_t backslash = left & -left;
    if (backslash >> 63 != 0) {
      escape_next = true;
      break;
    }
    escaped |= backslash << 1;
    left &= ~(backslash | backslash << 1);
  }
  return quotes & ~escaped;
}

// `at` is an opening bracket. Returns the byte after its closing bracket; null and a fault when there is none, or when a
// string in it is followed by something that can't follow a string (a quote inside the string was not escaped).
inline const char* FindNestedEnd(const char* at, const char* end, NestedFault& fault) {
  int64_t depth = 0;
  uint64_t in_string = 0;        // all ones when the last 64 bytes ended inside a string
  uint64_t awaits_follower = 0;  // 1 when they ended with a closing quote
  bool escape_next = false;
  for (; at < end; at += 64) {
    const Masks64 masks(at);
    const uint64_t quotes = RemoveEscaped(masks.quotes, masks.backslashes, escape_next);
    const uint64_t inside = PrefixParity(quotes) ^ in_string;  // set from the opening quote up to before the closing one
    const uint64_t closing_quotes = quotes & ~inside;
    const uint64_t stray = (closing_quotes << 1 | awaits_follower) & ~masks.followers;
    const uint64_t opens = masks.opens & ~inside;
    const uint64_t before_stray = stray == 0 ? ~uint64_t{0} : (stray & -stray) - 1;
    for (uint64_t left = (opens | (masks.closes & ~inside)) & before_stray; left != 0; left &= left - 1) {
      depth += (opens & left & -left) != 0 ? 1 : -1;
      if (depth > 0) continue;
      const char* const past = at + __builtin_ctzll(left) + 1;
      if (past <= end) return past;
      fault = NestedFault::kEnd;
      return nullptr;
    }
    if (stray != 0) {
      fault = at + __builtin_ctzll(stray) < end ? NestedFault::kStrayQuote : NestedFault::kEnd;
      return nullptr;
    }
    in_string = 0 - (inside >> 63);
    awaits_follower = closing_quotes >> 63;
  }
  fault = NestedFault::kEnd;
  return nullptr;
}

}  // namespace warpsight::torch_json
