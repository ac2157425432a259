#include "cli/kernel_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace warpsight {
namespace {

// A number alone is the number of a kernel.
std::optional<int64_t> KernelNumber(const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

}  // namespace

void KernelOptions::Configure(CLI::App& app) {
  app.add_option("-k,--kernel", kernel_, "kernels whose name contains this, or the kernel with this number");
  app.add_option("--id", id_, "the kernel with this number")->check(CLI::NonNegativeNumber);
}

Result<std::vector<const ProfiledKernel*>> KernelOptions::Choose(const CounterReport& report,
                                                                 std::optional<int32_t> device) const {
  if (report.kernels().empty())
    return LacksError("no kernel was profiled: check the filters of ncu (--kernel-name, --launch-skip, --nvtx-include)");
  const std::optional<int64_t> number = KernelNumber(kernel_);
  std::vector<const ProfiledKernel*> chosen;
  for (const ProfiledKernel& kernel : report.kernels()) {
    if (id_ && kernel.id != *id_) continue;
    if (device && static_cast<int64_t>(kernel.device) != *device) continue;
    if (number ? kernel.id != *number : kernel.full_name.find(kernel_) == std::string_view::npos) continue;
    chosen.push_back(&kernel);
  }
  if (chosen.empty()) {
    return UsageError(fmt::format("no kernel is left by the options: the report has {} kernels, the first is {}",
                                  report.kernels().size(), report.kernels().front().full_name));
  }
  return chosen;
}

}  // namespace warpsight
