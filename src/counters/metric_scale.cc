#include "counters/metric_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace warpsight {
namespace {

struct UnitStep {
  double factor;
  std::string_view unit;
};
constexpr std::array<UnitStep, 5> kByteSteps = {
    {{1, "byte"}, {1e3, "Kbyte"}, {1e6, "Mbyte"}, {1e9, "Gbyte"}, {1e12, "Tbyte"}}};
constexpr std::array<UnitStep, 4> kHertzSteps = {{{1, "hz"}, {1e3, "Khz"}, {1e6, "Mhz"}, {1e9, "Ghz"}}};
constexpr std::array<UnitStep, 4> kTimeSteps = {{{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<UnitStep, 4> kPerTimeSteps = {{{1, "/s"}, {1e3, "/ms"}, {1e6, "/us"}, {1e9, "/ns"}}};

template <size_t count>
UnitStep StepFor(const std::array<UnitStep, count>& steps, double largest) {
  size_t at = 0;
  while (at + 1 < count && largest >= steps[at + 1].factor) ++at;
  return steps[at];
}

// "-1,234,567" of "-1234567".
std::string WithSeparators(std::string digits) {
  const size_t first = digits.starts_with('-') ? 1 : 0;
  size_t end = std::min(digits.find('.'), digits.size());
  while (end > first + 3) {
    end -= 3;
    digits.insert(end, ",");
  }
  return digits;
}

std::string NotANumber(double value) { return std::signbit(value) ? "-nan" : "nan"; }

std::string PlainNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return WithSeparators(value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value));
}

std::string Number(const CounterValue& value) {
  const uint64_t* whole = std::get_if<uint64_t>(&value);
  return whole != nullptr ? WithSeparators(fmt::format("{}", *whole)) : PlainNumber(NumberOf(value).value_or(0));
}

}  // namespace

void MetricScale::Include(const CounterValue& value) {
  const std::optional<double> number = NumberOf(value);
  if (number && *number > largest_) largest_ = *number;
}

MetricScale::Step MetricScale::Choose() const {
  const double largest = std::isfinite(largest_) ? largest_ : 0;
  if (base_unit_ == "hz") {
    const UnitStep step = StepFor(kHertzSteps, largest);
    return {step.factor, std::string(step.unit)};
  }
  if (base_unit_ == "ns") {
    const UnitStep step = StepFor(kTimeSteps, largest);
    return {step.factor, std::string(step.unit)};
  }
  if (const size_t byte = base_unit_.find("byte"); byte != std::string::npos) {
    // "%/byte" too gets its prefix by the value: ncu's way, kept.
    const UnitStep step = StepFor(kByteSteps, largest);
    return {step.factor, std::string(base_unit_).replace(byte, 4, step.unit)};
  }
  if (base_unit_.ends_with("/s")) {
    const UnitStep step = StepFor(kPerTimeSteps, largest);
    return {step.factor, base_unit_.substr(0, base_unit_.size() - 2) + std::string(step.unit)};
  }
  return {1, base_unit_};
}

std::string MetricScale::unit() const { return Choose().unit; }

std::string MetricScale::Print(const CounterValue& value) const {
  if (IsAbsent(value)) return "";
  if (const std::optional<std::string_view> text = TextOf(value)) return std::string(*text);
  if (base_unit_.empty()) return Number(value);
  if (largest_ <= 0) return "0";
  const Step step = Choose();
  if (const uint64_t* whole = std::get_if<uint64_t>(&value); whole != nullptr && step.factor == 1)
    return fmt::format("{}", *whole);
  // ncu divides by the order of magnitude of the largest value: with an infinite one everything is lost.
  if (std::isinf(largest_)) return "-nan";
  const double number = *NumberOf(value);
  if (std::isnan(number)) return NotANumber(number);
  return fmt::format("{:.6f}", number / step.factor);
}

std::string MetricScale::PrintShort(const CounterValue& value) const {
  if (IsAbsent(value)) return "";
  if (const std::optional<std::string_view> text = TextOf(value)) return std::string(*text);
  const Step step = Choose();
  if (std::holds_alternative<uint64_t>(value) && step.factor == 1) return Number(value);
  return PlainNumber(*NumberOf(value) / step.factor);
}

}  // namespace warpsight
