// Block: a piece of the event array, the unit of parallel parsing.
//
// The file is cut where an event seems to begin (FindEventBorder). The cut is a guess: a string may hold text that looks
// like a border. It is checked afterwards, block by block in file order: when the text from a true border up to the guess
// parses as whole events, the guess is a true border too. Otherwise the blocks are joined and read again (see
// block_joiner.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "formats/torch_json/scan.h"

namespace warpsight::torch_json {

// Text with the zero bytes after it that the scanners need. Growing leaves new bytes unset: a block is filled by reading.
class PaddedText {
 public:
  // Room for `size` bytes; what was there is kept up to that size.
  char* Resize(size_t size) {
    CHECK(size <= PTRDIFF_MAX - kScanPadding);
    if (capacity_ < size + kScanPadding) Grow(size + kScanPadding);
    size_ = size;
    std::memset(bytes_.get() + size, 0, kScanPadding);
    return bytes_.get();
  }
  void Assign(std::string_view text) {
    char* const out = Resize(text.size());
    if (!text.empty()) std::memcpy(out, text.data(), text.size());
  }
  const char* begin() const { return bytes_.get(); }
  const char* end() const { return bytes_.get() + size_; }
  size_t size() const { return size_; }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  void Grow(size_t capacity) {
    auto bigger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ > 0) std::memcpy(bigger.get(), bytes_.get(), size_);
    bytes_ = std::move(bigger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  size_t capacity_ = 0;
  size_t size_ = 0;
};

struct Block {
  uint64_t index = 0;   // 0, 1, ... in file order
  uint64_t offset = 0;  // of the first byte in the inflated file
  PaddedText text;
};

}  // namespace warpsight::torch_json
