#include "base/compressing_sink.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "base/byte_source.h"

namespace warpsight {
namespace {

std::string InflatedAgain(const std::string& bytes, const std::string& container) {
  Result<std::unique_ptr<ByteSource>> source = OpenByteSource(bytes, "compressed");
  if (!source.ok()) return source.status().message();
  EXPECT_EQ((*source)->container(), container);
  std::string text;
  while ((*source)->Append(text, size_t{1} << 20) > 0) continue;
  EXPECT_EQ((*source)->problem(), "");
  return text;
}

TEST(CompressingSinkTest, WhatGoesInComesOut) {
  std::mt19937 random(1);
  std::string text;
  for (int i = 0; i < 400000; ++i) text += i % 3 == 0 ? static_cast<char>(random()) : "some words"[i % 10];
  for (const std::string& whole : {std::string(), std::string("x"), text}) {
    for (const size_t part : {size_t{1000}, size_t{262144}, whole.size() + 1}) {
      for (const auto& [name, container] : {std::pair("a.gz", "gzip"), std::pair("a.json.zst", "zstd")}) {
        MemorySink below;
        const std::unique_ptr<CompressingSink> sink = CompressorByName(name, below);
        ASSERT_NE(sink, nullptr);
        for (size_t at = 0; at < whole.size(); at += part) EXPECT_TRUE(sink->Write(whole.substr(at, part)).ok());
        EXPECT_TRUE(sink->Finish().ok());
        EXPECT_EQ(InflatedAgain(below.bytes(), container), whole) << name;
      }
    }
  }
}

TEST(CompressingSinkTest, OtherNamesAreNotCompressed) {
  MemorySink below;
  for (const char* name : {"", "-", "a.json", "a.gz.json", "gz"}) EXPECT_EQ(CompressorByName(name, below), nullptr);
}

}  // namespace
}  // namespace warpsight
