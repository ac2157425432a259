#include "cli/record/output_name.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace warpsight {

std::string FirstFreeName(std::string_view stem, std::string_view ending) {
  for (int number = 1;; ++number) {
    std::string name = fmt::format("{}{}{}", stem, number, ending);
    if (access(name.c_str(), F_OK) != 0) return name;
  }
}

Status CheckNewFile(const std::string& path, bool overwrite) {
  if (std::error_code error; std::filesystem::is_directory(path, error))
    return UsageError(path + ": is a folder: give the name of a file with -o");
  if (!overwrite && access(path.c_str(), F_OK) == 0)
    return UsageError(path + ": the file exists: give another name with -o, or -f to write over it");
  return OkStatus();
}

}  // namespace warpsight
