// Where the recordings lie that are tested against but not part of the repository: $WARPSIGHT_SHARED_DATA, else beside it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace warpsight::testing {

inline std::filesystem::path SharedData() {
  const char* folder = std::getenv("WARPSIGHT_SHARED_DATA");
  return folder != nullptr && *folder != '\0' ? folder : "../shared/data";
}

// The files of a folder below SharedData(), sorted; empty when it is missing.
inline std::vector<std::string> SharedFiles(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(SharedData() / folder, error))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace warpsight::testing
