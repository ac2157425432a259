// ByteCursor: little-endian numbers and texts of untrusted bytes, one after the other.
//
// Reading beyond the end gives 0 or "" and marks the cursor as failed, for good: check failed() after a group of reads.
// Errors: failed(). Threads: one thread a cursor.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace warpsight {

static_assert(std::endian::native == std::endian::little);

class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes, size_t at = 0) : bytes_(bytes), at_(at) {
    if (at_ > bytes_.size()) Fail();
  }

  size_t at() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }
  bool failed() const { return failed_; }

  uint8_t U8() { return Fixed<uint8_t>(); }
  uint16_t U16() { return Fixed<uint16_t>(); }
  uint32_t U32() { return Fixed<uint32_t>(); }
  uint64_t U64() { return Fixed<uint64_t>(); }

  // LEB128; bits beyond 64 are dropped.
  uint64_t Unsigned() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t byte = U8();
      if (shift < 64) value |= uint64_t{byte & 0x7FU} << shift;
      if (failed_ || (byte & 0x80) == 0) return value;
    }
  }
  int64_t Signed() {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0;
    do {
      byte = U8();
      if (shift < 64) value |= uint64_t{byte & 0x7FU} << shift;
      shift += 7;
    } while (!failed_ && (byte & 0x80) != 0);
    if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }

  // Up to the next NUL, which is taken too.
  std::string_view Text() {
    const size_t end = bytes_.find('\0', at_);
    if (failed_ || end == std::string_view::npos) return Fail();
    const std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }
  std::string_view Bytes(uint64_t size) {
    if (failed_ || size > left()) return Fail();
    const std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }

 private:
  template <typename T>
  T Fixed() {
    T value = 0;
    if (const std::string_view taken = Bytes(sizeof value); !failed_) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  std::string_view Fail() {
    failed_ = true;
    at_ = bytes_.size();
    return {};
  }

  std::string_view bytes_;
  size_t at_;
  bool failed_ = false;
};

}  // namespace warpsight
