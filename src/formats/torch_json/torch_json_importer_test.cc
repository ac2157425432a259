// Whole files: what is recognised, what is told about their ends, and the messages of those that can't be read.
#include "formats/torch_json/torch_json_importer.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight {
namespace {

std::string Event(int ts) {
  return R"({"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": )" + std::to_string(ts) +
         R"(, "dur": 1, "args": {}})";
}
std::string File(const std::string& events, const std::string& end = "]}") {
  return R"({"schemaVersion": 1, "traceEvents": [)" + events + end;
}

Result<Trace> Import(const std::string& text) {
  Result<std::unique_ptr<ByteSource>> source = OpenByteSource(text, "t.json");
  return MakeTorchJsonImporter()->Import(std::move(source).value(), {});
}

std::string Causes(const Result<Trace>& trace) {
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  std::string causes;
  if (!trace.ok()) return causes;
  for (const ImportCause& cause : trace->log().causes()) causes += (causes.empty() ? "" : " ") + cause.cause;
  return causes;
}

TEST(TorchJsonImporterTest, RecognisesObjectsAndArrays) {
  const auto importer = MakeTorchJsonImporter();
  for (const char* head : {"{", " \n{\"a\"", "[", "\xEF\xBB\xBF{", "\xEF\xBB\xBF\n[", "[{", " [ \n{", "[ ]"})
    EXPECT_TRUE(importer->Recognises(head)) << head;
  for (const char* head : {"", "  ", "hello", "<", "\xEF\xBB{", "SQLite format 3", "[561] python3.10@127.0.0.1", "[INFO] {"})
    EXPECT_FALSE(importer->Recognises(head)) << head;
}

TEST(TorchJsonImporterTest, GoodFile) {
  const Result<Trace> trace =
      Import(File(Event(1) + "," + Event(2), R"(], "traceName": "x.json", "baseTimeNanoseconds": 7})"));
  EXPECT_EQ(Causes(trace), "");
  const RecordingInfo& info = trace->recording();
  EXPECT_EQ(info.producer, "pytorch-profiler");
  EXPECT_EQ(info.trace_name, "x.json");
  EXPECT_EQ(info.clock_base_ns, 7);
  EXPECT_EQ(info.file, "t.json");
  EXPECT_EQ(info.container, "plain");
  EXPECT_EQ(info.inflated_bytes, info.file_bytes);
  EXPECT_EQ(trace->host().size(), 2u);
}

TEST(TorchJsonImporterTest, ContentsAreNoted) {
  const Result<Trace> without = Import(File(Event(1)));
  EXPECT_FALSE(without->recording().has_shapes || without->recording().has_stacks || without->recording().has_memory_events);
  const Result<Trace> with = Import(File(
      R"({"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"Input Dims": [[1]]}},)"
      R"({"ph": "X", "cat": "python_function", "name": "f", "pid": 1, "tid": 1, "ts": 1, "dur": 1},)"
      R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 1})"));
  EXPECT_TRUE(with->recording().has_shapes);
  EXPECT_TRUE(with->recording().has_stacks);
  EXPECT_TRUE(with->recording().has_memory_events);
  EXPECT_EQ(with->instant_count(), 1);  // it says no totals
}

TEST(TorchJsonImporterTest, BareArrays) {
  EXPECT_EQ(Causes(Import("[" + Event(1) + "]")), "");
  EXPECT_EQ(Causes(Import("[" + Event(1) + ",\n")), "unterminated_array");  // the Chrome format allows it
  EXPECT_EQ(Import("[" + Event(1) + ",\n")->log().causes()[0].severity, ImportSeverity::kInfo);
  EXPECT_EQ(Import("[" + Event(1) + "]")->recording().producer, "chrome-trace");
}

TEST(TorchJsonImporterTest, EndsOfDamagedFiles) {
  EXPECT_EQ(Causes(Import(File(Event(1), ""))), "unterminated_array");
  EXPECT_EQ(Causes(Import(File(Event(1), ",\n"))), "unterminated_array");
  EXPECT_EQ(Causes(Import(File(Event(1), ", {\"ph\": \"X\", \"na"))), "cut_off_event cut_off_file");
  EXPECT_EQ(Causes(Import(File(Event(1), "]"))), "damaged_epilogue");
  EXPECT_EQ(Causes(Import(File(Event(1), "], \"a\": [1, "))), "damaged_epilogue");
  EXPECT_EQ(Causes(Import(File(Event(1), "]} more"))), "trailing_bytes");
  EXPECT_EQ(Causes(Import(R"({"a": ["x"y"], "traceEvents": [)" + Event(1) + "]}")), "damaged_metadata");
}

TEST(TorchJsonImporterTest, EmptyArrayIsAnEmptyTrace) {
  const Result<Trace> trace = Import(File(""));
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->log().read(), 0);
}

void ExpectRefusal(const std::string& text, const std::string& message) {
  const Result<Trace> trace = Import(text);
  ASSERT_FALSE(trace.ok()) << text;
  EXPECT_EQ(trace.status().kind(), StatusKind::kUnreadable);
  EXPECT_NE(trace.status().message().find(message), std::string::npos) << trace.status().message();
  EXPECT_EQ(trace.status().message().rfind("t.json: ", 0), 0u);
}

TEST(TorchJsonImporterTest, RefusalsSayWhatWasFound) {
  ExpectRefusal("", "the file is empty");
  ExpectRefusal("{}", "JSON without \"traceEvents\"");
  ExpectRefusal("{\"traceEvents\": {}}", "\"traceEvents\" is no array");
  ExpectRefusal("[1, 2]", "its elements are no event objects");
  ExpectRefusal("{\"schemaVersion\": 1, \"tra", "ends before \"traceEvents\" begins (25 bytes read)");
  ExpectRefusal(R"([{"id": 1}, {"id": 2}])", "2 objects, none of them a trace event");
}

// Facts longer than the first piece that is read.
TEST(TorchJsonImporterTest, LongPrologue) {
  const Result<Trace> trace =
      Import(R"({"config": ")" + std::string(300'000, 'c') + R"(", "schemaVersion": 1, "traceEvents": [)" + Event(1) + "]}");
  EXPECT_EQ(Causes(trace), "");
  EXPECT_EQ(trace->host().size(), 1u);
  EXPECT_EQ(trace->recording().properties[0].second.size(), 300'000u);
}

}  // namespace
}  // namespace warpsight
