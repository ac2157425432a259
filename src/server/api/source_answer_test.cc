// The answer `source`: an event as its file has it, and every reason why it can't be given.
#include "server/api/source_answer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "base/temporary_folder.h"
#include "server/api/api.h"

namespace warpsight::server {
namespace {

// A trace of one op.
std::string TraceText(const std::string& args) {
  return R"({"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "args": )" +
         args + R"(}]})";
}

class SourceAnswerTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& text) {
    std::ofstream(folder_.File("trace.json")) << text;
    return folder_.File("trace.json");
  }
  static void WaitUntilRead(const TraceStore& store) {
    while (!store.done()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  static Response Ask(const TraceStore& store, const std::string& query) {
    return Api(store).Answer({"/api/v1/traces/0/source", query});
  }
  static void ExpectLacking(const TraceStore& store, std::string_view why) {
    const Response answer = Ask(store, "kind=host&row=0");
    EXPECT_EQ(answer.status, kLacking);
    EXPECT_NE(answer.body.find(why), std::string::npos) << answer.body;
  }
  const TemporaryFolder folder_;
};

TEST_F(SourceAnswerTest, IsTheEventOfTheFile) {
  const TraceStore store({Write(TraceText(R"({"id": 18446744073709551615, "name": "<b>"})"))}, 1, {});
  WaitUntilRead(store);
  const Response answer = Ask(store, "kind=host&row=0");
  ASSERT_EQ(answer.status, kOkStatus) << answer.body;
  const Json json = Json::parse(answer.body);
  EXPECT_EQ(json["source"], "18");
  EXPECT_EQ(json["cut"], false);
  EXPECT_EQ(json["text"].get<std::string>().find("{\"ph\": \"X\""), 0u);
  EXPECT_NE(json["text"].get<std::string>().find("18446744073709551615"), std::string::npos);
}

TEST_F(SourceAnswerTest, IsCutWhenItIsLarge) {
  const TraceStore store({Write(TraceText("{\"text\": \"" + std::string(3 << 20, 'x') + "\"}"))}, 1, {});
  WaitUntilRead(store);
  const Json json = Json::parse(Ask(store, "kind=host&row=0").body);
  EXPECT_EQ(json["cut"], true);
  EXPECT_EQ(json["text"].get<std::string>().size(), kMostSourceBytes);
}

TEST_F(SourceAnswerTest, AFileThatIsNoLongerTheSameIsNotAsked) {
  const std::string file = Write(TraceText("{}"));
  const TraceStore store({file}, 1, {});
  WaitUntilRead(store);
  EXPECT_EQ(Ask(store, "kind=host&row=0").status, kOkStatus);
  Write(TraceText(R"({"another": "event"})"));
  ExpectLacking(store, "has changed since it was read");
  std::filesystem::remove(file);
  ExpectLacking(store, "no longer there");
}

TEST_F(SourceAnswerTest, WhatCameThroughAPipeIsNotWaitedFor) {
  const std::string pipe = folder_.File("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << TraceText("{}"); });
  const TraceStore store({pipe}, 1, {});
  writer.join();
  WaitUntilRead(store);
  ExpectLacking(store, "came through a pipe");
}

TEST_F(SourceAnswerTest, NonsenseIsRefused) {
  const TraceStore store({Write(TraceText("{}"))}, 1, {});
  WaitUntilRead(store);
  for (const char* const query : {"", "kind=host", "row=0", "kind=host&row=1", "kind=host&row=-1", "kind=file&row=0"})
    EXPECT_EQ(Ask(store, query).status, kBadRequest) << query;
  // A kind of which the trace has none.
  EXPECT_EQ(Ask(store, "kind=gpu&row=0").status, kLacking);
}

}  // namespace
}  // namespace warpsight::server
