#include "base/embedded_data.h"

#include <algorithm>

#include "base/check.h"

namespace warpsight {

const EmbeddedDataFile& FindEmbeddedFile(std::string_view path) {
  const auto files = EmbeddedDataFiles();
  const auto found = std::ranges::find(files, path, &EmbeddedDataFile::path);
  CHECK(found != files.end());
  return *found;
}

std::string_view EmbeddedFile(std::string_view path) { return FindEmbeddedFile(path).contents; }

}  // namespace warpsight
