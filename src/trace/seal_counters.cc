// Counters in sealing: equal series of all shards become one, samples are scattered to their series and sorted by time.
#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

#include "trace/run_sort.h"
#include "trace/sealer.h"

namespace warpsight {

// Series that have samples, in an order that texts decide, not the ids they happened to get. A worker may have met others
// in text that turned out to be no events.
void Sealer::CollectCounters() {
  for (const LocalNames* names : names_in_order_) maps_[names].counters.assign(names->counters_.size(), kNoRow);
  for (const TraceShard& shard : shards_) {
    std::vector<CounterIndex>& used = maps_[shard.names.get()].counters;
    for (const CounterIndex counter : shard.counters.counter) used[counter] = 0;
  }
  using Key = std::tuple<int32_t, std::string_view, std::string_view, std::string_view>;
  std::map<Key, CounterSeries> known;
  const auto key_of = [this](const CounterSeries& series) {
    return Key(series.device, trace_.Text(series.process), trace_.Text(series.name), trace_.Text(series.unit));
  };
  const auto in_trace = [this](const LocalNames* names, CounterSeries series) {
    for (StringId* text : {&series.name, &series.unit, &series.process})
      *text = maps_[names].strings[static_cast<uint32_t>(*text)];
    return series;
  };
  for (const LocalNames* names : names_in_order_) {
    for (size_t i = 0; i < names->counters_.size(); ++i) {
      if (maps_[names].counters[i] == kNoRow) continue;
      const CounterSeries series = in_trace(names, names->counters_[i]);
      CounterSeries& one = known.try_emplace(key_of(series), series).first->second;
      if (series.kind == CounterKind::kDouble) one.kind = CounterKind::kDouble;
    }
  }
  for (auto& [key, series] : known) {
    series.first = static_cast<uint32_t>(trace_.counters_.size());  // its place, until there are rows
    trace_.counters_.push_back(series);
  }
  for (const LocalNames* names : names_in_order_) {
    std::vector<CounterIndex>& map = maps_[names].counters;
    for (size_t i = 0; i < map.size(); ++i) {
      if (map[i] != kNoRow) map[i] = known.at(key_of(in_trace(names, names->counters_[i]))).first;
    }
  }
}

void Sealer::SealCounters() {
  std::vector<CounterSeries>& series = trace_.counters_;
  std::vector<uint32_t> next(series.size() + 1, 0);
  for (const TraceShard& shard : shards_) {
    const std::vector<CounterIndex>& map = maps(shard).counters;
    for (const CounterIndex counter : shard.counters.counter) ++next[map[counter] + 1];
    trace_.counter_events_ += shard.counters.events();
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (size_t i = 0; i < series.size(); ++i) {
    series[i].first = next[i];
    series[i].end = next[i + 1];
  }
  CounterSamples& samples = trace_.counter_samples_;
  samples.time_ns.resize(next.back());
  samples.value.resize(next.back());
  for (TraceShard& shard : shards_) {
    const std::vector<CounterIndex>& map = maps(shard).counters;
    const CounterColumns& columns = shard.counters;
    for (size_t i = 0; i < columns.size(); ++i) {
      const CounterIndex to = map[columns.counter[i]];
      const bool widened = series[to].kind == CounterKind::kDouble &&
                           shard.names->counters_[columns.counter[i]].kind == CounterKind::kInteger;
      const uint32_t row = next[to]++;
      samples.time_ns[row] = columns.time_ns[i];
      samples.value[row] = widened ? std::bit_cast<int64_t>(static_cast<double>(columns.value[i])) : columns.value[i];
    }
    shard.counters = {};
  }
  for (const CounterSeries& one : series) SortSeries(one);
}

// Recorders write a series in the order of time, or in a few such runs.
void Sealer::SortSeries(const CounterSeries& series) {
  CounterSamples& samples = trace_.counter_samples_;
  const auto first = samples.time_ns.begin() + series.first;
  if (std::is_sorted(first, samples.time_ns.begin() + series.end)) return;
  std::vector<std::pair<Ns, int64_t>> sorted;
  sorted.reserve(series.size());
  for (uint32_t row = series.first; row < series.end; ++row) sorted.emplace_back(samples.time_ns[row], samples.value[row]);
  RunSort(sorted, [](const auto& a, const auto& b) { return a.first < b.first; });
  for (uint32_t i = 0; i < series.size(); ++i) {
    samples.time_ns[series.first + i] = sorted[i].first;
    samples.value[series.first + i] = sorted[i].second;
  }
}

}  // namespace warpsight
