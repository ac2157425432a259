#include "formats/nsys_sqlite/event_row.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "formats/nsys_sqlite/made_export.h"
#include "formats/nsys_sqlite/nsys_sqlite_importer.h"
#include "formats/open_trace.h"

namespace warpsight {
namespace {

using Json = nlohmann::ordered_json;
using testing::GlobalTid;
using testing::MadeExport;

Result<std::string> RowOf(const std::string& bytes, uint64_t source) {
  Result<std::unique_ptr<ByteSource>> opened = OpenByteSource(bytes, "made.sqlite");
  EXPECT_TRUE(opened.ok());
  return MakeNsysSqliteImporter()->ReadEvent(std::move(opened).value(), source);
}

TEST(EventRowTest, HasEveryColumnAndTheTextsOfNames) {
  MadeExport made;
  const std::string name = made.Text("gemm \"wide\"");
  made.Table("NVTX_EVENTS", "start, end, eventType, globalTid, text, textId, color, doubleValue, uint64Value, domainId");
  made.Row("NVTX_EVENTS",
           "100, 200, 59, " + std::to_string(GlobalTid(7, 7)) + ", NULL, " + name + ", 4278255360, 2.5, NULL, 0");
  made.Row("NVTX_EVENTS", "300, 400, 59, " + std::to_string(GlobalTid(7, 7)) + ", 'own text', NULL, NULL, NULL, 12, 0");
  const std::string bytes = made.Bytes();
  const Result<Trace> trace = OpenTraceBytes(bytes, "made.sqlite", {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  ASSERT_EQ(trace->host().size(), 2u);
  const Result<std::string> first = RowOf(bytes, trace->host().source[0]);
  ASSERT_TRUE(first.ok()) << first.status().message();
  const Json event = Json::parse(*first);
  EXPECT_EQ(event["table"], "NVTX_EVENTS");
  EXPECT_EQ(event["row"], 1);
  EXPECT_EQ(event["args"]["textId"], "gemm \"wide\"");
  EXPECT_EQ(event["args"]["doubleValue"], 2.5);
  EXPECT_EQ(event["args"]["color"], 4278255360);
  EXPECT_FALSE(event["args"].contains("uint64Value"));
  const Result<std::string> second = RowOf(bytes, trace->host().source[1]);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(Json::parse(*second)["args"]["text"], "own text");
  EXPECT_EQ(Json::parse(*second)["args"]["uint64Value"], 12);
}

TEST(EventRowTest, WhereNoRowStandsNoneIsRead) {
  MadeExport made;
  made.Table("NVTX_EVENTS", "start, end, eventType, globalTid, text");
  made.Row("NVTX_EVENTS", "100, 200, 59, " + std::to_string(GlobalTid(7, 7)) + ", 'a'");
  for (const uint64_t source : {uint64_t{2}, uint64_t{1} << 48, uint64_t{9} << 48 | 1, ~uint64_t{0}}) {
    const Result<std::string> row = RowOf(made.Bytes(), source);
    ASSERT_FALSE(row.ok()) << source;
    EXPECT_EQ(row.status().kind(), StatusKind::kUsage);
  }
  EXPECT_EQ(RowOf("SQLite format 3 and no more", 1).status().kind(), StatusKind::kUnreadable);
}

}  // namespace
}  // namespace warpsight
