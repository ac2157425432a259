#include "formats/op_range_name.h"

#include <charconv>
#include <limits>

namespace warpsight {
namespace {

constexpr std::string_view kSequence = ", seq = ";
constexpr std::string_view kForwardThread = ", fwd_thread = ";
constexpr std::string_view kOpId = ", op_id = ";
constexpr std::string_view kSizes = ", sizes = ";
constexpr std::string_view kTypes = ", types = ";

// Takes "KEY NUMBER" off the front of `rest`. Nothing when the key does not stand there or no number that fits follows it.
std::optional<uint32_t> TakeNumber(std::string_view key, std::string_view& rest) {
  if (!rest.starts_with(key)) return std::nullopt;
  uint32_t number = 0;
  const char* const from = rest.data() + key.size();
  const char* const end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(from, end, number);
  if (error != std::errc() || number == std::numeric_limits<uint32_t>::max()) return std::nullopt;
  if (stop != end && *stop != ',') return std::nullopt;
  rest.remove_prefix(static_cast<size_t>(stop - rest.data()));
  return number;
}

// The list "[...]" that `text` begins with, brackets balanced; empty when it does not.
std::string_view BracketedList(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']') --depth;
    if (depth == 0) return at == 0 ? std::string_view() : text.substr(0, at + 1);
  }
  return {};
}

// Takes "KEY [...]" off the front of `rest`, if the key stands there. False when no whole list follows it.
bool TakeList(std::string_view key, std::string_view& rest, std::string_view& list) {
  if (!rest.starts_with(key)) return true;
  list = BracketedList(rest.substr(key.size()));
  if (list.empty()) return false;
  rest.remove_prefix(key.size() + list.size());
  return true;
}

}  // namespace

std::optional<OpRangeName> ParseOpRange(std::string_view text) {
  // The name may hold commas itself, but none of the keys.
  size_t at = text.npos;
  for (const std::string_view key : {kSequence, kForwardThread, kOpId, kSizes}) at = std::min(at, text.find(key));
  if (at == text.npos || at == 0) return std::nullopt;
  OpRangeName op;
  op.name = text.substr(0, at);
  std::string_view rest = text.substr(at);
  const std::optional<uint32_t> sequence = TakeNumber(kSequence, rest);
  const std::optional<uint32_t> forward_thread = TakeNumber(kForwardThread, rest);
  const std::optional<uint32_t> op_id = TakeNumber(kOpId, rest);
  op.sequence_plus_one = sequence ? *sequence + 1 : 0;
  if (forward_thread.value_or(0) <= std::numeric_limits<uint16_t>::max())
    op.forward_thread = static_cast<uint16_t>(forward_thread.value_or(0));
  op.op_id = op_id.value_or(0);
  if (!TakeList(kSizes, rest, op.shapes) || !TakeList(kTypes, rest, op.types)) return std::nullopt;
  const bool any = sequence || op_id || !op.shapes.empty();
  if (!any || !(rest.empty() || rest.starts_with(", input_op_ids = "))) return std::nullopt;
  return op;
}

}  // namespace warpsight
