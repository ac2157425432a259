#include "analysis/counter_list.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

Trace TraceWithCounters() {
  TraceBuilder builder;
  const auto series = [&](const char* name, const char* unit, int32_t device, CounterKind kind) {
    CounterSeries made;
    made.name = builder.Intern(name);
    made.unit = builder.Intern(unit);
    made.device = device;
    made.kind = kind;
    return builder.names().InternCounter(made);
  };
  CounterColumns& counters = builder.shard().counters;
  const CounterIndex clock = series("SM clock", "MHz", 0, CounterKind::kInteger);
  const CounterIndex load = series("load", "", -1, CounterKind::kDouble);
  const CounterIndex reasons = series("throttle reasons", "bits", 0, CounterKind::kInteger);
  counters.AddInteger(clock, 1, 1980);
  counters.AddInteger(clock, 2, 1000);
  counters.AddInteger(clock, 3, 1500);
  counters.AddDouble(load, 1, -0.5);
  counters.AddDouble(load, 2, 1.5);
  counters.AddInteger(reasons, 1, 4);
  builder.shard().log.CountRead(6);
  return std::move(builder).Seal();
}

TEST(CounterListTest, ExtentOfEachSeries) {
  const nlohmann::ordered_json counters = CountersJson(TraceWithCounters());
  ASSERT_EQ(counters.size(), 3u);
  EXPECT_EQ(counters[0].dump(),
            R"({"name":"load","unit":null,"device":null,"process":null,"samples":2,"min":-0.5,"mean":0.5,"max":1.5})");
  EXPECT_EQ(counters[1]["name"], "SM clock");
  EXPECT_EQ(counters[1]["min"], 1000);
  EXPECT_DOUBLE_EQ(counters[1]["mean"], 4480.0 / 3);
  EXPECT_EQ(counters[1]["max"], 1980);
}

TEST(CounterListTest, BitsHaveNoMean) {
  const nlohmann::ordered_json counters = CountersJson(TraceWithCounters());
  EXPECT_EQ(counters[2]["samples"], 1);
  EXPECT_TRUE(counters[2]["min"].is_null());
  EXPECT_TRUE(counters[2]["mean"].is_null());
}

TEST(CounterListTest, NoCountersNoTable) {
  EXPECT_FALSE(MakeCounterTable(TraceBuilder().Seal()).has_value());
  const std::optional<Table> table = MakeCounterTable(TraceWithCounters());
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->rows.size(), 3u);
}

}  // namespace
}  // namespace warpsight
