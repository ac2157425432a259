#include "base/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace warpsight {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string pattern = (std::filesystem::temp_directory_path(error) / "warpsight-XXXXXX").string();
  if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (made()) std::filesystem::remove_all(path_, error);
}

}  // namespace warpsight
