// CallText: the text of a call, its name and its sizes, in a buffer on the stack: "cublasSgemm_v2" "m=64 n=64 k=64 nn f32".
//
// What does not fit is left out, whole words at a time. No allocation, no locale, no errno. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace warpsight::calls {

class CallText {
 public:
  static constexpr size_t kMostBytes = 240;

  explicit CallText(const char* name) : name_bytes_(std::strlen(name)) {
    if (name_bytes_ > kMostBytes) name_bytes_ = kMostBytes;
    std::memcpy(text_, name, name_bytes_);
    used_ = name_bytes_;
  }

  CallText& Word(std::string_view word) { return Put({}, word); }
  CallText& Number(std::string_view key, int64_t value) {
    char digits[24];
    return Put(key, {digits, FormatNumber(value, digits)});
  }

  const char* text() const { return text_; }
  uint32_t name_bytes() const { return static_cast<uint32_t>(name_bytes_); }
  uint32_t text_bytes() const { return static_cast<uint32_t>(used_); }
  std::string_view sizes() const { return {text_ + name_bytes_, used_ - name_bytes_}; }

 private:
  static size_t FormatNumber(int64_t value, char* digits) {
    char reversed[20];
    size_t count = 0;
    // The smallest number has no positive counterpart of its type.
    uint64_t rest = value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    do {
      reversed[count++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    size_t used = 0;
    if (value < 0) digits[used++] = '-';
    while (count > 0) digits[used++] = reversed[--count];
    return used;
  }
  CallText& Put(std::string_view key, std::string_view value) {
    const bool is_first = used_ == name_bytes_;
    const size_t needed = (is_first ? 0 : 1) + (key.empty() ? 0 : key.size() + 1) + value.size();
    if (value.empty() || needed > kMostBytes - used_) return *this;
    if (!is_first) text_[used_++] = ' ';
    if (!key.empty()) {
      std::memcpy(text_ + used_, key.data(), key.size());
      used_ += key.size();
      text_[used_++] = '=';
    }
    std::memcpy(text_ + used_, value.data(), value.size());
    used_ += value.size();
    return *this;
  }

  size_t name_bytes_;
  size_t used_ = 0;
  char text_[kMostBytes];
};

}  // namespace warpsight::calls
