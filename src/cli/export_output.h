// ExportOutput: the file that an export is written to, compressed when its name ends in .gz or .zst.
//
// It appears at Commit(), whole (base/file_sink.h). Errors: kUsage, with the path and the reason. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/byte_sink.h"
#include "base/compressing_sink.h"
#include "base/file_sink.h"
#include "base/status.h"

namespace warpsight {

class ExportOutput {
 public:
  static Result<ExportOutput> Open(const std::string& path);
  ByteSink& sink() const { return compressor_ ? static_cast<ByteSink&>(*compressor_) : *file_; }
  Status Commit();
  // Of the file, compressed.
  int64_t bytes() const { return file_->bytes(); }

 private:
  std::unique_ptr<FileSink> file_;
  std::unique_ptr<CompressingSink> compressor_;
};

}  // namespace warpsight
