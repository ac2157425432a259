#include "base/byte_source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "base/temporary_folder.h"

namespace warpsight {
namespace {

// A place of its own for every test; gone when the test is over.
class ByteSourceTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.File(name); }
  std::string WriteFile(const std::string& bytes) const {
    std::ofstream(Path("file"), std::ios::binary) << bytes;
    return Path("file");
  }

 private:
  const TemporaryFolder folder_;
};

std::string ReadAll(ByteSource& source, size_t step) {
  std::string all;
  std::string piece(step, '\0');
  for (size_t got = source.Read(piece.data(), step); got > 0; got = source.Read(piece.data(), step))
    all.append(piece, 0, got);
  return all;
}

std::string Bytes(size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) bytes += static_cast<char>('0' + i * 31 % 75);
  return bytes;
}

TEST_F(ByteSourceTest, MemoryInAnyStep) {
  const std::string bytes = Bytes(1000);
  for (const size_t step : {size_t{1}, size_t{7}, size_t{999}, size_t{1000}, size_t{5000}}) {
    Result<std::unique_ptr<ByteSource>> source = OpenByteSource(bytes, "bytes");
    ASSERT_TRUE(source.ok());
    EXPECT_EQ(ReadAll(**source, step), bytes);
    EXPECT_EQ((*source)->problem(), "");
  }
}

TEST_F(ByteSourceTest, MemoryHasRandomAccess) {
  const std::string bytes = Bytes(100);
  const std::unique_ptr<ByteSource> source = OpenByteSource(bytes, "bytes").value();
  EXPECT_EQ(source->size(), 100);
  EXPECT_EQ(source->name(), "bytes");
  EXPECT_EQ(source->container(), "plain");
  std::string out(60, '\0');
  EXPECT_EQ(source->ReadAt(30, out.data(), 60), 60u);
  EXPECT_EQ(out, bytes.substr(30, 60));
  EXPECT_EQ(source->ReadAt(90, out.data(), 60), 10u);
  EXPECT_EQ(source->ReadAt(100, out.data(), 60), 0u);
  EXPECT_EQ(source->ReadAt(uint64_t{1} << 60, out.data(), 60), 0u);
}

TEST_F(ByteSourceTest, PeekedBytesAreReadAgain) {
  const std::string bytes = Bytes(50);
  for (const size_t peek : {size_t{0}, size_t{1}, size_t{20}, size_t{50}, size_t{80}}) {
    const std::unique_ptr<ByteSource> source = OpenByteSource(bytes, "bytes").value();
    EXPECT_EQ(source->Peek(peek), bytes.substr(0, peek));
    EXPECT_EQ(source->Peek(peek / 2), bytes.substr(0, peek / 2));  // less than before
    EXPECT_EQ(ReadAll(*source, 9), bytes);
  }
}

TEST_F(ByteSourceTest, EmptyInput) {
  const std::unique_ptr<ByteSource> source = OpenByteSource("", "nothing").value();
  EXPECT_EQ(source->Peek(10), "");
  EXPECT_EQ(ReadAll(*source, 10), "");
  EXPECT_EQ(source->size(), 0);
  EXPECT_EQ(source->problem(), "");
}

TEST_F(ByteSourceTest, FileHasRandomAccessBesideReading) {
  const std::string bytes = Bytes(100'000);
  const std::unique_ptr<ByteSource> source = OpenByteSource(WriteFile(bytes)).value();
  EXPECT_EQ(source->size(), 100'000);
  EXPECT_EQ(source->stored_bytes(), 100'000);
  std::string out(500, '\0');
  EXPECT_EQ(source->ReadAt(99'800, out.data(), 500), 200u);
  EXPECT_EQ(out.substr(0, 200), bytes.substr(99'800));
  EXPECT_EQ(ReadAll(*source, 4096), bytes);
  EXPECT_EQ(source->stored_bytes_read(), 100'000);
}

TEST_F(ByteSourceTest, PipeIsSequential) {
  const std::string path = Path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string bytes = Bytes(300'000);  // more than a pipe holds
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
  const std::unique_ptr<ByteSource> source = OpenByteSource(path).value();
  EXPECT_EQ(source->size(), -1);
  EXPECT_EQ(source->Peek(70'000), bytes.substr(0, 70'000));
  EXPECT_EQ(ReadAll(*source, 70'000), bytes);
  EXPECT_EQ(source->stored_bytes_read(), 300'000);
  writer.join();
}

TEST_F(ByteSourceTest, MissingFile) {
  const Result<std::unique_ptr<ByteSource>> source = OpenByteSource(Path("missing"));
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.status().kind(), StatusKind::kUnreadable);
  EXPECT_EQ(source.status().message(), Path("missing") + ": cannot open: No such file or directory");
}

TEST_F(ByteSourceTest, Directory) {
  const Result<std::unique_ptr<ByteSource>> source = OpenByteSource(Path(""));
  ASSERT_FALSE(source.ok());
  EXPECT_NE(source.status().message().find("is a directory"), std::string::npos);
}

}  // namespace
}  // namespace warpsight
