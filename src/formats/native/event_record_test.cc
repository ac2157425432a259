#include "formats/native/event_record.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "formats/native/made_capture.h"

namespace warpsight {
namespace {

using Json = nlohmann::ordered_json;
using testing::MadeCapture;

Result<std::string> EventOf(const MadeCapture& made, uint64_t source) {
  const Result<std::unique_ptr<ByteSource>> bytes = OpenByteSource(made.bytes, "made.wscap");
  EXPECT_TRUE(bytes.ok());
  return native::ReadEventRecord(**bytes, source);
}

Json JsonOfEvent(const MadeCapture& made, uint64_t source) {
  const Result<std::string> text = EventOf(made, source);
  EXPECT_TRUE(text.ok()) << text.status().message();
  return text.ok() ? Json::parse(*text) : Json();
}

wire::RangeText RangeWith(std::string_view text, wire::PayloadKind kind, uint64_t payload) {
  wire::RangeText range{1, "loader", text, 3, 0xFF00FF00, kind, payload};
  return range;
}

TEST(EventRecordTest, NvtxEventsHaveTheirPayloads) {
  using wire::PayloadKind;
  MadeCapture made;
  const float third = 1.0F / 3;
  made.encoder.AddPush(RangeWith("unsigned", PayloadKind::kUnsigned, ~uint64_t{0}), MadeCapture::kBase + 10);
  made.encoder.AddPush(RangeWith("signed", PayloadKind::kSigned, static_cast<uint64_t>(int64_t{-5})),
                       MadeCapture::kBase + 20);
  made.encoder.AddPush(RangeWith("double", PayloadKind::kDouble, std::bit_cast<uint64_t>(2.5)), MadeCapture::kBase + 30);
  made.encoder.AddStart(RangeWith("float", PayloadKind::kFloat, std::bit_cast<uint32_t>(third)), 9, MadeCapture::kBase + 40);
  made.encoder.AddPush({1, "", "plain", 0, 0}, MadeCapture::kBase + 50);
  made.encoder.AddPush({1, "", "default", 3, 0}, MadeCapture::kBase + 60);
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  made.encoder.AddPush(RangeWith("nan", PayloadKind::kDouble, std::bit_cast<uint64_t>(nan)), MadeCapture::kBase + 70);
  made.Close(1, 0);
  // The same number in the default domain, and in another, is another category.
  made.encoder.Add(wire::NameRecord{wire::NameKind::kCategory, 3, "others"});
  made.encoder.Add(wire::NameRecord{wire::NameKind::kDomainCategory, 3, "batches", "loader"});
  made.encoder.Add(wire::NameRecord{wire::NameKind::kDomainCategory, 3, "layers", "model"});
  made.Close(1, 1);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  std::map<std::string, Json> seen;
  for (uint32_t row = 0; row < trace->host().size(); ++row) {
    const Json event = JsonOfEvent(made, trace->host().source[row]);
    EXPECT_EQ(event["name"], trace->Text(trace->host().name[row]));
    seen[event["name"]] = event;
  }
  ASSERT_EQ(seen.size(), 7u);
  EXPECT_EQ(seen["default"]["args"]["category name"], "others");
  EXPECT_EQ(seen["nan"]["args"]["payload"], "nan");
  EXPECT_EQ(seen["unsigned"]["args"]["payload"], ~uint64_t{0});
  EXPECT_EQ(seen["signed"]["args"]["payload"], -5);
  EXPECT_EQ(seen["double"]["args"]["payload"], 2.5);
  EXPECT_EQ(seen["float"]["args"]["payload"].dump(), "0.33333334");
  EXPECT_EQ(seen["float"]["args"]["range id"], 9);
  EXPECT_EQ(seen["double"]["args"]["domain"], "loader");
  EXPECT_EQ(seen["double"]["args"]["category"], 3);
  EXPECT_EQ(seen["double"]["args"]["category name"], "batches");
  EXPECT_EQ(seen["double"]["args"]["colour"], "#ff00ff00");
  EXPECT_EQ(seen["double"]["time_ns"], MadeCapture::kBase + 30);
  EXPECT_EQ(seen["plain"]["args"], (Json{{"thread", 1}}));
}

TEST(EventRecordTest, CudaEventsStandOnTheirStreams) {
  MadeCapture made;
  made.Launch(MadeCapture::kBase + 100, 7);
  made.encoder.Add(wire::CallRecord{"cudaEventRecord", 1, 0, {MadeCapture::kBase + 110, MadeCapture::kBase + 115, 8}});
  made.encoder.Add(wire::CudaEventRecord{{0, 1, 7, 0}, 3, {MadeCapture::kBase + 230, MadeCapture::kBase + 230, 8}});
  made.Close(1, 0);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  const GpuSpans& spans = trace->gpu_spans();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(trace->Text(spans.name[0]), "CUDA event");
  EXPECT_EQ(spans.kind[0], GpuSpanKind::kOther);
  EXPECT_EQ(spans.start_ns[0], static_cast<Ns>(MadeCapture::kBase + 230));
  EXPECT_EQ(spans.end_ns[0], spans.start_ns[0]);
  EXPECT_EQ(spans.stream[0], trace->gpu().stream[0]);
  EXPECT_EQ(trace->log().read(), 4);
  EXPECT_EQ(JsonOfEvent(made, spans.source[0])["args"],
            (Json{{"correlation", 8}, {"device", 0}, {"context", 1}, {"stream", 7}, {"CUDA event", 3}}));
}

TEST(EventRecordTest, KernelsAndCallsHaveWhatTheirRowsLeaveOut) {
  MadeCapture made;
  made.Launch(MadeCapture::kBase + 100, 7);
  wire::KernelRecord kernel;
  kernel.name = "_Z3addPfS_i";
  kernel.place = {0, 1, 7, 3};
  kernel.cluster = {2, 1, 1};
  kernel.graph_node = 12;
  kernel.launch_type = 1;
  kernel.span = {MadeCapture::kBase + 400, MadeCapture::kBase + 450, 8};
  made.encoder.Add(kernel);
  wire::CallRecord call{"cudaMalloc", 1, 2, {MadeCapture::kBase + 500, MadeCapture::kBase + 510, 9}};
  made.encoder.Add(call);
  made.Close(1, 0);
  const Result<Trace> trace = made.Open();
  ASSERT_TRUE(trace.ok());
  ASSERT_EQ(trace->gpu().size(), 2u);
  const Json event = JsonOfEvent(made, trace->gpu().source[1]);
  EXPECT_EQ(event["name"], "add(float*, float*, int)");
  EXPECT_EQ(event["args"]["recorded name"], "_Z3addPfS_i");
  EXPECT_EQ(event["args"]["cluster"], (Json{2, 1, 1}));
  EXPECT_EQ(event["args"]["graph"], 3);
  EXPECT_EQ(event["args"]["graph node"], 12);
  EXPECT_EQ(event["args"]["cooperative"], true);
  EXPECT_EQ(event["end_ns"], MadeCapture::kBase + 450);
  EXPECT_EQ(JsonOfEvent(made, trace->gpu().source[0])["args"]["correlation"], 7);
  uint32_t failed = 0;
  while (trace->Text(trace->host().name[failed]) != "cudaMalloc") ++failed;
  EXPECT_EQ(JsonOfEvent(made, trace->host().source[failed])["args"]["result"], 2);
}

TEST(EventRecordTest, SourcesOfOneProcessAreThoseOfTheFile) {
  MadeCapture made;
  made.Launch(MadeCapture::kBase + 100, 7);
  made.Close(1, 0);
  made.Launch(MadeCapture::kBase + 200, 8);
  made.Close(2, 0);
  ImportOptions one;
  one.process = 2;
  const Result<Trace> trace = made.Open(one);
  ASSERT_TRUE(trace.ok());
  ASSERT_EQ(trace->gpu().size(), 1u);
  EXPECT_EQ(JsonOfEvent(made, trace->gpu().source[0])["args"]["correlation"], 8);
}

TEST(EventRecordTest, WhereNoEventStandsNoneIsRead) {
  MadeCapture made;
  made.Launch(MadeCapture::kBase + 100, 7);
  made.Close(1, 0);
  for (const uint64_t source : {uint64_t{0}, uint64_t{3}, uint64_t{1} << 24, ~uint64_t{0}}) {
    const Result<std::string> text = EventOf(made, source);
    ASSERT_FALSE(text.ok()) << source;
    EXPECT_EQ(text.status().kind(), StatusKind::kUsage);
    EXPECT_NE(text.status().message().find(std::to_string(source)), std::string::npos);
  }
}

}  // namespace
}  // namespace warpsight
