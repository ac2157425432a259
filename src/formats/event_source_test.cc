#include "formats/event_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/temporary_folder.h"

namespace warpsight {
namespace {

class ReadEventTextTest : public ::testing::Test {
 protected:
  std::string WriteFile(const std::string& bytes) const {
    std::ofstream(folder_.File("trace"), std::ios::binary) << bytes;
    return folder_.File("trace");
  }

 private:
  const TemporaryFolder folder_;
};

std::string Zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

const char* const kEvent = R"({"ph": "X", "name": "a \"}\" b", "args": {"l": [1, {"k": "]"}]}})";

TEST_F(ReadEventTextTest, PlainAndCompressed) {
  // Far enough into the file for the offset to lie behind the first piece read.
  const std::string text = "{\"traceEvents\": [" + std::string(200'000, ' ') + kEvent + ", {\"ph\": \"X\"}]}";
  const uint64_t offset = text.find(kEvent);
  for (const std::string& stored : {text, Zstd(text)}) {
    const Result<std::string> event = ReadEventText(WriteFile(stored), offset);
    ASSERT_TRUE(event.ok()) << event.status().message();
    EXPECT_EQ(*event, kEvent);
  }
}

TEST_F(ReadEventTextTest, EventLongerThanAPiece) {
  const std::string long_event = R"({"ph": "X", "name": ")" + std::string(500'000, 'n') + "\"}";
  const Result<std::string> event = ReadEventText(WriteFile("[" + long_event + "]"), 1);
  ASSERT_TRUE(event.ok());
  EXPECT_TRUE(*event == long_event);
}

TEST_F(ReadEventTextTest, NoEventThere) {
  const std::string text = std::string("[") + kEvent + ", {\"no\": \"event\"}]";
  const std::string path = WriteFile(text);
  for (const uint64_t offset : {uint64_t{0}, uint64_t{2}, uint64_t{text.find("{\"l\"")}, uint64_t{text.rfind('{')},
                                uint64_t{text.size()}, uint64_t{1} << 40}) {
    const Result<std::string> event = ReadEventText(path, offset);
    ASSERT_FALSE(event.ok()) << offset;
    EXPECT_EQ(event.status().kind(), StatusKind::kUsage) << offset;
    EXPECT_NE(event.status().message().find("no event begins at byte " + std::to_string(offset)), std::string::npos);
  }
}

// The import mends a quote that stands in a name, and keeps what an event that is cut has.
TEST_F(ReadEventTextTest, EventsThatWereMendedAreShownAsTheyAre) {
  const std::string event = R"({"ph": "X", "name": "5" disk", "ts": 1, "dur": 1}])";
  const std::string path = WriteFile("[" + event);
  const Result<std::string> text = ReadEventText(path, 1);
  ASSERT_TRUE(text.ok()) << text.status().message();
  EXPECT_EQ(nlohmann::json::parse(*text)["not whole"], event);
}

TEST_F(ReadEventTextTest, APipeIsNotWaitedFor) {
  const std::string pipe = WriteFile("") + ".pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ReadEventText(pipe, 1).status().kind(), StatusKind::kUsage);
}

TEST_F(ReadEventTextTest, MissingFile) {
  EXPECT_EQ(ReadEventText("/nonexistent/trace.json", 0).status().kind(), StatusKind::kUnreadable);
}

}  // namespace
}  // namespace warpsight
