#include "base/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warpsight {
namespace {

TEST(TemporaryFolderTest, HoldsFilesAndGoesWithThem) {
  std::string path;
  {
    const TemporaryFolder folder;
    const TemporaryFolder other;
    ASSERT_TRUE(folder.made());
    path = folder.path();
    EXPECT_NE(path, other.path());
    std::ofstream(folder.File("file")) << "text";
    EXPECT_TRUE(std::filesystem::exists(path + "/file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace warpsight
