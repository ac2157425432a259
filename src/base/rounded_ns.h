// RoundedNs: a time that was worked out (a bound, a mean, a prediction) as integer nanoseconds. Times of recordings never
// pass through a double; what is computed from FLOPs and bytes does, once, at the end.
#pragma once

#include <cmath>

#include "base/time.h"

namespace warpsight {

// Held at the ends of the range: sizes of damaged recordings and of model files may be anything. Not a number is 0.
inline Ns RoundedNs(double ns) {
  constexpr double kEnd = 9.2e18;  // the last that fits is just above it
  if (std::isnan(ns)) return 0;
  if (ns >= kEnd) return kMaxNs;
  return ns <= -kEnd ? kMinNs : static_cast<Ns>(std::llround(ns));
}

}  // namespace warpsight
