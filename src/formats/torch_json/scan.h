// Scanning JSON text many bytes at a time: the plain copy, which runs on every processor. scan_avx2.h has the other one.
//
// The functions stand in scan_functions.h and the walk over an event in event_walk.h. Both are text that is compiled once a
// copy, each in a namespace of its own, so that no function of the plain program can be taken from code for newer
// processors.
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
  static constexpr size_t kSize = 16;
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
  // Joined before they become bits, which is the dear step.
  uint32_t EqualsEither(char a, char b) const {
    return Mask(_mm_or_si128(_mm_cmpeq_epi8(value_, _mm_set1_epi8(a)), _mm_cmpeq_epi8(value_, _mm_set1_epi8(b))));
  }
  // Commas, closing brackets and space: what ends a number.
  uint32_t EndsScalar() const {
    const __m128i space = _mm_cmpeq_epi8(_mm_min_epu8(value_, _mm_set1_epi8(' ')), value_);
    const __m128i bracket = _mm_cmpeq_epi8(_mm_or_si128(value_, _mm_set1_epi8(0x20)), _mm_set1_epi8('}'));
    return Mask(_mm_or_si128(_mm_or_si128(space, bracket), _mm_cmpeq_epi8(value_, _mm_set1_epi8(','))));
  }
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
  uint32_t EqualsEither(char a, char b) const { return Equals(a) | Equals(b); }
  uint32_t EndsScalar() const { return Equals(',') | EqualsWithBit5('}') | AtMost(' '); }
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
  uint32_t EqualsEither(char a, char b) const { return Equals(a) | Equals(b); }
  uint32_t EndsScalar() const { return Equals(',') | EqualsWithBit5('}') | AtMost(' '); }
  static uint32_t EqualBytes(const char* a, const char* b) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 16; ++i) mask |= a[i] == b[i] ? 1u << i : 0;
    return mask;
  }

 private:
  unsigned char value_[16];
#endif

 public:
  // The same for 32 bytes.
  static uint32_t Equal32Bytes(const char* a, const char* b) { return EqualBytes(a, b) | EqualBytes(a + 16, b + 16) << 16; }
  // Bit i of the result is the parity of bits 0..i: turns quotes into "inside a string".
  static uint64_t PrefixParity(uint64_t bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
  }
};

inline bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// What a string's text holds besides plain printable ASCII.
struct StringFacts {
  bool escapes = false;
  bool controls = false;   // raw bytes below 0x20, which JSON forbids
  bool non_ascii = false;  // bytes from 0x80: to be checked as UTF-8
};

// Why FindNestedEnd gave up.
enum class NestedFault : uint8_t { kNone, kEnd, kStrayQuote };

namespace plain {
using Bytes = Bytes16;
#include "formats/torch_json/scan_functions.h"
}  // namespace plain
using Scan = plain::Scan;

}  // namespace warpsight::torch_json
