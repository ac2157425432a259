// MetricScale: how ncu prints the values of one metric: one unit prefix for a whole column, and its number formats.
//
// Place in the flow: values in base units -> the texts of the raw and details pages. The largest value of a column chooses
// the prefix (Kbyte, Mbyte, us, Ghz, sector/ns); a column of nothing but zeros is "0". Errors: none. Threads: plain values.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "counters/counter_value.h"

namespace warpsight {

class MetricScale {
 public:
  // For a metric with this base unit ("byte/s"; "" = none).
  explicit MetricScale(std::string unit) : base_unit_(std::move(unit)) {}

  // Takes a value of the column into account. Call for all of them before the first Print.
  void Include(const CounterValue& value);

  // "Gbyte/s"
  std::string unit() const;
  // The value in that unit: "14.619148"; whole counts without unit with separators: "1,980,000". Absent = "".
  std::string Print(const CounterValue& value) const;
  // The same with two decimals at most, as on the details page: "14.62".
  std::string PrintShort(const CounterValue& value) const;

 private:
  struct Step {
    double factor = 1;
    std::string unit;
  };
  Step Choose() const;

  std::string base_unit_;
  double largest_ = -std::numeric_limits<double>::infinity();
};

}  // namespace warpsight
