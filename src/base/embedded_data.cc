#include "base/embedded_data.h"

#include <algorithm>

#include "base/check.h"

namespace warpsight {

std::string_view EmbeddedFile(std::string_view path) {
  const auto files = EmbeddedDataFiles();
  const auto found = std::ranges::find(files, path, &EmbeddedDataFile::path);
  CHECK(found != files.end());
  return found->contents;
}

}  // namespace warpsight
