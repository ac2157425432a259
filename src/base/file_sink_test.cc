#include "base/file_sink.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/temporary_folder.h"

namespace warpsight {
namespace {

std::string BytesOfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int64_t FilesIn(const std::string& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

TEST(FileSinkTest, AppearsAtCommit) {
  const TemporaryFolder folder;
  const std::string path = folder.File("out");
  {
    const Result<std::unique_ptr<FileSink>> sink = FileSink::Open(path);
    ASSERT_TRUE(sink.ok());
    EXPECT_TRUE((*sink)->Write("one ").ok());
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE((*sink)->Write("two").ok());
    EXPECT_TRUE((*sink)->Commit().ok());
    EXPECT_EQ((*sink)->bytes(), 7);
  }
  EXPECT_EQ(BytesOfFile(path), "one two");
  EXPECT_EQ(FilesIn(folder.path()), 1);
}

TEST(FileSinkTest, WithoutCommitNothingIsLeft) {
  const TemporaryFolder folder;
  const std::string path = folder.File("out");
  std::ofstream(path) << "before";
  {
    const Result<std::unique_ptr<FileSink>> sink = FileSink::Open(path);
    ASSERT_TRUE(sink.ok());
    EXPECT_TRUE((*sink)->Write("half").ok());
  }
  EXPECT_EQ(BytesOfFile(path), "before");
  EXPECT_EQ(FilesIn(folder.path()), 1);
}

TEST(FileSinkTest, ALinkKeepsPointingWhereItDoes) {
  const TemporaryFolder folder;
  std::ofstream(folder.File("real")) << "before";
  std::filesystem::create_symlink(folder.File("real"), folder.File("link"));
  const Result<std::unique_ptr<FileSink>> sink = FileSink::Open(folder.File("link"));
  ASSERT_TRUE(sink.ok());
  EXPECT_TRUE((*sink)->Write("after").ok());
  EXPECT_TRUE((*sink)->Commit().ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.File("link")));
  EXPECT_EQ(BytesOfFile(folder.File("real")), "after");
}

TEST(FileSinkTest, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const Result<std::unique_ptr<FileSink>> missing = FileSink::Open(folder.File("no/such/out"));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.status().message(), folder.File("no/such/out") + ": cannot write: No such file or directory");
  const Result<std::unique_ptr<FileSink>> full = FileSink::Open("/dev/full");
  ASSERT_TRUE(full.ok());
  EXPECT_EQ((*full)->Write("x").message(), "/dev/full: cannot write: No space left on device");
  // After one error nothing more is tried.
  EXPECT_TRUE((*full)->Write("x").ok());
}

}  // namespace
}  // namespace warpsight
