// RangePattern: which NVTX ranges are meant, as the user writes it: RANGE in the default domain, RANGE@DOMAIN, RANGE@* in
// any domain; "\@" and "\\" stand for the characters themselves.
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpsight::capture {

struct RangePattern {
  std::string text;
  std::string domain;  // empty = the default one
  bool any_domain = false;

  bool Matches(std::string_view range, std::string_view in_domain) const {
    return range == text && (any_domain || in_domain == domain);
  }
};

// Nothing when there is no text of a range.
std::optional<RangePattern> ParseRangePattern(std::string_view written);

// The text without the number at its end and what sets it off: the same for "step 1" and "step 2", for "ProfilerStep#3" and
// "ProfilerStep#4". A text that is nothing else stays as it is.
std::string_view WithoutNumber(std::string_view text);

}  // namespace warpsight::capture
