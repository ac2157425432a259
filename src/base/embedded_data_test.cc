#include "base/embedded_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

namespace warpsight {
namespace {

namespace fs = std::filesystem;

// Tests run in the repository root (cmake/WarpsightModule.cmake).
std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::size_t FilesIn(const fs::path& folder, std::initializer_list<std::string_view> extensions) {
  std::size_t files = 0;
  if (!fs::exists(folder)) return 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    files += entry.is_regular_file() && std::ranges::count(extensions, entry.path().extension().string()) > 0 ? 1 : 0;
  }
  return files;
}

TEST(EmbeddedDataTest, HoldsEveryTomlFileOfDataAndAllOfThePage) {
  EXPECT_EQ(EmbeddedDataFiles().size(), FilesIn("data", {".toml"}) + FilesIn("src/render/html", {".css", ".js"}));
}

TEST(EmbeddedDataTest, ContentsAreTheFilesByteForByte) {
  for (const auto& file : EmbeddedDataFiles()) {
    EXPECT_EQ(file.contents, ReadFile(file.path)) << file.path;
    EXPECT_EQ(EmbeddedFile(file.path).data(), file.contents.data());
  }
}

TEST(EmbeddedDataTest, IsSortedByPath) {
  EXPECT_TRUE(std::ranges::is_sorted(EmbeddedDataFiles(), {}, &EmbeddedDataFile::path));
}

TEST(EmbeddedDataDeathTest, UnknownPathIsOurBug) {
  EXPECT_EXIT(EmbeddedFile("data/none.toml"), testing::ExitedWithCode(5), "internal error");
}

}  // namespace
}  // namespace warpsight
