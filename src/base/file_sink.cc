#include "base/file_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace warpsight {

namespace fs = std::filesystem;

bool IsStandardOutput(const std::string& path) { return path.empty() || path == "-"; }

Result<std::unique_ptr<FileSink>> FileSink::Open(const std::string& path) {
  std::unique_ptr<FileSink> sink(new FileSink(path));
  if (IsStandardOutput(path)) {
    // What was printed before stands before.
    std::fflush(stdout);
    sink->path_ = "standard output";
    sink->descriptor_ = STDOUT_FILENO;
    return sink;
  }
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(path, error);
  const std::string target = error ? path : resolved.string();
  std::string opened = target;
  if (!fs::exists(target, error) || fs::is_regular_file(target, error)) {
    sink->target_ = target;
    sink->unfinished_ = opened = fmt::format("{}.{}.part", target, getpid());
  }
  sink->descriptor_ = open(opened.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (sink->descriptor_ < 0) {
    sink->unfinished_.clear();
    return sink->CannotWrite(errno);
  }
  return sink;
}

FileSink::~FileSink() {
  Close();
  if (!unfinished_.empty()) std::remove(unfinished_.c_str());
}

Status FileSink::Write(std::string_view bytes) {
  while (!bytes.empty() && !reader_gone_ && !failed_) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      reader_gone_ = errno == EPIPE && target_.empty();
      if (reader_gone_) break;
      failed_ = true;
      return CannotWrite(errno);
    }
    bytes_ += written;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return OkStatus();
}

Status FileSink::Commit() {
  int problem = Close();
  if (problem == 0 && !target_.empty() && std::rename(unfinished_.c_str(), target_.c_str()) != 0) problem = errno;
  if (problem != 0) return CannotWrite(problem);
  unfinished_.clear();
  return OkStatus();
}

// 0 or the errno of what went wrong.
int FileSink::Close() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor < 0 || descriptor == STDOUT_FILENO) return 0;
  return close(descriptor) == 0 ? 0 : errno;
}

Status FileSink::CannotWrite(int problem) const { return UsageError(path_ + ": cannot write: " + std::strerror(problem)); }

}  // namespace warpsight
