// Compressing in front of another sink: gzip (ISA-L, its level 1) or zstd (its level 3).
//
// Errors: those of the sink below. Threads: one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/byte_sink.h"
#include "base/status.h"

namespace warpsight {

class CompressingSink : public ByteSink {
 public:
  // Writes what is still held and the end of the container; nothing may be written after.
  virtual Status Finish() = 0;
};

// The compressor that the name asks for (".gz", ".zst"), null for every other name. `below` must outlive it.
std::unique_ptr<CompressingSink> CompressorByName(const std::string& path, ByteSink& below);

}  // namespace warpsight
