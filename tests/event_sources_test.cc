// The source of a row leads to the event that the row was made of, in every sample recording: rows of all kinds are drawn at
// random, and what the file says there is compared with the row.
#include <gtest/gtest.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/decimal.h"
#include "formats/event_source.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::event_sources_test {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDraws = 25;

// Text of a number of JSON as it stands in the file, which has more digits than a double.
std::string NumberText(const std::string& text, const std::string& key) {
  const size_t at = text.find("\"" + key + "\"");
  const size_t from = text.find_first_of("-0123456789", at + key.size() + 2);
  return text.substr(from, text.find_first_not_of("-+.eE0123456789", from) - from);
}

// Of a JSON trace: name, start and duration. Times of a trace may count from a base of its own; differences do not.
void ExpectJsonEvent(const std::string& text, const Json& event, std::string_view name, Ns duration_ns) {
  EXPECT_EQ(event["name"], name);
  if (!event.contains("dur")) return;
  EXPECT_EQ(ParseMicroseconds(NumberText(text, "dur")).ns, duration_ns);
}

void ExpectSame(const std::string& text, std::string_view name, Ns start_ns, Ns duration_ns, Ns clock_shift) {
  const Json event = Json::parse(text, nullptr, false);
  ASSERT_TRUE(event.is_object()) << text;
  if (event.contains("ph")) return ExpectJsonEvent(text, event, name, duration_ns);
  if (event.contains("table")) {
    EXPECT_EQ(event["args"]["start"].get<Ns>(), start_ns + clock_shift) << text;
    if (event["args"].contains("end"))
      EXPECT_EQ(event["args"]["end"].get<Ns>() - event["args"]["start"].get<Ns>(), duration_ns) << text;
    return;
  }
  if (event.contains("time_ns")) {
    EXPECT_EQ(event["time_ns"].get<Ns>(), start_ns + clock_shift) << text;
    // Names of ops stand in their ranges with more behind them.
    EXPECT_TRUE(event["name"].get<std::string>().starts_with(name.substr(0, 8))) << text << " " << name;
    return;
  }
  EXPECT_EQ(event["start_ns"].get<Ns>(), start_ns + clock_shift) << text;
  EXPECT_EQ(event["end_ns"].get<Ns>() - event["start_ns"].get<Ns>(), duration_ns) << text;
  EXPECT_TRUE(event["name"] == name || event["kind"] == "memcpy" || event["kind"] == "memset") << text << " " << name;
}

// What the clock of the file says of time 0 of the trace, from one event; all must agree.
Ns ClockOf(const std::string& text, Ns start_ns) {
  const Json event = Json::parse(text, nullptr, false);
  if (event.contains("table")) return event["args"]["start"].get<Ns>() - start_ns;
  if (event.contains("time_ns")) return event["time_ns"].get<Ns>() - start_ns;
  return event.contains("start_ns") ? event["start_ns"].get<Ns>() - start_ns : 0;
}

template <typename Rows>
void CheckRows(const std::string& file, const Trace& trace, const Rows& rows, std::mt19937& random,
               std::optional<Ns>& clock) {
  if (rows.size() == 0) return;
  for (int i = 0; i < kDraws; ++i) {
    const auto row = static_cast<uint32_t>(random() % rows.size());
    const Result<std::string> text = ReadEventText(file, rows.source[row]);
    ASSERT_TRUE(text.ok()) << text.status().message();
    if (!clock) clock = ClockOf(*text, rows.start_ns[row]);
    ExpectSame(*text, trace.Text(rows.name[row]), rows.start_ns[row], rows.end_ns[row] - rows.start_ns[row], *clock);
  }
}

class EventSources : public ::testing::TestWithParam<std::string> {};

TEST_P(EventSources, LeadToTheEventOfTheRow) {
  const Result<Trace> trace = OpenTrace(GetParam(), {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  std::mt19937 random(1);
  std::optional<Ns> clock;
  CheckRows(GetParam(), *trace, trace->host(), random, clock);
  CheckRows(GetParam(), *trace, trace->gpu(), random, clock);
  CheckRows(GetParam(), *trace, trace->gpu_spans(), random, clock);
}

std::vector<std::string> Recordings() {
  std::vector<std::string> files;
  for (const char* const name :
       {"decode_b1.pt.trace.json.gz", "graph_b1.pt.trace.json.gz", "record_decode_b1.wscap", "ddp_h200.wscap"})
    files.push_back(std::string(WARPSIGHT_EXAMPLES_DIR "/") + name);
  for (const std::string& file : testing::SharedFiles("public/nsys")) {
    if (file.ends_with(".sqlite") && files.size() < 12) files.push_back(file);
  }
  return files;
}

std::string NameOfFile(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(info.param.rfind('/') + 1);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return std::to_string(info.index) + "_" + name;
}

INSTANTIATE_TEST_SUITE_P(Samples, EventSources, ::testing::ValuesIn(Recordings()), NameOfFile);

}  // namespace
}  // namespace warpsight::event_sources_test
