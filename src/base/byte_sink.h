// ByteSink: where bytes are written to, in order: a file, standard output, a compressor in front of either, memory.
//
// Errors: a Status that names the file; after one nothing more is taken. Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace warpsight {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status Write(std::string_view bytes) = 0;
  // False when nobody reads any more (`| head`): what is written then is thrown away, which is no error.
  virtual bool wants_more() const { return true; }
};

// Keeps what is written.
class MemorySink final : public ByteSink {
 public:
  Status Write(std::string_view bytes) override {
    bytes_ += bytes;
    return OkStatus();
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace warpsight
