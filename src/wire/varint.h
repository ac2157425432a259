// Whole numbers in 7-bit groups, the lowest first, the top bit of a byte saying that more follow (LEB128); signed ones in
// zigzag order, so that small negative numbers are short too.
//
// Place in the flow: chunk_encoder, chunk_decoder. Threads: pure.
#pragma once

#include <cstdint>

namespace warpsight::wire {

inline constexpr int kMaxVarintBytes = 10;

inline uint8_t* PutVarint(uint8_t* at, uint64_t value) {
  while (value >= 0x80) {
    *at++ = static_cast<uint8_t>(value | 0x80);
    value >>= 7;
  }
  *at++ = static_cast<uint8_t>(value);
  return at;
}

constexpr uint64_t ZigZag(int64_t value) { return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63); }
constexpr int64_t UnZigZag(uint64_t value) { return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1); }

// Reads one number of [at, end); null when it does not end there or has more than 64 bits.
inline const uint8_t* GetVarint(const uint8_t* at, const uint8_t* end, uint64_t& value) {
  value = 0;
  for (int shift = 0; at != end && shift < 64; shift += 7) {
    const uint8_t byte = *at++;
    if (shift == 63 && byte > 1) return nullptr;
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return at;
  }
  return nullptr;
}

}  // namespace warpsight::wire
