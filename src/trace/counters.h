// Counters: named series of sampled values: clocks, power, utilisation, queue depths.
//
// Place in the flow: importers push samples to the columns of their shard (CounterColumns), one push a sample; sealing joins
// the series of all shards and sorts each by time. A series is told by name, unit, device and process. Its values are
// integers as they were recorded, or doubles; one that was recorded as both becomes doubles. Units: times in ns; values in
// the unit of the series, as text ("MHz", "mW", "%"). Errors: none. Threads: sealed, any number may read.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/large_vector.h"
#include "base/string_pool.h"
#include "base/time.h"

namespace warpsight {

using CounterIndex = uint32_t;  // of a series, handed out by LocalNames::InternCounter

enum class CounterKind : uint8_t { kInteger, kDouble };

// The samples of one part of the file, in file order.
struct CounterColumns {
  std::vector<CounterIndex> counter;
  std::vector<Ns> time_ns;
  std::vector<int64_t> value;  // of a kDouble series the bits of a double
  int64_t extra_samples = 0;   // beyond the first, of events that gave several

  // The series must be of that kind. Doubles are finite.
  void AddInteger(CounterIndex series, Ns time, int64_t number) { Push(series, time, number); }
  void AddDouble(CounterIndex series, Ns time, double number) { Push(series, time, std::bit_cast<int64_t>(number)); }

  size_t size() const { return counter.size(); }
  // Events of the file behind the samples.
  int64_t events() const { return static_cast<int64_t>(size()) - extra_samples; }

 private:
  void Push(CounterIndex series, Ns time, int64_t bits) {
    counter.push_back(series);
    time_ns.push_back(time);
    value.push_back(bits);
  }
};

// A sealed series: the rows [first, end) of CounterSamples.
struct CounterSeries {
  StringId name = StringId::kEmpty;
  StringId unit = StringId::kEmpty;     // empty = not told
  StringId process = StringId::kEmpty;  // as threads are labelled; empty = of no process
  int32_t device = -1;                  // -1 = of none
  CounterKind kind = CounterKind::kInteger;
  uint32_t first = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - first; }
};

// All samples, by series, then time, then file order.
struct CounterSamples {
  LargeVector<Ns> time_ns;
  LargeVector<int64_t> value;

  uint32_t size() const { return static_cast<uint32_t>(time_ns.size()); }
  double Double(const CounterSeries& series, uint32_t row) const {
    return series.kind == CounterKind::kDouble ? std::bit_cast<double>(value[row]) : static_cast<double>(value[row]);
  }
};

}  // namespace warpsight
