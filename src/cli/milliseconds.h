// --measured-step MS: a positive time in milliseconds with decimals, exact to the nanosecond.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace warpsight {

// "34.3" -> 34,300,000 ns. Nothing for text that is no plain decimal number, for times below 1 ns, and for more than a day.
std::optional<Ns> ParseMilliseconds(std::string_view text);

}  // namespace warpsight
