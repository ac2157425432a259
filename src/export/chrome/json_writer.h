// JsonWriter: the pieces of a JSON text, fast: fixed words, integers, microseconds, texts that are ready as they are.
//
// Place in the flow: rows -> JsonWriter -> OutputBuffer. Begin() a row, then write its pieces; only Bytes() may be long.
// Errors: those of the buffer. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "export/decimal_text.h"
#include "export/output_buffer.h"

namespace warpsight::chrome {

class JsonWriter {
 public:
  explicit JsonWriter(OutputBuffer& out) : out_(out), at_(out.Room(kRoom)) {}
  ~JsonWriter() { out_.Took(at_); }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  // Room for all the short pieces of a row: 4 KiB of them, before the next Begin() or long Bytes().
  void Begin() {
    out_.Took(at_);
    at_ = out_.Room(kRoom);
  }

  template <size_t N>
  void Word(const char (&text)[N]) {
    std::memcpy(at_, text, N - 1);
    at_ += N - 1;
  }
  void Integer(int64_t value) { at_ = WriteInteger(at_, value); }
  void Unsigned(uint64_t value) { at_ = WriteUnsigned(at_, value); }
  // ns, as microseconds with three decimals.
  void Microseconds(int64_t ns) { at_ = WriteMicroseconds(at_, ns); }
  void Character(char c) { *at_++ = c; }

  void Bytes(std::string_view bytes) {
    if (bytes.empty()) return;  // whose place may be none
    if (bytes.size() <= kShort) {
      std::memcpy(at_, bytes.data(), bytes.size());
      at_ += bytes.size();
      return;
    }
    out_.Took(at_);
    out_.Append(bytes);
    at_ = out_.Room(kRoom);
  }

 private:
  static constexpr size_t kShort = 256;
  static constexpr size_t kRoom = size_t{8} << 10;

  OutputBuffer& out_;
  char* at_;
};

}  // namespace warpsight::chrome
