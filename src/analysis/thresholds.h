// Thresholds: the limits that analyses judge by, as facts in data/thresholds.toml with unit, source and meaning.
//
// Code asks by id. An id that is not in the file, or one asked for with another unit than it has, is our bug: CHECK.
// Thread-safe: the embedded file is parsed once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace warpsight {

struct Threshold {
  std::string id;
  std::string unit;  // "ns", "share", "count", "ratio", "bytes"
  double value = 0;
  std::string source;
  std::string meaning;
};

// All of them, in the order of their ids.
const std::vector<Threshold>& AllThresholds();

Ns ThresholdNs(std::string_view id);
double ThresholdShare(std::string_view id);  // 0..1
double ThresholdRatio(std::string_view id);
int64_t ThresholdCount(std::string_view id);
int64_t ThresholdBytes(std::string_view id);

}  // namespace warpsight
