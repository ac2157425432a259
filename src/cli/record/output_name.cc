#include "cli/record/output_name.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace warpsight {

ClaimedFile& ClaimedFile::operator=(ClaimedFile&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

void ClaimedFile::Release() {
  struct stat info = {};
  if (!path_.empty() && lstat(path_.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0)
    unlink(path_.c_str());
  path_.clear();
}

Result<ClaimedFile> ClaimNewFile(const std::string& path, bool overwrite) {
  if (std::error_code error; std::filesystem::is_directory(path, error))
    return UsageError(path + ": is a folder: give the name of a file with -o");
  ClaimedFile claimed;
  if (overwrite) return claimed;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST)
    return UsageError(path + ": the file exists: give another name with -o, or -f to write over it");
  if (file < 0) return claimed;
  close(file);
  claimed.path_ = path;
  return claimed;
}

int ClaimFirstFree(std::string_view stem, std::string_view ending, ClaimedFile& claimed) {
  for (int number = 1;; ++number) {
    Result<ClaimedFile> one = ClaimNewFile(fmt::format("{}{}{}", stem, number, ending), false);
    if (!one.ok()) continue;  // it exists, or is a folder
    claimed = std::move(one).value();
    return number;
  }
}

std::string ClaimCaptureName(ClaimedFile& claimed) {
  return fmt::format("capture{}.wscap", ClaimFirstFree("capture", ".wscap", claimed));
}

std::string NumberedName(const std::string& path, size_t number) {
  const std::filesystem::path whole(path);
  const std::string name = fmt::format("{}-{}{}", whole.stem().string(), number, whole.extension().string());
  return (whole.parent_path() / name).string();
}

}  // namespace warpsight
