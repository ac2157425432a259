#include "cli/kernel_options.h"
#include "cli/number_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <regex>

namespace warpsight {
namespace {

// A number alone is the number of a kernel.
std::optional<int64_t> KernelNumber(const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// ncu compares names in the same way. Names are foreign and may be long, which the matcher's stack does not bear.
constexpr size_t kLongestMatched = 4096;
constexpr std::string_view kRegexPrefix = "regex:";

}  // namespace

Status RefuseSourcePage(const CounterReport& report) {
  if (!report.is_source_page()) return OkStatus();
  return LacksError(
      "is a source page, which has counters of single instructions and none of whole kernels: use warpsight source, or give "
      "the .ncu-rep");
}

void KernelOptions::Configure(CLI::App& app) {
  app.add_option("-k,--kernel", kernel_, "substring of the name, or kernel number; regex:EXPRESSION as with ncu");
  app.add_option("--id", id_, "the kernel with this number")->check(kNotNegative);
}

Result<std::vector<const ProfiledKernel*>> KernelOptions::Choose(const CounterReport& report,
                                                                 std::optional<int32_t> device) const {
  if (report.kernels().empty())
    return LacksError("no kernel was profiled: check the filters of ncu (--kernel-name, --launch-skip, --nvtx-include)");
  const std::optional<int64_t> number = KernelNumber(kernel_);
  std::optional<std::regex> pattern;
  if (kernel_.starts_with(kRegexPrefix)) {
    try {
      pattern.emplace(kernel_.substr(kRegexPrefix.size()));
    } catch (const std::regex_error& error) {
      return UsageError(fmt::format("-k {}: is no regular expression: {}", kernel_, error.what()));
    }
  }
  const auto has_name = [&](std::string_view name) {
    if (!pattern) return name.find(kernel_) != std::string_view::npos;
    name = name.substr(0, kLongestMatched);
    return std::regex_search(name.begin(), name.end(), *pattern);
  };
  std::vector<const ProfiledKernel*> chosen;
  for (const ProfiledKernel& kernel : report.kernels()) {
    if (id_ && kernel.id != *id_) continue;
    if (device && static_cast<int64_t>(kernel.device) != *device) continue;
    if (number ? kernel.id != *number : !has_name(kernel.full_name)) continue;
    chosen.push_back(&kernel);
  }
  if (chosen.empty()) {
    return UsageError(fmt::format("no kernel is left by the options: the report has {} kernels, the first is {}",
                                  report.kernels().size(), report.kernels().front().full_name));
  }
  return chosen;
}

}  // namespace warpsight
