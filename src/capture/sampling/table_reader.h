// TableReader: numbers of an unwind table: fixed, of seven-bit groups (LEB128), and pointers as their encoding says.
//
// Place in the flow: unwind_table, unwind_expression. The bytes may be anything: nothing beyond their end is read. Threads:
// pure; safe in signal handlers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warpsight::capture::sampling {

// Encodings of pointers.
inline constexpr uint8_t kOmitted = 0xFF;
inline constexpr uint8_t kPcRelative = 0x10;
inline constexpr uint8_t kDataRelative = 0x30;
inline constexpr uint8_t kSigned4 = 0x0B;
// Bytes of the table; after the first that is not there all are 0 and ok() is false.
class TableReader {
 public:
  TableReader(const uint8_t* at, const uint8_t* end) : at_(at), end_(end) {}

  bool ok() const { return ok_; }
  bool more() const { return ok_ && at_ < end_; }
  const uint8_t* at() const { return at_; }
  void Skip(uint64_t bytes) {
    if (!ok_ || bytes > static_cast<uint64_t>(end_ - at_)) {
      ok_ = false;
    } else {
      at_ += bytes;
    }
  }
  template <typename Number>
  Number Fixed() {
    Number number = 0;
    const uint8_t* const from = at_;
    Skip(sizeof(number));
    if (ok_) std::memcpy(&number, from, sizeof(number));
    return number;
  }
  uint8_t Byte() { return Fixed<uint8_t>(); }
  uint64_t Unsigned() {
    uint64_t value = 0;
    for (int shift = 0; ok_; shift += 7) {
      const uint8_t byte = Byte();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  int64_t Signed() {
    uint64_t value = 0;
    int shift = 0;
    uint8_t byte = 0x80;
    while (ok_ && (byte & 0x80) != 0) {
      byte = Byte();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      shift += 7;
    }
    if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }
  // A pointer as its encoding says; what it is relative to but to itself is the caller's.
  uint64_t Pointer(uint8_t encoding) {
    const auto place = reinterpret_cast<uintptr_t>(at_);
    uint64_t value = 0;
    switch (encoding & 0x0F) {
      case 0x00:
      case 0x04:
      case 0x0C:
        value = Fixed<uint64_t>();
        break;
      case 0x01:
        value = Unsigned();
        break;
      case 0x02:
        value = Fixed<uint16_t>();
        break;
      case 0x03:
        value = Fixed<uint32_t>();
        break;
      case 0x09:
        value = static_cast<uint64_t>(Signed());
        break;
      case 0x0A:
        value = static_cast<uint64_t>(int64_t{Fixed<int16_t>()});
        break;
      case kSigned4:
        value = static_cast<uint64_t>(int64_t{Fixed<int32_t>()});
        break;
      default:
        ok_ = false;
    }
    const uint8_t relative = encoding & 0x70;
    if (relative == kPcRelative) return value + place;
    if (relative != 0) ok_ = false;
    return value;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
  bool ok_ = true;
};

}  // namespace warpsight::capture::sampling
