#include "base/inflate_source.h"

#include <gtest/gtest.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <random>
#include <string>
#include <vector>

namespace warpsight {
namespace {

using std::string_literals::operator""s;

std::string Gzip(std::string_view text) {
  std::vector<uint8_t> level_memory(ISAL_DEF_LVL1_DEFAULT);
  std::string out(text.size() + text.size() / 8 + 1024, '\0');
  isal_zstream stream;
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.level = 1;
  stream.level_buf = level_memory.data();
  stream.level_buf_size = static_cast<uint32_t>(level_memory.size());
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uint32_t>(text.size());
  stream.next_out = reinterpret_cast<uint8_t*>(out.data());
  stream.avail_out = static_cast<uint32_t>(out.size());
  stream.end_of_stream = 1;
  EXPECT_EQ(isal_deflate_stateless(&stream), COMP_OK);
  out.resize(stream.total_out);
  return out;
}

std::string Zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

// Text that compresses a little, of many times the inflater's buffers.
std::string Text(size_t size) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < size) text += "\"ts\": " + std::to_string(random()) + ", ";
  text.resize(size);
  return text;
}

struct Inflated {
  std::string text;
  std::string problem;
  std::string container;
};

Inflated Inflate(const std::string& stored, size_t step = 5000) {
  const std::unique_ptr<ByteSource> source = OpenByteSource(stored, "bytes").value();
  Inflated inflated;
  std::string piece(step, '\0');
  for (size_t got = source->Read(piece.data(), step); got > 0; got = source->Read(piece.data(), step))
    inflated.text.append(piece, 0, got);
  inflated.problem = source->problem();
  inflated.container = source->container();
  return inflated;
}

bool Says(const Inflated& inflated, std::string_view words) { return inflated.problem.find(words) != std::string::npos; }

TEST(InflateSourceTest, PlainTextStaysAsItIs) {
  const Inflated inflated = Inflate("{\"traceEvents\": []}");
  EXPECT_EQ(inflated.text, "{\"traceEvents\": []}");
  EXPECT_EQ(inflated.container, "plain");
}

TEST(InflateSourceTest, BothContainersInAnyStep) {
  const std::string text = Text(1'000'000);
  for (const size_t step : {size_t{997}, size_t{65536}, size_t{2'000'000}}) {
    const Inflated gzip = Inflate(Gzip(text), step);
    EXPECT_TRUE(gzip.text == text);
    EXPECT_EQ(gzip.problem, "");
    EXPECT_EQ(gzip.container, "gzip");
    const Inflated zstd = Inflate(Zstd(text), step);
    EXPECT_TRUE(zstd.text == text);
    EXPECT_EQ(zstd.problem, "");
    EXPECT_EQ(zstd.container, "zstd");
  }
  EXPECT_EQ(Inflate(Gzip("byte by byte"), 1).text, "byte by byte");
  EXPECT_EQ(Inflate(Zstd("byte by byte"), 1).text, "byte by byte");
}

TEST(InflateSourceTest, InflatedDataHasNoRandomAccess) {
  const std::string stored = Gzip("text");
  const std::unique_ptr<ByteSource> source = OpenByteSource(stored, "bytes").value();
  EXPECT_EQ(source->size(), -1);
  EXPECT_EQ(source->stored_bytes(), static_cast<int64_t>(stored.size()));
}

