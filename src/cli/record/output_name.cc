#include "cli/record/output_name.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace warpsight {

void ClaimedFile::Release() {
  struct stat info = {};
  if (!path_.empty() && lstat(path_.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0)
    unlink(path_.c_str());
  path_.clear();
}

Status ClaimNewFile(const std::string& path, bool overwrite, ClaimedFile& claimed) {
  if (std::error_code error; std::filesystem::is_directory(path, error))
    return UsageError(path + ": is a folder: give the name of a file with -o");
  if (overwrite) return OkStatus();
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST)
    return UsageError(path + ": the file exists: give another name with -o, or -f to write over it");
  if (file < 0) return OkStatus();
  close(file);
  claimed.path_ = path;
  return OkStatus();
}

int ClaimFirstFree(std::string_view stem, std::string_view ending, ClaimedFile& claimed) {
  int number = 1;
  // Refused are names that exist, also as folders.
  while (!ClaimNewFile(fmt::format("{}{}{}", stem, number, ending), false, claimed).ok()) ++number;
  return number;
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
