// The args of a counter event ("ph": "C"): every number in them is a sample of a series of its own.
//
// Place in the flow: EventBuilder -> this. The text is an object that the event walk has been over; nested values and texts
// that are no numbers are stepped over. Threads: pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpsight::torch_json {

struct CounterArg {
  std::string_view key;  // as written, escapes and all
  bool is_integer = false;
  int64_t integer = 0;
  double number = 0;  // when it is no integer of 64 bits
};

// Appends to `found`, which is cleared first. Numbers may stand in quotes. What is not finite is left out.
void FindCounterArgs(std::string_view args, std::vector<CounterArg>& found);

}  // namespace warpsight::torch_json
