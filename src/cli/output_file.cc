#include "cli/output_file.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include "base/file_sink.h"

namespace warpsight {

Status WriteOutput(const std::string& text, const std::string& path) {
  const Result<std::unique_ptr<FileSink>> sink = FileSink::Open(path);
  if (!sink.ok()) return sink.status();
  WARPSIGHT_RETURN_IF_ERROR((*sink)->Write(text));
  return (*sink)->Commit();
}

Status CheckOutput(const std::string& output, const std::string& input) {
  if (IsStandardOutput(output) || input == "-") return OkStatus();
  std::error_code error;
  if (!std::filesystem::equivalent(output, input, error) || error) return OkStatus();
  return UsageError(output + ": is the recording itself: give another name for the output");
}

}  // namespace warpsight
