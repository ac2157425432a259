#include "formats/open_trace.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <string>

#include "formats/registry.h"

namespace warpsight {
namespace {

const char* const kTrace =
    R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 5, "dur": 1}]})";

std::string ZstdBytes(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string Refusal(const std::string& bytes) {
  const Result<Trace> trace = OpenTraceBytes(bytes, "f", {});
  EXPECT_FALSE(trace.ok());
  EXPECT_EQ(trace.status().kind(), StatusKind::kUnreadable);
  return trace.status().message();
}

TEST(OpenTraceTest, PlainAndCompressedByContent) {
  for (const std::string& stored : {std::string(kTrace), ZstdBytes(kTrace)}) {
    const Result<Trace> trace = OpenTraceBytes(stored, "no extension", {});
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    EXPECT_EQ(trace->host().size(), 1u);
    EXPECT_EQ(trace->recording().file, "no extension");
  }
}

TEST(OpenTraceTest, TheTraceOutlivesTheBytes) {
  std::string bytes = kTrace;
  const Result<Trace> trace = OpenTraceBytes(bytes, "f", {});
  bytes.assign(bytes.size(), 'x');
  EXPECT_EQ(trace->Text(trace->host().name[0]), "a");
}

TEST(OpenTraceTest, RefusalsAreOneLineWithNameReasonAndAdvice) {
  EXPECT_EQ(Refusal(""), "f: is empty: record the trace again");
  EXPECT_EQ(Refusal("PK\x03\x04"), "f: is a zip archive: unpack it and give the trace inside");
  EXPECT_NE(Refusal("hello").find("f: is not a recording that warpsight knows: give"), std::string::npos);
}

TEST(OpenTraceTest, DamagedContainerIsTold) {
  const std::string cut = Refusal(ZstdBytes(std::string(1000, 'x') + kTrace).substr(0, 12));
  EXPECT_NE(cut.find("(zstd: the data ends early"), std::string::npos) << cut;

  const std::string stored = ZstdBytes(kTrace);
  const Result<Trace> trailing = OpenTraceBytes(stored + "garbage", "f", {});
  ASSERT_TRUE(trailing.ok());
  EXPECT_EQ(trailing->log().count("damaged_container"), 1);
}

TEST(OpenTraceTest, MissingFile) {
  const Result<Trace> trace = OpenTrace("/nonexistent/trace.json", {});
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.status().message(), "/nonexistent/trace.json: cannot open: No such file or directory");
}

TEST(ImportersTest, EachSaysWhatItIs) {
  ASSERT_FALSE(Importers().empty());
  for (const auto& importer : Importers()) {
    EXPECT_FALSE(importer->name().empty());
    EXPECT_FALSE(importer->description().empty());
    EXPECT_FALSE(importer->Recognises("")) << importer->name();
  }
}

}  // namespace
}  // namespace warpsight
