#include "base/embedded_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace warpsight {
namespace {

namespace fs = std::filesystem;

// Tests run in the repository root (cmake/WarpsightModule.cmake).
std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(EmbeddedDataTest, HoldsEveryTomlFileOfData) {
  std::size_t files_on_disk = 0;
  if (fs::exists("data")) {
    for (const auto& entry : fs::recursive_directory_iterator("data")) {
      files_on_disk += entry.is_regular_file() && entry.path().extension() == ".toml" ? 1 : 0;
    }
  }
  EXPECT_EQ(EmbeddedDataFiles().size(), files_on_disk);
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
