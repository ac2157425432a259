#include "analysis/range.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "base/decimal.h"

namespace warpsight {
namespace {

struct UnitName {
  std::string_view name;
  int power_of_microsecond;  // 10^n us
};

constexpr UnitName kUnits[] = {{"ns", -3}, {"us", 0}, {"ms", 3}, {"s", 6}};

// A number with an optional unit, in ns.
std::optional<Ns> ParseTime(std::string_view text) {
  const size_t unit_at = text.find_first_not_of("0123456789.-");
  const std::string_view number = text.substr(0, unit_at);
  const std::string_view unit = unit_at == std::string_view::npos ? "ns" : text.substr(unit_at);
  for (const UnitName& known : kUnits) {
    if (known.name != unit) continue;
    const DecimalNs time = ParseMicroseconds(std::string(number) + "e" + std::to_string(known.power_of_microsecond));
    if (time.fault == DecimalFault::kNone) return time.ns;
  }
  return std::nullopt;
}

std::optional<Ns> ParseSide(std::string_view text, Ns otherwise, Ns capture_start) {
  if (text.empty()) return otherwise;
  const bool relative = text.front() == '+';
  const std::optional<Ns> time = ParseTime(relative ? text.substr(1) : text);
  if (!time) return std::nullopt;
  return relative ? SaturatingAdd(capture_start, *time) : *time;
}

}  // namespace

Result<Interval> ParseRange(const std::string& text, Interval capture) {
  const size_t colon = text.find(':');
  const std::string how =
      ": give START:END in ns (or with us, ms, s; + counts from the start of the capture), such as --range +10ms:+20ms";
  if (colon == std::string::npos) return UsageError("--range " + text + how);
  const std::optional<Ns> start = ParseSide(std::string_view(text).substr(0, colon), capture.start, capture.start);
  const std::optional<Ns> end = ParseSide(std::string_view(text).substr(colon + 1), capture.end, capture.start);
  if (!start || !end) return UsageError("--range " + text + how);
  if (*end <= *start) return UsageError("--range " + text + ": the end is not after the start");
  const Interval range{*start, *end};
  if (Intersect(range, capture).empty()) {
    return UsageError("--range " + text + ": lies outside of the capture, which is " + std::to_string(capture.start) + ":" +
                      std::to_string(capture.end) + " ns");
  }
  return range;
}

Status CheckDevice(const Trace& trace, int32_t id) {
  const Device* device = trace.FindDevice(id);
  if (device != nullptr && device->has_work) return OkStatus();
  std::string known;
  for (const Device& other : trace.devices()) {
    if (other.has_work) known += (known.empty() ? "" : ", ") + std::to_string(other.id);
  }
  if (known.empty()) return LacksError(fmt::format("--device {}: the recording has no GPU work", id));
  return UsageError(fmt::format("--device {}: no GPU work on it: the recording has device {}", id, known));
}

}  // namespace warpsight
