#include "analysis/counters/run_conditions.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace warpsight {
namespace {

enum class Control { kUnknown, kOn, kOff };

// What follows an option on a command line, after a space or an equals sign; empty when the option is not there.
std::string_view ValueOfOption(std::string_view command, std::string_view option) {
  size_t at = command.find(option);
  while (at != std::string_view::npos) {
    const size_t end = at + option.size();
    if (end < command.size() && (command[end] == ' ' || command[end] == '=')) {
      const size_t value = command.find_first_not_of(' ', end + 1);
      if (value == std::string_view::npos) return {};
      return command.substr(value, command.find(' ', value) - value);
    }
    at = command.find(option, end);
  }
  return {};
}

Control ControlOf(const CounterReport& report, std::string_view option) {
  const std::string_view value = ValueOfOption(report.session().command_line, option);
  if (value.empty()) return Control::kUnknown;
  return value == "none" ? Control::kOff : Control::kOn;
}

// The recorder tells so itself, whatever it was asked for.
bool SaysClocksWereFree(const CounterReport& report) {
  return std::ranges::any_of(report.kernels(), [](const ProfiledKernel& kernel) {
    return std::ranges::any_of(kernel.rules, [](const RuleResult& rule) {
      return std::ranges::any_of(rule.advice, [](const RuleAdvice& advice) {
        return advice.text.find("without fixed GPU frequencies") != std::string_view::npos;
      });
    });
  });
}

struct Conditions {
  Control clocks = Control::kUnknown;
  Control caches = Control::kUnknown;
  bool operator==(const Conditions&) const = default;
};

Conditions ConditionsOf(const CounterReport& report) {
  Conditions conditions{ControlOf(report, "--clock-control"), ControlOf(report, "--cache-control")};
  if (SaysClocksWereFree(report)) conditions.clocks = Control::kOff;
  return conditions;
}

}  // namespace

std::string RunConditions(std::span<const CounterReport* const> reports) {
  Conditions conditions;
  if (!reports.empty()) conditions = ConditionsOf(*reports.front());
  for (const CounterReport* report : reports) {
    if (ConditionsOf(*report) != conditions) conditions = {};
  }
  std::string words = conditions.clocks == Control::kOff  ? "with clocks that were not fixed"
                      : conditions.clocks == Control::kOn ? "with fixed clocks"
                                                          : "usually with fixed clocks";
  words += " and ";
  if (conditions.caches == Control::kOff) return words + "with caches that were not flushed";
  // After "usually" the word stands for both.
  const bool says_usually = conditions.caches == Control::kOn || conditions.clocks == Control::kUnknown;
  return words + (says_usually ? "cold caches" : "usually cold caches");
}

}  // namespace warpsight
