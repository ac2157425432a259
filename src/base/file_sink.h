// FileSink: a file that appears whole or not at all, or standard output.
//
// Bytes go to a file beside the wanted one, which takes its name at Commit(); without one (an error, a full disk) it is
// removed and what lay there before stays. What is there already and is no plain file (a pipe, a device) is written to as it
// is. A link keeps pointing where it does: what it names is replaced.
// Errors: kUsage, with the path and the reason. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/byte_sink.h"
#include "base/status.h"

namespace warpsight {

// "" and "-".
bool IsStandardOutput(const std::string& path);

class FileSink final : public ByteSink {
 public:
  static Result<std::unique_ptr<FileSink>> Open(const std::string& path);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  Status Write(std::string_view bytes) override;
  bool wants_more() const override { return !reader_gone_; }
  Status Commit();
  int64_t bytes() const { return bytes_; }

 private:
  explicit FileSink(std::string path) : path_(std::move(path)) {}
  Status CannotWrite(int problem) const;
  int Close();

  std::string path_;        // as given, for messages
  std::string target_;      // what is to appear; empty when bytes go straight to where they belong
  std::string unfinished_;  // its name until then
  int descriptor_ = -1;
  bool failed_ = false;
  bool reader_gone_ = false;
  int64_t bytes_ = 0;
};

}  // namespace warpsight
