#include "cli/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace warpsight {
namespace {

namespace fs = std::filesystem;

bool IsStandardOutput(const std::string& path) { return path.empty() || path == "-"; }

Status CannotWrite(const std::string& what, int problem) {
  return UsageError(what + ": cannot write: " + std::strerror(problem));
}

// 0 or the errno of what went wrong.
int WriteAll(const std::string& text, std::FILE* file) {
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  return written ? 0 : errno;
}

int WriteDirectly(const std::string& text, const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno;
  const int problem = WriteAll(text, file);
  return std::fclose(file) != 0 && problem == 0 ? errno : problem;
}

}  // namespace

Status WriteOutput(const std::string& text, const std::string& path) {
  if (IsStandardOutput(path)) {
    const int problem = WriteAll(text, stdout);
    return problem == 0 || problem == EPIPE ? OkStatus() : CannotWrite("standard output", problem);
  }
  std::error_code error;
  // A link keeps pointing where it does: what it names is replaced.
  const fs::path resolved = fs::weakly_canonical(path, error);
  const std::string target = error ? path : resolved.string();
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) {
    const int problem = WriteDirectly(text, target);
    return problem == 0 || problem == EPIPE ? OkStatus() : CannotWrite(path, problem);
  }
  const std::string unfinished = fmt::format("{}.{}.part", target, getpid());
  int problem = WriteDirectly(text, unfinished);
  if (problem == 0 && std::rename(unfinished.c_str(), target.c_str()) != 0) problem = errno;
  if (problem != 0) std::remove(unfinished.c_str());
  return problem == 0 ? OkStatus() : CannotWrite(path, problem);
}

Status CheckOutput(const std::string& output, const std::string& input) {
  if (IsStandardOutput(output) || input == "-") return OkStatus();
  std::error_code error;
  if (!fs::equivalent(output, input, error) || error) return OkStatus();
  return UsageError(output + ": is the recording itself: give another name for the output");
}

}  // namespace warpsight
