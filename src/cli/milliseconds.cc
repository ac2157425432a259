#include "cli/milliseconds.h"

#include <string>

#include "base/decimal.h"

namespace warpsight {

std::optional<Ns> ParseMilliseconds(std::string_view text) {
  constexpr Ns kDay = Ns{24} * 3600 * 1'000'000'000;
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
  const DecimalNs time = ParseMicroseconds(std::string(text) + "e3");
  if (time.fault != DecimalFault::kNone || time.ns <= 0 || time.ns > kDay) return std::nullopt;
  return time.ns;
}

}  // namespace warpsight
