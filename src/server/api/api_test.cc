// The interface without sockets: what it answers of small traces, of hostile ones, and to nonsense.
#include "server/api/api.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "analysis/counters/joined_document.h"
#include "analysis/hand_made_trace.h"
#include "formats/open_counters.h"
#include "formats/open_trace.h"
#include "server/api/page_answer.h"

namespace warpsight::server {
namespace {

struct DecodedTile {
  uint32_t kind = 0;
  std::vector<double> start, duration, min, max, last;
  std::vector<uint32_t> name, row, events;
  std::vector<float> busy;
  std::vector<uint16_t> depth;
  std::vector<uint8_t> event_kind;
};

DecodedTile DecodeTile(const std::string& bytes) {
  DecodedTile tile;
  size_t at = 0;
  const auto take = [&](auto& column, size_t count) {
    using T = std::remove_reference_t<decltype(column[0])>;
    ASSERT_LE(at + count * sizeof(T), bytes.size());
    column.resize(count);
    std::memcpy(column.data(), bytes.data() + at, count * sizeof(T));
    at += count * sizeof(T);
  };
  std::vector<uint32_t> head;
  take(head, 4);
  EXPECT_EQ(bytes.substr(0, 4), "TWST");
  EXPECT_EQ(head[1], 1u);
  tile.kind = head[2];
  take(tile.start, head[3]);
  if (tile.kind == 1) {
    for (auto* const column : {&tile.min, &tile.max, &tile.last}) take(*column, head[3]);
  } else {
    take(tile.duration, head[3]);
    for (auto* const column : {&tile.name, &tile.row, &tile.events}) take(*column, head[3]);
    take(tile.busy, head[3]);
    take(tile.depth, head[3]);
    take(tile.event_kind, head[3]);
  }
  EXPECT_EQ(at, bytes.size());
  return tile;
}

class ApiTest : public ::testing::Test {
 protected:
  void Serve(Trace trace) {
    std::vector<Trace> traces;
    traces.push_back(std::move(trace));
    store_ = std::make_unique<TraceStore>(std::move(traces));
    api_ = std::make_unique<Api>(*store_);
  }
  Response Get(const std::string& path, const std::string& query = "") { return api_->Answer({path, query, false}); }
  Response Of(const std::string& path, const std::string& query = "") { return Get("/api/v1/traces/0/" + path, query); }
  Json JsonOf(const std::string& path, const std::string& query = "") {
    const Response response = Of(path, query);
    EXPECT_EQ(response.status, 200) << path << "?" << query << ": " << response.body;
    return Json::parse(response.body, nullptr, false);
  }
  DecodedTile Tile(uint32_t track, Ns start, Ns end, int pixels) {
    const Response response = Of("tile", "track=" + std::to_string(track) + "&start=" + std::to_string(start) +
                                             "&end=" + std::to_string(end) + "&px=" + std::to_string(pixels));
    EXPECT_EQ(response.status, 200) << response.body;
    return DecodeTile(response.body);
  }
  // The tracks by their numbers; those that are computed come last.
  std::vector<Json> Tracks(bool computed = false) {
    std::vector<Json> tracks;
    const Json answer = JsonOf("tracks");
    for (const Json& group : answer["groups"]) {
      for (const Json& track : group["tracks"]) {
        const bool is_computed = group["kind"] == "device" && track["kind"] == "counter";
        if (computed || !is_computed) tracks.push_back(track);
      }
    }
    std::ranges::stable_sort(tracks, {}, [](const Json& track) { return track["track"].get<int>(); });
    return tracks;
  }