TEST(InflateSourceTest, PeekThenRead) {
  const std::string text = Text(300'000);
  const std::string stored = Gzip(text);
  const std::unique_ptr<ByteSource> source = OpenByteSource(stored, "bytes").value();
  EXPECT_TRUE(source->Peek(200'000) == text.substr(0, 200'000));
  std::string out(400'000, '\0');
  out.resize(source->Read(out.data(), out.size()));
  EXPECT_TRUE(out == text);
}

TEST(InflateSourceTest, ManyMembersAreOneText) {
  const std::string text = Text(100'000);
  EXPECT_TRUE(Inflate(Gzip("a") + Gzip("") + Gzip(text) + Gzip("z")).text == "a" + text + "z");
  EXPECT_TRUE(Inflate(Zstd("a") + Zstd("") + Zstd(text) + Zstd("z")).text == "a" + text + "z");
}

// The headers of members fall on the borders of the input buffer at some of these sizes.
TEST(InflateSourceTest, MemberHeadersAtBufferBorders) {
  std::mt19937 random(1);
  std::string incompressible;
  for (size_t i = 0; i < (size_t{256} << 10); ++i) incompressible += static_cast<char>(random());
  for (size_t less = 0; less < 60; ++less) {
    const std::string text = incompressible.substr(less);
    const Inflated inflated = Inflate(Gzip(text) + Gzip("z"), 70'000);
    ASSERT_TRUE(inflated.text == text + "z") << less;
    ASSERT_EQ(inflated.problem, "") << less;
  }
}

TEST(InflateSourceTest, ZeroPaddingIsHarmless) {
  for (const std::string& stored : {Gzip("text"), Zstd("text")}) {
    const Inflated inflated = Inflate(stored + std::string(700'000, '\0'));
    EXPECT_EQ(inflated.text, "text");
    EXPECT_EQ(inflated.problem, "");
  }
}

TEST(InflateSourceTest, TrailingGarbageIsTold) {
  EXPECT_EQ(Inflate(Gzip("text") + "garbage").text, "text");
  EXPECT_EQ(Inflate(Gzip("text") + "garbage").problem, "gzip: 7 bytes after the end of the compressed data were ignored");
  EXPECT_EQ(Inflate(Zstd("text") + "\0\0x"s).problem, "zstd: 3 bytes after the end of the compressed data were ignored");
}

TEST(InflateSourceTest, CutOffDataIsReadUpToTheCut) {
  const std::string text = Text(1'000'000);
  const std::string gzip = Gzip(text);
  for (const size_t left : {gzip.size() - 1, gzip.size() - 8, gzip.size() / 2, size_t{300'000}}) {
    const Inflated inflated = Inflate(gzip.substr(0, left));
    EXPECT_TRUE(text.starts_with(inflated.text)) << left;
    EXPECT_GE(inflated.text.size(), left - 1000) << left;
    EXPECT_TRUE(Says(inflated, "gzip: the data ends early at byte ")) << left << ": " << inflated.problem;
  }
  const std::string zstd = Zstd(text);
  const Inflated inflated = Inflate(zstd.substr(0, zstd.size() / 2));
  EXPECT_TRUE(text.starts_with(inflated.text));
  EXPECT_GT(inflated.text.size(), text.size() / 3);
  EXPECT_TRUE(Says(inflated, "zstd: the data ends early at byte "));
}

TEST(InflateSourceTest, EveryCutOfASmallFileEndsWithoutMoreThanIsThere) {
  for (const std::string& stored : {Gzip("some text"), Zstd("some text")}) {
    for (size_t left = 4; left < stored.size(); ++left) {
      const Inflated inflated = Inflate(stored.substr(0, left));
      EXPECT_TRUE(std::string("some text").starts_with(inflated.text)) << left;
      EXPECT_NE(inflated.problem, "") << left;
    }
  }
}

TEST(InflateSourceTest, WrongChecksumIsTold) {
  const std::string text = Text(10'000);
  std::string stored = Gzip(text);
  stored[stored.size() - 8] = static_cast<char>(stored[stored.size() - 8] ^ 1);
  const Inflated inflated = Inflate(stored);
  EXPECT_TRUE(inflated.text == text);
  EXPECT_TRUE(Says(inflated, "gzip: the checksum does not match the data")) << inflated.problem;
}

TEST(InflateSourceTest, DamageInTheMiddleKeepsWhatCameBefore) {
  const std::string text = Text(1'000'000);
  std::string gzip = Gzip(text);
  for (size_t i = 0; i < 300; ++i) gzip[gzip.size() / 2 + i] = static_cast<char>(0xFF);
  const Inflated inflated = Inflate(gzip);
  EXPECT_TRUE(text.starts_with(inflated.text.substr(0, text.size() / 3)));
  EXPECT_NE(inflated.problem, "");

  std::string zstd = Zstd(text);
  for (size_t i = 0; i < 300; ++i) zstd[zstd.size() / 2 + i] = static_cast<char>(0xFF);
  EXPECT_NE(Inflate(zstd).problem, "");
}

// pzstd writes a frame of its own making before each frame of data; readers pass over such frames.
TEST(InflateSourceTest, SkippableZstdFramesArePassedOver) {
  const std::string skippable = "\x50\x2A\x4D\x18\x04\0\0\0abcd"s;
  EXPECT_EQ(Inflate(skippable + Zstd("one ") + skippable + Zstd("two") + skippable).text, "one two");
  EXPECT_EQ(Inflate(skippable + Zstd("one ")).problem, "");
}

}  // namespace
}  // namespace warpsight
