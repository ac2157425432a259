#include "formats/torch_json/counter_args.h"

#include <charconv>
#include <cmath>

#include "formats/torch_json/event_skipper.h"

namespace warpsight::torch_json {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

// The closing quote of the string that begins at `at`, behind its opening one; npos when it has no end.
size_t EndOfString(std::string_view text, size_t at) {
  for (; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at;
    }
  }
  return std::string_view::npos;
}

bool ReadNumber(std::string_view text, CounterArg& arg) {
  const char* const end = text.data() + text.size();
  const auto whole = std::from_chars(text.data(), end, arg.integer);
  arg.is_integer = whole.ec == std::errc() && whole.ptr == end;
  if (arg.is_integer) return true;
  const auto real = std::from_chars(text.data(), end, arg.number);
  return real.ec == std::errc() && real.ptr == end && std::isfinite(arg.number);
}

}  // namespace

void FindCounterArgs(std::string_view args, std::vector<CounterArg>& found) {
  found.clear();
  size_t at = 1;  // behind the opening brace
  while (true) {
    at = args.find('"', at);
    if (at == std::string_view::npos) return;
    const size_t key_end = EndOfString(args, at + 1);
    if (key_end == std::string_view::npos) return;
    CounterArg arg;
    arg.key = args.substr(at + 1, key_end - at - 1);
    at = args.find_first_not_of(kSpaces, key_end + 1);
    if (at == std::string_view::npos || args[at] != ':') return;
    at = args.find_first_not_of(kSpaces, at + 1);
    if (at == std::string_view::npos) return;
    std::string_view value;
    if (args[at] == '"') {
      const size_t end = EndOfString(args, at + 1);
      if (end == std::string_view::npos) return;
      value = args.substr(at + 1, end - at - 1);
      at = end + 1;
    } else if (args[at] == '{' || args[at] == '[') {
      const size_t length = EventSkipper().Feed(args.substr(at));
      if (length == EventSkipper::kNotYet) return;
      at += length;
      continue;
    } else {
      const size_t end = args.find_first_of(",} \t\r\n", at);
      if (end == std::string_view::npos) return;
      value = args.substr(at, end - at);
      at = end;
    }
    if (ReadNumber(value, arg)) found.push_back(arg);
  }
}

}  // namespace warpsight::torch_json
