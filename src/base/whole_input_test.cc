#include "base/whole_input.h"

#include <gtest/gtest.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <random>
#include <string>
#include <vector>

namespace warpsight {
namespace {

constexpr WholeInputLimits kSmallLimits = {.most_expansion = 10, .free_bytes = 1 << 20, .most_bytes = 64 << 20};

std::string ZstdOf(const std::string& text) {
  std::string stored(ZSTD_compressBound(text.size()), '\0');
  stored.resize(ZSTD_compress(stored.data(), stored.size(), text.data(), text.size(), 3));
  return stored;
}

std::string GzipOf(const std::string& text) {
  std::string stored(text.size() + 1024, '\0');
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uint32_t>(text.size());
  stream.next_out = reinterpret_cast<uint8_t*>(stored.data());
  stream.avail_out = static_cast<uint32_t>(stored.size());
  stream.end_of_stream = 1;
  EXPECT_EQ(isal_deflate_stateless(&stream), COMP_OK);
  stored.resize(stream.total_out);
  return stored;
}

// Shrinks to about a quarter.
std::string TextOfSize(size_t size) {
  std::mt19937 random(3);
  std::string text;
  while (text.size() < size) text += std::string(6, 'a') + static_cast<char>(random()) + static_cast<char>(random());
  text.resize(size);
  return text;
}

Result<std::unique_ptr<std::string>> ReadAllOfIt(const std::string& stored, const WholeInputLimits& limits) {
  const std::unique_ptr<ByteSource> source = OpenByteSource(stored, "run.sqlite.zst").value();
  return ReadWhole(*source, limits);
}

TEST(WholeInputTest, WhatIsCompressedAsRecordingsAreIsRead) {
  const std::string text = TextOfSize(20 << 20);
  for (const std::string& stored : {text, ZstdOf(text), GzipOf(text)}) {
    const Result<std::unique_ptr<std::string>> read = ReadAllOfIt(stored, kSmallLimits);
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_TRUE(**read == text);
  }
}

TEST(WholeInputTest, BombsAreRefusedWithWhatToDo) {
  const std::string text(30 << 20, '\0');
  const Result<std::unique_ptr<std::string>> zstd = ReadAllOfIt(ZstdOf(text), kSmallLimits);
  ASSERT_FALSE(zstd.ok());
  EXPECT_EQ(zstd.status().kind(), StatusKind::kUnreadable);
  for (const std::string_view said : {"run.sqlite.zst: ", "of zstd inflate to more than 1.0 MB", "zstd -d"})
    EXPECT_NE(zstd.status().message().find(said), std::string::npos) << zstd.status().message();
  const Result<std::unique_ptr<std::string>> gzip = ReadAllOfIt(GzipOf(text), kSmallLimits);
  ASSERT_FALSE(gzip.ok());
  EXPECT_NE(gzip.status().message().find("gzip -d"), std::string::npos) << gzip.status().message();
  // As it is, it takes no more than it has.
  EXPECT_TRUE(ReadAllOfIt(text, kSmallLimits).ok());
}

// The figures that hold when an importer names none: a bomb of 94 kB, and a database of 16 times its stored bytes.
TEST(WholeInputTest, TheUsualLimits) {
  EXPECT_FALSE(ReadAllOfIt(ZstdOf(std::string(300 << 20, '\0')), {}).ok());
  EXPECT_TRUE(ReadAllOfIt(ZstdOf(std::string(100 << 20, '\0')), {}).ok()) << "small enough whatever it is stored in";
}

TEST(WholeInputTest, MoreThanTheFormatHasIsRefused) {
  const Result<std::unique_ptr<std::string>> read = ReadAllOfIt(std::string(5 << 20, 'x'), {.most_bytes = 1 << 20});
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.status().message().find("larger than 1.0 MB"), std::string::npos) << read.status().message();
}

TEST(WholeInputTest, DamagedContainersGiveWhatCameBefore) {
  const std::string text = TextOfSize(3 << 20);
  std::string stored = ZstdOf(text);
  stored.resize(stored.size() / 2);
  const std::unique_ptr<ByteSource> source = OpenByteSource(stored, "cut.zst").value();
  const Result<std::unique_ptr<std::string>> read = ReadWhole(*source);
  ASSERT_TRUE(read.ok());
  EXPECT_GT((*read)->size(), 0u);
  EXPECT_TRUE(text.starts_with(**read));
  EXPECT_FALSE(source->problem().empty());
}

}  // namespace
}  // namespace warpsight
