#include "formats/known_files.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace warpsight {
namespace {

using std::string_literals::operator""s;

TEST(DescribeUnreadableTest, SaysWhatItIsAndWhatToDo) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "is empty"},
      {"version https://git-lfs.github.com/spec/v1\noid", "git lfs pull"},
      {"<!DOCTYPE html>", "web page"},
      {"<html><body>", "web page"},
      {"\xFF\xFE{\0"s, "UTF-16"},
      {"\xFE\xFF\0{"s, "UTF-16"},
      {"PK\x03\x04", "zip archive"},
      {"BZh91AY", "bzip2"},
      {"\xFD"
       "7zXZ\0"s,
       "xz data"},
      {"[561] python3.10@127.0.0.1\n  gemm(int) (1, 1, 1)x(32, 1, 1), Context 1, Stream 7, Device 0, CC 9.0\n",
       "ncu's text page"},
      {"==PROF== Connected to process 561\nhello\n[561] a.out@host\n  k (1, 1, 1), Context 1, Stream 7\n", "--page raw"},
      {"[561] no ncu page", "is not a recording that warpsight knows"},
      {"hello", "is not a recording that warpsight knows"},
      {"NVR", "is not a recording that warpsight knows"},  // too short to tell
      {std::string(100, '\0'), "is not a recording that warpsight knows"},
  };
  for (const auto& [head, words] : cases) {
    const std::string description = DescribeUnreadable(head);
    EXPECT_NE(description.find(words), std::string::npos) << description;
    EXPECT_NE(description.find(": "), std::string::npos) << description;  // "what: what to do"
    EXPECT_EQ(description.find('\n'), std::string::npos) << description;
  }
}

TEST(DescribeUnreadableTest, NamesEveryKindOfFileThatIsRead) {
  const std::string description = DescribeUnreadable("hello");
  for (const char* kind : {".json", ".sqlite", ".wscap", ".ncu-rep", "ncu --csv"})
    EXPECT_NE(description.find(kind), std::string::npos) << kind;
}

}  // namespace
}  // namespace warpsight
