// HashText: a fast 64-bit hash of a text for in-memory tables. Not stable between versions, not for security.
// EqualText: whether two texts are equal, for the short texts of such tables.
//
// Sixteen bytes a step, each step of the hash one 64x64->128 multiplication folded to 64 bits. The last step reads the tail
// overlapping what was read before, so there is no byte loop.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace warpsight {
namespace text_hash_internal {

inline uint64_t Load64(const char* at) {
  uint64_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

inline uint64_t Load32(const char* at) {
  uint32_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

// A zero operand would hide the other one: it counts as 1.
inline uint64_t Fold(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a + (a == 0 ? 1 : 0)) * (b + (b == 0 ? 1 : 0));
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline constexpr uint64_t kOdd1 = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
inline constexpr uint64_t kOdd2 = 0xd1b54a32d192ed03;  // the same for the plastic number: two low-correlated odd constants

}  // namespace text_hash_internal

// A quick hash of two short texts by their first and last four bytes, for tables that may forget: 32 bits.
inline uint64_t HashEnds(std::string_view a, std::string_view b) {
  namespace in = text_hash_internal;
  const auto ends = [](std::string_view text) -> uint64_t {
    const size_t size = text.size();
    if (size >= 4) return in::Load32(text.data()) | in::Load32(text.data() + size - 4) << 32;
    if (size == 0) return 0;
    return static_cast<uint8_t>(text[0]) | static_cast<uint64_t>(static_cast<uint8_t>(text[size / 2])) << 8 |
           static_cast<uint64_t>(static_cast<uint8_t>(text[size - 1])) << 16 | uint64_t{size} << 24;
  };
  return (ends(a) * in::kOdd2 + ends(b)) * in::kOdd1 >> 32;
}

// Short texts without a call of memcmp, which costs more than comparing a dozen bytes.
inline bool EqualText(std::string_view a, std::string_view b) {
  namespace in = text_hash_internal;
  const size_t size = a.size();
  if (size != b.size()) return false;
  const char* const x = a.data();
  const char* const y = b.data();
  if (size < 4) return size == 0 || (x[0] == y[0] && x[size / 2] == y[size / 2] && x[size - 1] == y[size - 1]);
  if (size < 8) return ((in::Load32(x) ^ in::Load32(y)) | (in::Load32(x + size - 4) ^ in::Load32(y + size - 4))) == 0;
  if (size > 64) return std::memcmp(x, y, size) == 0;
  uint64_t different = in::Load64(x + size - 8) ^ in::Load64(y + size - 8);
  size_t at = 0;
  for (; at + 16 < size; at += 16) {
    different |= (in::Load64(x + at) ^ in::Load64(y + at)) | (in::Load64(x + at + 8) ^ in::Load64(y + at + 8));
    if (different != 0) return false;
  }
  if (at + 8 < size) different |= in::Load64(x + at) ^ in::Load64(y + at);
  return different == 0;
}

inline uint64_t HashText(std::string_view text) {
  namespace in = text_hash_internal;
  const char* at = text.data();
  size_t left = text.size();
  uint64_t state = in::kOdd1 ^ left;
  while (left > 16) {
    state = in::Fold(in::Load64(at) ^ in::kOdd2, in::Load64(at + 8) ^ state);
    at += 16;
    left -= 16;
  }
  uint64_t low = 0;
  uint64_t high = 0;
  if (left >= 8) {
    low = in::Load64(at);
    high = in::Load64(at + left - 8);
  } else if (left >= 4) {
    low = in::Load32(at);
    high = in::Load32(at + left - 4);
  } else if (left > 0) {
    low = static_cast<uint8_t>(at[0]) | static_cast<uint64_t>(static_cast<uint8_t>(at[left / 2])) << 8 |
          static_cast<uint64_t>(static_cast<uint8_t>(at[left - 1])) << 16;
  }
  return in::Fold(low ^ in::kOdd2, high ^ state) * in::kOdd1;
}

// For maps of texts that are asked with a string_view: std::unordered_map<std::string, T, TextHash, std::equal_to<>>.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return HashText(text); }
};

}  // namespace warpsight
