// Human forms of durations, bytes, counts, shares and plain numbers.
//
// Place in the flow: analyses that write sentences, and the text renderer; JSON and CSV never come here.
// Rule: at most 4 significant digits, rounded half away from zero, and never a form that lies: something is not shown as
// nothing ("<0.1 %"), not quite all is not shown as all (">99.9 %"). Number and unit are separated by one space.
// Units: durations int64 ns, bytes int64 with decimal prefixes (1 GB = 1e9 B), shares 0..1. The whole int64 range is safe.
// Errors: none; a NaN gives "-". Threads: pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string>

namespace warpsight {

enum class Precision {
  kRounded,  // 47.10 ms
  kExact,    // 47,101,234 ns
};

// 998 ns, 1.984 us, 47.10 ms, 1.234 s; from 10,000 s in hours (2.778 h), from 1,000 h in days.
std::string FormatDuration(std::int64_t ns, Precision precision = Precision::kRounded);

// 512 B, 1.536 kB, 2.200 GB.
std::string FormatBytes(std::int64_t bytes, Precision precision = Precision::kRounded);

// All digits, grouped: 2,775.
std::string FormatCount(std::int64_t count);

// Percent with one decimal: 4.4 %, <0.1 %, >99.9 %; over 1 and negative shares are fine (differences).
std::string FormatShare(double share);

// Share of `part` in `whole`, compared as integers, so that one nanosecond short of all is still ">99.9 %".
// "-" when `whole` is 0: a share of nothing is absent.
std::string FormatShare(std::int64_t part, std::int64_t whole);

// With `decimals` < 0 at most 4 significant digits and all digits before the point (0.01234, 1.53, 781.2, 43,125), else so
// many decimals ("<0.01" when the value would vanish). Very small and very large numbers use an exponent.
std::string FormatNumber(double value, int decimals = -1);

}  // namespace warpsight
