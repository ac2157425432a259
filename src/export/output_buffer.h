// OutputBuffer: the bytes of an export on their way to the sink, a few hundred KiB at a time.
//
// Writers ask for room once a row and then write through a plain pointer; nothing is checked byte by byte.
// Errors: the sink's first one is kept, and what comes after it is thrown away; stopped() says that more is pointless.
// Threads: one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/byte_sink.h"
#include "base/status.h"

namespace warpsight {

class OutputBuffer {
 public:
  static constexpr size_t kBytes = size_t{256} << 10;
  // What Room() may be asked for.
  static constexpr size_t kMostRoom = size_t{64} << 10;

  explicit OutputBuffer(ByteSink& sink) : sink_(sink), memory_(new char[kBytes]), at_(memory_.get()) {}

  // Where the next `most` bytes may be written; Took() says where they end.
  char* Room(size_t most) {
    if (static_cast<size_t>(end() - at_) < most) Flush();
    return at_;
  }
  void Took(char* past) { at_ = past; }

  // Bytes of any number.
  void Append(std::string_view bytes) {
    while (!bytes.empty()) {
      if (at_ == end()) Flush();
      const size_t part = std::min(bytes.size(), static_cast<size_t>(end() - at_));
      std::memcpy(at_, bytes.data(), part);
      at_ += part;
      bytes.remove_prefix(part);
    }
  }

  bool stopped() const { return stopped_; }

  // Hands over what is held; the first error there was.
  Status Finish() {
    Flush();
    return status_;
  }

 private:
  char* end() const { return memory_.get() + kBytes; }
  void Flush() {
    if (status_.ok()) status_ = sink_.Write({memory_.get(), static_cast<size_t>(at_ - memory_.get())});
    stopped_ = !status_.ok() || !sink_.wants_more();
    at_ = memory_.get();
  }

  ByteSink& sink_;
  std::unique_ptr<char[]> memory_;
  char* at_;
  Status status_;
  bool stopped_ = false;
};

}  // namespace warpsight
