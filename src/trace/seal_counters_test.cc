// Counters in sealing: series of all shards joined, values as they were, samples by time.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

struct MadeSample {
  const char* name;
  int32_t device;
  Ns time_ns;
  double value;
  bool is_double = false;
};

TraceShard CounterShard(const std::vector<MadeSample>& samples) {
  TraceShard shard;
  shard.names = std::make_shared<LocalNames>();
  // A series without samples leaves no trace.
  CounterSeries unused;
  unused.name = shard.names->strings.Intern("unused");
  shard.names->InternCounter(unused);
  for (const MadeSample& sample : samples) {
    CounterSeries series;
    series.name = shard.names->strings.Intern(sample.name);
    series.unit = shard.names->strings.Intern("MHz");
    series.device = sample.device;
    series.kind = sample.is_double ? CounterKind::kDouble : CounterKind::kInteger;
    const CounterIndex counter = shard.names->InternCounter(series);
    if (sample.is_double) {
      shard.counters.AddDouble(counter, sample.time_ns, sample.value);
    } else {
      shard.counters.AddInteger(counter, sample.time_ns, static_cast<int64_t>(sample.value));
    }
    shard.log.CountRead();
  }
  return shard;
}

std::string SeriesText(const Trace& trace) {
  std::string text;
  for (const CounterSeries& series : trace.counters()) {
    text += std::string(trace.Text(series.name)) + "@" + std::to_string(series.device);
    for (uint32_t row = series.first; row < series.end; ++row) {
      const std::string value = series.kind == CounterKind::kDouble
                                    ? std::to_string(trace.counter_samples().Double(series, row)).substr(0, 4)
                                    : std::to_string(trace.counter_samples().value[row]);
      text += " " + std::to_string(trace.counter_samples().time_ns[row]) + ":" + value;
    }
    text += "\n";
  }
  return text;
}

Trace SealShards(std::vector<TraceShard> shards) { return Seal({}, std::move(shards), {}); }

TEST(SealCountersTest, SeriesOfAllShardsAreOneAndInOrder) {
  std::vector<TraceShard> shards;
  shards.push_back(CounterShard({{"power", 1, 5, 50}, {"clock", 1, 5, 1980}, {"clock", 0, 9, 1500}}));
  shards.push_back(CounterShard({{"clock", 0, 3, 1400}, {"power", 1, 7, 70}, {"clock", 0, 9, 1501}, {"clock", 0, 1, 1}}));
  const Trace trace = SealShards(std::move(shards));
  EXPECT_EQ(SeriesText(trace), "clock@0 1:1 3:1400 9:1500 9:1501\nclock@1 5:1980\npower@1 5:50 7:70\n");
  EXPECT_EQ(trace.counter_events(), 7);
  ASSERT_EQ(trace.devices().size(), 2u);
  EXPECT_FALSE(trace.devices()[1].has_work);
  EXPECT_TRUE(trace.capture().empty());
}

TEST(SealCountersTest, LargeIntegersStayExact) {
  std::vector<TraceShard> shards;
  shards.push_back(CounterShard({{"bytes", -1, 1, 9007199254740992.0}}));
  shards.back().counters.value[0] = 9007199254740993;
  const Trace trace = SealShards(std::move(shards));
  EXPECT_EQ(SeriesText(trace), "bytes@-1 1:9007199254740993\n");
  EXPECT_TRUE(trace.devices().empty());
}

TEST(SealCountersTest, IntegersAndDoublesOfOneSeriesAreDoubles) {
  std::vector<TraceShard> shards;
  shards.push_back(CounterShard({{"load", 0, 1, 3}, {"load", 0, 2, 3.5, true}}));
  EXPECT_EQ(SeriesText(SealShards(std::move(shards))), "load@0 1:3.00 2:3.50\n");
}

}  // namespace
}  // namespace warpsight