  std::unique_ptr<TraceStore> store_;
  std::unique_ptr<Api> api_;
};

// Three steps of a range, an op in an op, a call, two kernels that overlap on one stream, and a counter.
Trace SmallTrace() {
  HandMadeTrace make;
  CounterSeries series;
  series.name = make.builder().Intern("power");
  series.unit = make.builder().Intern("W");
  series.device = 0;
  const warpsight::CounterIndex power = make.builder().names().InternCounter(series);
  for (int step = 0; step < 3; ++step) {
    const Ns at = 1000 + step * 1000;
    const auto id = static_cast<uint32_t>(step + 1);
    make.Range("ProfilerStep#" + std::to_string(step), {at, at + 900});
    make.Op("aten::linear", {at + 10, at + 500});
    make.Op("aten::mm", {at + 20, at + 400});
    make.Api("cudaLaunchKernel", {at + 30, at + 60}, id);
    make.Kernel("ampere_sgemm_128x64_tn", {at + 100, at + 300}, id);
    make.Kernel("beside <b>&\"", {at + 150, at + 160});
    for (int i = 0; i < 200; ++i) {
      make.builder().shard().counters.AddInteger(power, at + i, i * (step + 1));
      make.builder().shard().log.CountRead();
    }
  }
  return make.Seal();
}

TEST_F(ApiTest, TracksAreGrouped) {
  Serve(SmallTrace());
  const Json answer = JsonOf("tracks");
  EXPECT_EQ(answer["schema"], "warpsight.tracks/1");
  EXPECT_EQ(answer["start_ns"], 1000);
  EXPECT_EQ(answer["end_ns"], 3900);
  std::vector<std::string> kinds;
  for (const Json& group : answer["groups"]) kinds.push_back(group["kind"]);
  EXPECT_EQ(kinds, (std::vector<std::string>{"steps", "device", "process", "counters"}));
  const std::vector<Json> tracks = Tracks();
  ASSERT_EQ(tracks.size(), 4u);
  for (size_t i = 0; i < tracks.size(); ++i) EXPECT_EQ(tracks[i]["track"], i);
  EXPECT_EQ(tracks[0]["events"], 3);
  EXPECT_EQ(tracks[1]["name"], "stream 7");
  EXPECT_EQ(tracks[1]["depths"], 2);
  EXPECT_EQ(tracks[1]["events"], 6);
  EXPECT_EQ(tracks[2]["kind"], "calls");
  EXPECT_EQ(tracks[2]["depths"], 4);
  EXPECT_EQ(tracks[3]["unit"], "W");
  EXPECT_EQ(tracks[3]["min"], 0.0);
  EXPECT_EQ(tracks[3]["max"], 597.0);
}

TEST_F(ApiTest, ATileHasEachEventOnItsDepth) {
  Serve(SmallTrace());
  const DecodedTile tile = Tile(2, 2000, 3000, 1000);
  EXPECT_EQ(tile.kind, 0u);
  EXPECT_EQ(tile.depth, (std::vector<uint16_t>{0, 1, 2, 3}));
  EXPECT_EQ(tile.start, (std::vector<double>{1000, 1010, 1020, 1030}));
  EXPECT_EQ(tile.duration, (std::vector<double>{900, 490, 380, 30}));
  EXPECT_EQ(tile.events, (std::vector<uint32_t>{1, 1, 1, 1}));
  EXPECT_EQ(tile.event_kind, (std::vector<uint8_t>{0, 0, 0, 0}));
  std::string ids = "ids=";
  for (const uint32_t name : tile.name) ids += std::to_string(name) + ",";
  const Json names = JsonOf("names", ids)["names"];
  EXPECT_EQ(names[std::to_string(tile.name[2])], "aten::mm");
  for (size_t i = 0; i < tile.row.size(); ++i) {
    const Json event = JsonOf("event", "kind=host&row=" + std::to_string(tile.row[i]));
    EXPECT_EQ(event["name"], names[std::to_string(tile.name[i])]);
    EXPECT_EQ(event["depth"], tile.depth[i]);
    EXPECT_EQ(event["track"], 2);
    EXPECT_EQ(event["start_ns"], tile.start[i] + 1000);
  }
}

TEST_F(ApiTest, ATileOfSomeDepths) {
  Serve(SmallTrace());
  const Response response = Of("tile", "track=2&start=1000&end=3900&px=1000&from_depth=1&to_depth=3");
  const DecodedTile tile = DecodeTile(response.body);
  EXPECT_EQ(std::set<uint16_t>(tile.depth.begin(), tile.depth.end()), (std::set<uint16_t>{1, 2}));
}

TEST_F(ApiTest, NarrowEventsAreOneSliceThatCountsThem) {
  Serve(SmallTrace());
  const DecodedTile tile = Tile(1, 0, 100'000, 1);
  ASSERT_EQ(tile.events, (std::vector<uint32_t>{3, 3}));
  EXPECT_EQ(tile.start[0], 100);
  EXPECT_EQ(tile.duration[0], 2200);
  EXPECT_FLOAT_EQ(tile.busy[0], 600.0f / 2200.0f);
  EXPECT_FLOAT_EQ(tile.busy[1], 30.0f / 2010.0f);
  EXPECT_EQ(tile.event_kind, (std::vector<uint8_t>{1, 1}));
}

TEST_F(ApiTest, StepsAreShownAsTheRangesThatMarkThem) {
  Serve(SmallTrace());
  const DecodedTile tile = Tile(0, 1000, 3900, 1000);
  ASSERT_EQ(tile.row.size(), 3u);
  EXPECT_EQ(tile.event_kind, (std::vector<uint8_t>{0, 0, 0}));
  EXPECT_EQ(JsonOf("event", "kind=host&row=" + std::to_string(tile.row[1]))["name"], "ProfilerStep#1");
  EXPECT_EQ(JsonOf("event", "kind=step&row=2")["name"], "ProfilerStep#2");
}

TEST_F(ApiTest, CountersHaveTheirLimitsByPixel) {
  Serve(SmallTrace());
  const DecodedTile fit = Tile(3, 1000, 4000, 3);
  EXPECT_EQ(fit.kind, 1u);
  EXPECT_EQ(fit.start, (std::vector<double>{0, 1000, 2000}));
  EXPECT_EQ(fit.min, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(fit.max, (std::vector<double>{199, 398, 597}));
  EXPECT_EQ(fit.last, fit.max);
  // The value that holds where the range begins comes from before it.
  const DecodedTile part = Tile(3, 1500, 2002, 502);
  EXPECT_EQ(part.start, (std::vector<double>{199, 1000, 1001}));
  EXPECT_EQ(part.last, (std::vector<double>{199, 0, 2}));
}

TEST_F(ApiTest, CountersEqualThePlainReading) {
  HandMadeTrace make;
  CounterSeries series;
  series.name = make.builder().Intern("x");
  series.kind = CounterKind::kDouble;
  const warpsight::CounterIndex counter = make.builder().names().InternCounter(series);
  std::mt19937 random(1);
  make.Op("op", {0, 100'000});
  std::vector<std::pair<Ns, double>> samples;
  for (int i = 0; i < 5000; ++i) {
    const Ns time = static_cast<Ns>(random() % 100'000);
    samples.emplace_back(time, static_cast<double>(random() % 1000) - 500);
    make.builder().shard().counters.AddDouble(counter, time, samples.back().second);
    make.builder().shard().log.CountRead();
  }
  std::ranges::stable_sort(samples, {}, [](const auto& sample) { return sample.first; });
  Serve(make.Seal());
  for (int round = 0; round < 300; ++round) {
    const Ns start = static_cast<Ns>(random() % 100'000);
    const Ns end = start + 1 + static_cast<Ns>(random() % (round % 2 == 0 ? 100'000 : 500));
    const auto pixels = static_cast<int>(1 + random() % 600);
    const DecodedTile tile = Tile(1, start, end, pixels);
    std::vector<std::array<double, 4>> expected;  // start, min, max, last
    int64_t pixel = -1;
    for (const auto& [time, value] : samples) {
      if (time < start) expected = {{static_cast<double>(time), value, value, value}};
      if (time < start || time >= end) continue;
      const int64_t at = (time - start) * pixels / (end - start);
      if (at != pixel) expected.push_back({static_cast<double>(time), value, value, value});
      pixel = at;
      expected.back() = {expected.back()[0], std::min(expected.back()[1], value), std::max(expected.back()[2], value),
                         value};
    }
    ASSERT_EQ(tile.start.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(tile.start[i], expected[i][0]);
      ASSERT_EQ(tile.min[i], expected[i][1]);
      ASSERT_EQ(tile.max[i], expected[i][2]);
      ASSERT_EQ(tile.last[i], expected[i][3]);
    }
  }
}

TEST_F(ApiTest, ComputedCountersStandBeforeTheStreams) {
  Serve(SmallTrace());
  const Json device = JsonOf("tracks")["groups"][1];
  ASSERT_EQ(device["kind"], "device");
  ASSERT_EQ(device["tracks"].size(), 3u);
  EXPECT_EQ(device["tracks"][0],
            Json::parse(R"({"track":4,"name":"busy share","kind":"counter","depths":1,"events":6,"unit":"%",
                                                 "min":0.0,"max":100.0})"));
  EXPECT_EQ(device["tracks"][1], Json::parse(R"({"track":5,"name":"queue depth","kind":"counter","depths":1,"events":6,
                                                 "unit":null,"min":0.0,"max":1.0})"));
  EXPECT_EQ(device["tracks"][2]["name"], "stream 7");
  // Steps of 1000 ns, in each a kernel from 100 to 300 that was launched at 60; another lies within it.
  const DecodedTile busy = Tile(4, 1000, 4000, 6);
  EXPECT_EQ(busy.start, (std::vector<double>{0, 500, 1000, 1500, 2000, 2500}));
  EXPECT_EQ(busy.last, (std::vector<double>{40, 0, 40, 0, 40, 0}));
  const DecodedTile queue = Tile(5, 1000, 2000, 1000);
  EXPECT_EQ(queue.start, (std::vector<double>{60, 100}));
  EXPECT_EQ(queue.last, (std::vector<double>{1, 0}));
}

// Work of two devices and several streams, launched at any time before it begins, or during, or by no known call.
TEST_F(ApiTest, ComputedCountersEqualThePlainReading) {
  std::mt19937 random(4);
  for (int trace = 0; trace < 12; ++trace) {
    HandMadeTrace make;
    struct Work {
      Interval time;
      Ns launched = kMaxNs;
      int device = 0;
      int64_t stream = 0;
    };
    std::vector<Work> all;
    const int works = trace < 6 ? 60 : 3000;
    for (int i = 0; i < works; ++i) {
      Work work;
      work.device = static_cast<int>(random() % 2);
      work.stream = static_cast<int64_t>(random() % 3);
      work.time.start = static_cast<Ns>(random() % 20'000);
      work.time.end = work.time.start + static_cast<Ns>(random() % 20);
      uint32_t correlation = 0;
      if (random() % 8 != 0) {
        work.launched = work.time.start + 5 - static_cast<Ns>(random() % (trace % 2 == 0 ? 40 : 9000));
        correlation = static_cast<uint32_t>(i + 1);
        make.OnThread(i).Api("cudaLaunchKernel", {work.launched - 3, work.launched}, correlation);
      }
      make.OnStream(work.stream, work.device).Kernel("k", work.time, correlation);
      all.push_back(work);
    }
    Serve(make.Seal());
    const Json groups = JsonOf("tracks")["groups"];
    for (const Json& group : groups) {
      if (group["kind"] != "device") continue;
      for (const Json& track : group["tracks"]) {
        if (track["kind"] != "counter") continue;
        const std::string name = track["name"];
        const bool busy = name == "busy share";
        const bool one_stream = name.starts_with("queue depth of stream ");
        std::vector<Work> wanted;
        for (const Work& work : all) {
          if (std::to_string(work.device) != group["id"]) continue;
          if (!one_stream || name == "queue depth of stream " + std::to_string(work.stream)) wanted.push_back(work);
        }
        for (int round = 0; round < 12; ++round) {
          const Ns start = static_cast<Ns>(random() % 20'000) - 500;
          const Ns end = start + 1 + static_cast<Ns>(random() % (round % 2 == 0 ? 25'000 : 100));
          const auto pixels = static_cast<int>(1 + random() % 150);
          const DecodedTile tile = Tile(track["track"], start, end, pixels);
          std::vector<std::array<double, 4>> expected;
          const auto pixel_of = [&](Ns time) { return (time - start) * pixels / (end - start); };
          if (busy) {
            std::vector<int64_t> ns(static_cast<size_t>(pixels), 0);
            std::vector<int64_t> busy_ns(static_cast<size_t>(pixels), 0);
            std::vector<Ns> first(static_cast<size_t>(pixels), 0);
            std::vector<bool> runs(static_cast<size_t>(end - start), false);
            for (const Work& work : wanted) {
              for (Ns at = std::max(start, work.time.start); at < std::min(end, work.time.end); ++at)
                runs[static_cast<size_t>(at - start)] = true;
            }
            for (Ns at = start; at < end; ++at) {
              const auto pixel = static_cast<size_t>(pixel_of(at));
              if (ns[pixel]++ == 0) first[pixel] = at;
              busy_ns[pixel] += runs[static_cast<size_t>(at - start)] ? 1 : 0;
            }
            for (size_t i = 0; i < ns.size(); ++i) {
              if (ns[i] == 0) continue;
              const double share = 100 * static_cast<double>(busy_ns[i]) / static_cast<double>(ns[i]);
              if (expected.empty() || expected.back()[3] != share)
                expected.push_back({static_cast<double>(first[i]), share, share, share});
            }
          } else {
            std::set<Ns> changes;
            std::erase_if(wanted, [](const Work& work) { return work.launched >= work.time.start; });
            for (const Work& work : wanted) changes.insert({work.launched, work.time.start});
            std::map<Ns, int> steps;
            for (const Work& work : wanted) {
              ++steps[work.launched];
              --steps[work.time.start];
            }
            int waiting = 0;
            int64_t pixel = -1;
            for (const Ns time : changes) {
              waiting += steps[time];
              const auto value = static_cast<double>(waiting);
              if (time < start) expected = {{static_cast<double>(time), value, value, value}};
              if (time < start || time >= end) continue;
              if (pixel_of(time) != pixel) expected.push_back({static_cast<double>(time), value, value, value});
              pixel = pixel_of(time);
              expected.back() = {expected.back()[0], std::min(expected.back()[1], value),
                                 std::max(expected.back()[2], value), value};
            }
          }
          ASSERT_EQ(tile.start.size(), expected.size()) << name;
          const Ns zero = JsonOf("tracks")["start_ns"];
          for (size_t i = 0; i < expected.size(); ++i) {
            ASSERT_EQ(tile.start[i] + static_cast<double>(zero), expected[i][0]) << name;
            ASSERT_EQ(tile.min[i], expected[i][1]) << name;
            ASSERT_EQ(tile.max[i], expected[i][2]) << name;
            ASSERT_EQ(tile.last[i], expected[i][3]) << name;
          }
        }
      }
    }
  }
}

TEST_F(ApiTest, AnEventHasWhatLaunchedItAndWhatItLaunched) {
  Serve(SmallTrace());
  const Json kernel = JsonOf("event", "kind=gpu&row=0");
  EXPECT_EQ(kernel["name"], "ampere_sgemm_128x64_tn");
  EXPECT_EQ(kernel["decoded"]["kind"], "gemm");
  EXPECT_EQ(kernel["launched_by"]["name"], "cudaLaunchKernel");
  EXPECT_EQ(kernel["op"]["name"], "aten::mm");
  ASSERT_EQ(kernel["parents"].size(), 3u);
  EXPECT_EQ(kernel["parents"][2]["name"], "ProfilerStep#0");
  EXPECT_EQ(kernel["self_ns"], nullptr);
  const Json op = JsonOf("event", "kind=host&row=1");
  EXPECT_EQ(op["name"], "aten::linear");
  EXPECT_EQ(op["self_ns"], 490 - 380);
  EXPECT_EQ(op["launches"]["count"], 1);
  EXPECT_EQ(op["launches"]["first"][0]["name"], "ampere_sgemm_128x64_tn");
  EXPECT_EQ(op["parents"][0]["name"], "ProfilerStep#0");
  EXPECT_EQ(JsonOf("event", "kind=gpu&row=1")["launched_by"], nullptr);
}

TEST_F(ApiTest, SearchFindsNamesAndThenEvents) {
  Serve(SmallTrace());
  Json found = JsonOf("search", "q=MM&limit=2");
  EXPECT_EQ(found["count"], 6);
  EXPECT_EQ(found["names"], 2);
  ASSERT_EQ(found["hits"].size(), 2u);
  EXPECT_EQ(found["hits"][0]["name"], "aten::mm");
  EXPECT_EQ(found["hits"][1]["kind"], "gpu");
  found = JsonOf("search", "q=mm&after=2020&limit=1000");
  EXPECT_EQ(found["count"], 6);
  EXPECT_EQ(found["skipped"], 2);
  EXPECT_EQ(found["hits"].size(), 4u);
  found = JsonOf("search", "q=mm&until=3020&limit=1");
  EXPECT_EQ(found["hits"][0]["start_ns"], 2100);
  EXPECT_EQ(found["skipped"], 3);
  found = JsonOf("search", "q=%5Eaten%3A%3A&regex=1");
  EXPECT_EQ(found["count"], 6);
  EXPECT_EQ(found["names"], 2);
  EXPECT_EQ(JsonOf("search", "q=nothing")["count"], 0);
  EXPECT_EQ(Of("search", "q=(a&regex=1").status, 400);
  EXPECT_EQ(Of("search", "q=").status, 400);
  EXPECT_EQ(Of("search", "q=a&limit=1001").status, 400);
}

TEST_F(ApiTest, SameAddsUpAllEventsOfAName) {
  Serve(SmallTrace());
  const Json same = JsonOf("same", "kind=host&row=2");
  EXPECT_EQ(same["name"], "aten::mm");
  EXPECT_EQ(same["count"], 3);
  EXPECT_EQ(same["total_ns"], 1140);
  EXPECT_EQ(same["mean_ns"], 380);
  EXPECT_EQ(same["histogram"].size(), 1u);
  EXPECT_EQ(same["histogram"][0], (Json{{"from_ns", 380}, {"to_ns", 381}, {"count", 3}}));
}

TEST_F(ApiTest, HistogramsHaveEveryEventOnce) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    HandMadeTrace make;
    const auto events = static_cast<int64_t>(1 + random() % 300);
    for (int64_t i = 0; i < events; ++i)
      make.Kernel("k", {i, i + static_cast<Ns>(random() >> (2 + (round % 62 + random() % 5) % 62))});
    Serve(make.Seal());
    const Json same = JsonOf("same", "kind=gpu&row=0");
    int64_t count = 0;
    Ns border = same["min_ns"];
    for (const Json& bin : same["histogram"]) {
      ASSERT_EQ(bin["from_ns"], border);
      border = bin["to_ns"];
      ASSERT_GT(border, bin["from_ns"].get<Ns>());
      count += bin["count"].get<int64_t>();
    }
    ASSERT_LE(same["histogram"].size(), 40u);
    ASSERT_EQ(count, events);
    ASSERT_EQ(border, same["max_ns"].get<Ns>() + 1);
  }
}

TEST_F(ApiTest, NamesAreCutBetweenCharacters) {
  HandMadeTrace make;
  const std::string name = std::string(299, 'x') + "\xc3\xa4" + std::string(100, 'y');
  make.Op(name, {0, 10});
  make.Op("bad \xff\xfe bytes", {20, 30});
  Serve(make.Seal());
  EXPECT_EQ(JsonOf("event", "kind=host&row=0")["name"], name);
  EXPECT_EQ(JsonOf("search", "q=xxx")["hits"][0]["name"], std::string(299, 'x') + "...");
  EXPECT_EQ(JsonOf("event", "kind=host&row=1")["name"], "bad \xef\xbf\xbd\xef\xbf\xbd bytes");
}

TEST_F(ApiTest, DiffOfTwoTraces) {
  std::vector<Trace> traces;
  traces.push_back(SmallTrace());
  traces.push_back(SmallTrace());
  store_ = std::make_unique<TraceStore>(std::move(traces));
  api_ = std::make_unique<Api>(*store_);
  const Json diff = JsonOf("documents/diff", "with=1");
  EXPECT_EQ(diff["schema"], "warpsight.diff/1");
  EXPECT_EQ(diff["by_steps"], true);
  EXPECT_EQ(diff["metrics"]["busy"]["change_ns"], 0);
  EXPECT_EQ(diff["kernels"]["rows"].size(), 2u);
  EXPECT_EQ(Of("documents/diff", "with=1").body, Of("documents/diff", "with=1").body);
  EXPECT_EQ(JsonOf("documents/diff", "with=0")["metrics"]["step"]["change_ns"], 0) << "A is B";
  EXPECT_EQ(JsonOf("documents/diff", "with=1&range=+0ns:+950ns&device=0")["a"]["steps"], 1);
  for (const char* const query : {"", "with=2", "with=-1", "with=x", "with=1&range=1000:2000", "with=1&device=9",
                                  "with=1&limit=3", "with=1&range=5"}) {
    const Response refused = Of("documents/diff", query);
    EXPECT_EQ(refused.status, 400) << query;
    EXPECT_EQ(refused.body.find("--"), std::string::npos) << refused.body;
  }
}

// Two ranks of eight collectives, the second on a clock that is a second ahead.
std::vector<Trace> TwoRanks(Ns jitter_ns) {
  std::vector<Trace> traces;
  for (int rank = 0; rank < 2; ++rank) {
    HandMadeTrace make;
    RecordingInfo& info = make.builder().header().recording;
    info.rank = rank;
    info.world_size = 2;
    info.has_clock_base = true;
    info.clock_base_ns = 1000 * rank;
    const Ns ahead = rank * Ns{1'000'000'000};
    for (int i = 0; i < 40; ++i) {
      const Ns at = ahead + i * Ns{10'000'000};
      make.Collective("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", {at, at + 50'000 + rank * (i % 7) * jitter_ns}, {});
    }
    traces.push_back(make.Seal());
  }
  return traces;
}

TEST_F(ApiTest, RanksOnOneAxis) {
  store_ = std::make_unique<TraceStore>(TwoRanks(0));
  api_ = std::make_unique<Api>(*store_);
  const Json ranks = Json::parse(Get("/api/v1/ranks").body);
  EXPECT_EQ(ranks["schema"], "warpsight.ranks/1");
  EXPECT_EQ(ranks["status"], "aligned") << ranks.dump();
  ASSERT_EQ(ranks["ranks"].size(), 2u);
  EXPECT_EQ(ranks["ranks"][0]["shift_ns"], 0);
  EXPECT_EQ(ranks["ranks"][0]["error_ns"], 0);
  EXPECT_EQ(ranks["ranks"][1]["shift_ns"], -1'000'000'000) << "local times, whatever the clock's base";
  EXPECT_EQ(ranks["ranks"][1]["trace"], 1);
  EXPECT_EQ(ranks["ranks"][1]["collectives"], 40);
  EXPECT_EQ(ranks["world_size"], 2);
  EXPECT_EQ(ranks["comparison"]["rows"].size(), 2u);
  EXPECT_EQ(ranks["comparison"]["matched_collectives"], 40);
  EXPECT_EQ(Get("/api/v1/ranks").body, Get("/api/v1/ranks").body);
}

TEST_F(ApiTest, RanksWhoseClocksDisagreeAreNotMoved) {
  store_ = std::make_unique<TraceStore>(TwoRanks(400'000));
  api_ = std::make_unique<Api>(*store_);
  const Json ranks = Json::parse(Get("/api/v1/ranks").body);
  EXPECT_EQ(ranks["status"], "unaligned") << ranks.dump();
  EXPECT_TRUE(ranks["ranks"][1]["shift_ns"].is_null());
  EXPECT_TRUE(ranks["ranks"][1]["problem"].is_string());
  EXPECT_TRUE(ranks["comparison"].is_object()) << "waits come from durations";
  EXPECT_NE(ranks["reason"].get<std::string>().find("not compared across ranks"), std::string::npos);
}

TEST_F(ApiTest, OtherTracesAreNoRanks) {
  Serve(SmallTrace());
  EXPECT_EQ(Json::parse(Get("/api/v1/ranks").body)["status"], "single");
  std::vector<Trace> traces;
  traces.push_back(SmallTrace());
  traces.push_back(SmallTrace());
  store_ = std::make_unique<TraceStore>(std::move(traces));
  api_ = std::make_unique<Api>(*store_);
  const Json ranks = Json::parse(Get("/api/v1/ranks").body);
  EXPECT_EQ(ranks["status"], "not_ranks");
  EXPECT_TRUE(ranks["reason"].is_string());
  EXPECT_TRUE(ranks["ranks"].empty());
}

TEST_F(ApiTest, PathsThatAreNotThere) {
  Serve(SmallTrace());
  EXPECT_EQ(Get("/api/v1/traces/1/tracks").status, 404);
  EXPECT_EQ(Get("/api/v1/traces/-1/tracks").status, 404);
  EXPECT_EQ(Get("/api/v1/traces/x/tracks").status, 404);
  EXPECT_EQ(Get("/api/v1/traces/99999999999999999999/tracks").status, 404);
  EXPECT_EQ(Get("/api/v1/traces//tracks").status, 404);
  EXPECT_EQ(Get("/api/v1/traces/0").status, 404);
  EXPECT_EQ(Get("/api/v1/traces/0/other").status, 404);
  EXPECT_EQ(Get("/api/v1/traces/0/documents/serve").status, 404);
  EXPECT_EQ(Get("/api/v1/traces/0/tracks/").status, 404);
  EXPECT_EQ(Get("/api/v2/state").status, 404);
  for (const char* const path : {"", "/..", "/../../etc/passwd", "/etc/passwd", "/%2e%2e/x", "//", "/index.html/",
                                 "/data/gpus.toml", "http://127.0.0.1/", "\\", "index.html"})
    EXPECT_EQ(Get(path).status, 404) << path;
}

// A recording and a counter report of its kernels: `report` and the details of a kernel have the counters.
TEST_F(ApiTest, CounterReportsBelongToTheRecordings) {
  const std::string timeline = "tests/data/two_kernels.json";
  const std::string counters = "tests/data/two_kernels.ncu-rep";
  TraceStore store({counters, timeline, "/nonexistent"}, 2, {});
  while (!store.done()) std::this_thread::yield();
  const Api api(store);
  const Json state = Json::parse(api.Answer({"/api/v1/state", "", false}).body);
  ASSERT_EQ(state["traces"].size(), 2u);
  EXPECT_EQ(state["traces"][0]["file"], timeline);
  EXPECT_EQ(state["reports"], Json::parse(R"([{"file":"tests/data/two_kernels.ncu-rep","status":"ready","error":null}])"));

  const Result<Trace> trace = OpenTrace(timeline, {});
  const Result<CounterReport> report = OpenCounters(counters);
  ASSERT_TRUE(trace.ok() && report.ok());
  Given given;
  given.counter_reports = {&*report};
  Analysis analysis(*trace, {}, given);
  const Json expected = JoinedCountersData(*analysis.Get<JoinedCountersPass>());
  const Json answer = Json::parse(api.Answer({"/api/v1/traces/0/documents/report", "", false}).body);
  EXPECT_EQ(answer["counters"], expected);
  ASSERT_GT(expected["matched"].size(), 0u);
  int with_counters = 0;
  for (uint32_t row = 0; row < trace->gpu().size(); ++row) {
    const Json event =
        Json::parse(api.Answer({"/api/v1/traces/0/event", "kind=gpu&row=" + std::to_string(row), false}).body);
    Json own = nullptr;
    for (const Json& kernel : expected["matched"]) {
      const LaunchConfig& launch = trace->launch_config(trace->gpu().launch_config[row]);
      if (kernel["kernel"] == event["name"] && kernel["grid"] == Json(launch.grid) && kernel["block"] == Json(launch.block))
        own = kernel;
    }
    with_counters += own.is_null() ? 0 : 1;
    EXPECT_EQ(event["counters"], own) << event["name"];
  }
  EXPECT_EQ(with_counters, 6);
}

TEST_F(ApiTest, ACounterReportThatCanNotBeUsed) {
  const auto refuse = [](const CounterReport&) { return LacksError("has no kernels"); };
  TraceStore store({"tests/data/two_kernels.json", "tests/data/two_kernels.ncu-rep"}, 1, {}, {refuse, {}});
  while (!store.done()) std::this_thread::yield();
  const Api api(store);
  const Json state = Json::parse(api.Answer({"/api/v1/state", "", false}).body);
  EXPECT_EQ(state["reports"][0]["status"], "failed");
  EXPECT_EQ(state["reports"][0]["error"], "tests/data/two_kernels.ncu-rep: has no kernels");
  EXPECT_EQ(state["traces"][0]["status"], "ready");
  EXPECT_EQ(Json::parse(api.Answer({"/api/v1/traces/0/event", "kind=gpu&row=0", false}).body)["counters"], nullptr);
}

TEST_F(ApiTest, MemoryIsToldOfTheRange) {
  Serve(SmallTrace());
  EXPECT_EQ(Of("documents/memory").status, 422);
  HandMadeTrace make;
  make.Op("op", {0, 1000});
  make.Copy(CopyKind::kHostToDevice, {10, 30});
  make.Copy(CopyKind::kHostToDevice, {500, 600});
  Serve(make.Seal());
  const Json all = JsonOf("documents/memory");
  EXPECT_EQ(all["schema"], "warpsight.memory/1");
  EXPECT_EQ(all["copies"][0]["count"], 2);
  EXPECT_EQ(all["copies"][0]["direction"], "host to device");
  EXPECT_EQ(all["copies"][0]["bytes"], nullptr);
  EXPECT_EQ(JsonOf("documents/memory", "range=0:100")["copies"][0]["total_ns"], 20);
  EXPECT_EQ(Of("documents/memory", "limit=3").status, 400);
}

TEST_F(ApiTest, ATraceThatIsReadOrCanNotBe) {
  TraceStore failed({"/nonexistent/trace.json"}, 1, {});
  while (!failed.done()) std::this_thread::yield();
  const Api api(failed);
  EXPECT_EQ(api.Answer({"/api/v1/traces/0/tracks", "", false}).status, 422);
  const Json state = Json::parse(api.Answer({"/api/v1/state", "", false}).body);
  EXPECT_EQ(state["traces"][0]["status"], "failed");
  EXPECT_NE(state["traces"][0]["error"].get<std::string>().find("/nonexistent"), std::string::npos);
}

TEST_F(ApiTest, BadParametersAreNamed) {
  Serve(SmallTrace());
  const std::pair<const char*, const char*> kBad[] = {{"tile", ""},
                                                      {"tile", "track=0"},
                                                      {"tile", "track=6&start=0&end=1&px=1"},
                                                      {"tile", "track=-1&start=0&end=1&px=1"},
                                                      {"tile", "track=0&start=1&end=1&px=1"},
                                                      {"tile", "track=0&start=5&end=1&px=1"},
                                                      {"tile", "track=0&start=0&end=1&px=0"},
                                                      {"tile", "track=0&start=0&end=1&px=16385"},
                                                      {"tile", "track=0&start=NaN&end=1&px=1"},
                                                      {"tile", "track=0&start=0&end=1e9&px=1"},
                                                      {"tile", "track=0&start=0&end=9223372036854775808&px=1"},
                                                      {"names", ""},
                                                      {"names", "ids=99999"},
                                                      {"names", "ids=a"},
                                                      {"names", "ids=1,,2"},
                                                      {"event", "kind=host"},
                                                      {"event", "kind=dog&row=0"},
                                                      {"event", "kind=host&row=9999"},
                                                      {"event", "kind=host&row=-1"},
                                                      {"same", "kind=gpu&row=4294967296"},
                                                      {"documents/ops", "range=5"},
                                                      {"documents/ops", "range=90:100"},
                                                      {"documents/ops", "device=9"},
                                                      {"documents/ops", "device=x"},
                                                      {"documents/ops", "limit=-1"},
                                                      {"documents/flame", "by="},
                                                      {"documents/flame", "by=HOST"},
                                                      {"documents/flame", "by=gpu&split=2"},
                                                      {"documents/flame", "split=yes"},
                                                      {"documents/flame", "limit=-1"},
                                                      {"documents/steps", "limit=1"}};
  for (const auto& [path, query] : kBad) {
    const Response response = Of(path, query);
    EXPECT_EQ(response.status, 400) << path << "?" << query;
    const Json error = Json::parse(response.body, nullptr, false);
    EXPECT_FALSE(error["error"].get<std::string>().empty()) << path << "?" << query;
    EXPECT_EQ(error["error"].get<std::string>().find("--"), std::string::npos) << error["error"];
  }
  EXPECT_EQ(Of("event", "kind=span&row=0").status, 422);
}

TEST_F(ApiTest, FlamesAddUpToTheOtherDocuments) {
  Serve(SmallTrace());
  for (const char* const range : {"", "range=1100:2350&", "range=:1500&device=0&"}) {
    const std::string asked = range;
    const Json kernels = JsonOf("documents/kernels", asked);
    for (const char* const split : {"0", "1"}) {
      const Json gpu = JsonOf("documents/flame", asked + "by=gpu&split=" + split);
      EXPECT_EQ(gpu["schema"], "warpsight.flame/1");
      EXPECT_EQ(gpu["total_ns"], kernels["gpu_work_ns"]);
      EXPECT_TRUE(gpu["ledger"].is_object());
    }
    Ns self = 0;
    const Json host = JsonOf("documents/flame", asked + "by=host");
    for (const Json& frame : host["frames"]) self += frame["kind"] == "annotation" ? 0 : frame["self_ns"].get<Ns>();
    EXPECT_EQ(self, JsonOf("documents/ops", asked)["total_self_cpu_ns"]);
  }
  EXPECT_EQ(Of("documents/flame").body, Of("documents/flame", "by=host&split=0&limit=2000").body);
  EXPECT_NE(Of("documents/flame", "by=gpu").body, Of("documents/flame", "by=gpu&split=1").body);
  const Json cut = JsonOf("documents/flame", "by=gpu&limit=1");
  EXPECT_EQ(cut["frames"].size(), 3u);  // the largest, what is left out below it, and beside it
  EXPECT_EQ(cut["frames"][1]["kind"], "rest");
  EXPECT_EQ(Of("documents/flame", "by=samples").status, 422);
  EXPECT_EQ(Of("documents/flame", "by=python").status, 422);
}

// Whatever is asked, there is an answer of a known status; JSON is JSON.
TEST_F(ApiTest, NonsenseIsAnswered) {
  Serve(SmallTrace());
  std::mt19937 random(20261130);
  const char* const paths[] = {
      "tracks",           "tile",           "names",         "event",           "search",          "same",
      "documents/report", "documents/idle", "documents/ops", "documents/flame", "documents/memory"};
  const char* const names[] = {"track",      "start",    "end",   "px",    "ids",   "kind",  "row",
                               "q",          "regex",    "after", "until", "limit", "range", "device",
                               "from_depth", "to_depth", "token", "%71",   "",      "by",    "split"};
  const char* const values[] = {"0",
                                "1",
                                "2",
                                "3",
                                "-1",
                                "1000",
                                "2500",
                                "3900",
                                "9223372036854775807",
                                "-9223372036854775808",
                                "18446744073709551615",
                                "1e308",
                                "NaN",
                                "-inf",
                                "0x7f",
                                "host",
                                "gpu",
                                "step",
                                "span",
                                "mm",
                                ".*",
                                "(",
                                "+1ms:+2ms",
                                "1000:2000",
                                ":",
                                "a:b",
                                "%",
                                "%00",
                                "%ff%fe",
                                "=",
                                "1,2,3",
                                ",",
                                " 1",
                                "1.5",
                                ""};
  std::set<int> statuses;
  for (int round = 0; round < 20'000; ++round) {
    std::string query;
    for (size_t i = random() % 7; i > 0; --i) {
      query += std::string(names[random() % std::size(names)]) + (random() % 10 == 0 ? "" : "=") +
               values[random() % std::size(values)] + "&";
      if (random() % 20 == 0) query += static_cast<char>(random());
    }
    // Documents run analyses: fewer of them.
    const std::string path = paths[random() % (round % 20 == 0 ? std::size(paths) : 6)];
    const Response response = Of(path, query);
    statuses.insert(response.status);
    ASSERT_TRUE(response.status == 200 || response.status == 400 || response.status == 422) << path << "?" << query;
    if (response.content_type == "application/json")
      ASSERT_FALSE(Json::parse(response.body, nullptr, false).is_discarded()) << path << "?" << query;
    ASSERT_EQ(Of(path, query).body, response.body) << "not the same twice: " << path << "?" << query;
  }
  EXPECT_EQ(statuses, (std::set<int>{200, 400, 422}));
}

TEST_F(ApiTest, ATraceWithoutGpuWork) {
  HandMadeTrace make;
  make.Op("op", {5, 10});
  Serve(make.Seal());
  EXPECT_EQ(Tracks().size(), 1u);
  EXPECT_EQ(Tile(0, 5, 10, 100).events, std::vector<uint32_t>{1});
  EXPECT_EQ(Of("event", "kind=gpu&row=0").status, 422);
  EXPECT_EQ(Of("documents/kernels").status, 422);
  EXPECT_EQ(Of("documents/info").status, 200);
}

TEST_F(ApiTest, AnEmptyTrace) {
  HandMadeTrace make;
  Serve(make.Seal());
  EXPECT_TRUE(Tracks().empty());
  EXPECT_EQ(Of("tile", "track=0&start=0&end=1&px=1").status, 422);
  EXPECT_EQ(JsonOf("search", "q=a")["count"], 0);
}

TEST_F(ApiTest, FiveThousandStreamsAndManyProcesses) {
  HandMadeTrace make;
  for (int64_t stream = 0; stream < 5000; ++stream) make.OnStream(stream).Kernel("k", {stream, stream + 10});
  for (int process = 0; process < 64; ++process) {
    HostEventRow row;
    row.name = make.builder().Intern("op");
    row.thread = make.builder().names().InternThread(std::to_string(process), "1");
    row.start_ns = process;
    row.duration_ns = 5;
    row.kind = HostKind::kOp;
    make.builder().Add(row);
  }
  Serve(make.Seal());
  const std::vector<Json> tracks = Tracks();
  ASSERT_EQ(tracks.size(), 5064u);
  EXPECT_EQ(Tracks(true).size(), 5065u);  // nothing was launched: no queue
  EXPECT_EQ(JsonOf("tracks")["groups"].size(), 65u);
  for (const size_t track : {size_t{0}, size_t{2500}, size_t{4999}, size_t{5063}})
    EXPECT_EQ(Tile(static_cast<uint32_t>(track), 0, 6000, 100).events, std::vector<uint32_t>{1});
}

// One stream with more work at a time than a tile has lanes.
TEST_F(ApiTest, LanesBeyondTheLimitGoOnInAnotherTrack) {
  HandMadeTrace make;
  constexpr int kEvents = 70'000;
  for (int i = 0; i < kEvents; ++i) make.Kernel("k", {i, 1'000'000 - i});
  Serve(make.Seal());
  const std::vector<Json> tracks = Tracks();
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(tracks[0]["depths"], 65'536);
  EXPECT_EQ(tracks[1]["depths"], kEvents - 65'536);
  EXPECT_EQ(Tile(0, 0, 1'000'000, 10).events.size() + Tile(1, 0, 1'000'000, 10).events.size(), size_t{kEvents});
  EXPECT_EQ(JsonOf("event", "kind=gpu&row=69999")["track"], 1);
  EXPECT_EQ(JsonOf("event", "kind=gpu&row=69999")["depth"], 69'999 - 65'536);
  EXPECT_EQ(JsonOf("event", "kind=gpu&row=300")["depth"], 300);
}

TEST_F(ApiTest, FiveYearsZeroDurationsAndTheSameNanosecond) {
  HandMadeTrace make;
  constexpr Ns kFiveYears = Ns{5} * 365 * 24 * 3600 * 1'000'000'000;
  const Ns start = -kFiveYears / 2;
  make.Kernel("first", {start, start + 1});
  for (int i = 0; i < 10; ++i) make.Kernel("none", {7, 7});
  make.Kernel("same", {7, 9});
  make.Kernel("same", {7, 9});
  make.Kernel("last", {start + kFiveYears - 1, start + kFiveYears});
  Serve(make.Seal());
  const auto events_of = [](const DecodedTile& tile) {
    int64_t events = 0;
    for (const uint32_t count : tile.events) events += count;
    return events;
  };
  EXPECT_EQ(events_of(Tile(0, start, start + kFiveYears, 1000)), 14);
  EXPECT_EQ(events_of(Tile(0, 7, 9, 1)), 12);
  EXPECT_EQ(events_of(Tile(0, 7, 8, 16384)), 12);
  EXPECT_EQ(events_of(Tile(0, 8, 9, 1000)), 2);
  EXPECT_EQ(events_of(Tile(0, kMinNs, kMaxNs, 1)), 14);
  EXPECT_EQ(events_of(Tile(0, kMaxNs - 1, kMaxNs, 1)), 0);
  const DecodedTile zero = Tile(0, 7, 9, 1);
  for (const float busy : zero.busy) EXPECT_FALSE(std::isnan(busy));
}

// The recorder's span of the whole recording lies below what it spans, and overhead of no thread hangs nowhere here.
TEST_F(ApiTest, PartialOverlapsNeverShareADepth) {
  HandMadeTrace make;
  make.Host(HostKind::kRecording, "PyTorch Profiler (0)", {-5, 200});
  make.Op("a", {0, 10});
  make.Op("b", {5, 15});
  make.Op("in b", {11, 12});
  make.Op("c", {20, 30});
  Serve(make.Seal());
  const DecodedTile tile = Tile(0, -5, 200, 205);
  EXPECT_EQ(tile.depth, (std::vector<uint16_t>{0, 0, 1, 2, 3}));
}

TEST_F(ApiTest, TooManySlicesAreRefused) {
  HandMadeTrace make;
  for (int i = 0; i < 300; ++i) {
    for (int k = 0; k < 8000; ++k) make.Kernel("k", {k * 300 + i, k * 300 + i + 299});
  }
  Serve(make.Seal());
  const Response response = Of("tile", "track=0&start=0&end=2400000&px=16384");
  EXPECT_EQ(response.status, 400);
  EXPECT_NE(response.body.find("from_depth"), std::string::npos) << response.body;
  EXPECT_EQ(Of("tile", "track=0&start=0&end=2400000&px=16384&to_depth=100").status, 200);
}

TEST(PageAnswerTest, FilesByTheirExactNames) {
  const std::string script(5000, 'x');
  const PageFile files[] = {{"assets/app.js", script}, {"index.html", "<html>"}};
  const auto get = [&](const char* path, bool gzip) { return PageAnswer({path, "", gzip}, files); };
  EXPECT_EQ(get("/", false).body, "<html>");
  EXPECT_EQ(get("/", false).content_type, "text/html; charset=utf-8");
  EXPECT_EQ(get("/assets/app.js", false).body, script);
  EXPECT_EQ(get("/assets/app.js", false).content_type, "text/javascript; charset=utf-8");
  const Response packed = get("/assets/app.js", true);
  EXPECT_TRUE(packed.is_gzip);
  EXPECT_LT(packed.body.size(), 200u);
  EXPECT_EQ(packed.body.substr(0, 2), "\x1f\x8b");
  EXPECT_FALSE(get("/", true).is_gzip);  // it would not become smaller
  for (const char* const path :
       {"/assets/", "/assets", "/app.js", "/Index.html", "//index.html", "/index.html?", "/./index.html"})
    EXPECT_EQ(get(path, false).status, 404) << path;
  EXPECT_NE(PageAnswer({"/", "", false}, {}).body.find("without the web page"), std::string::npos);
}

}  // namespace
}  // namespace warpsight::server
