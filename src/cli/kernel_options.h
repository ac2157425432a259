// The options by which verbs about counter reports choose kernels.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "counters/counter_report.h"

namespace warpsight {

// kLacks when the report is ncu's source page, of which verbs about whole kernels can say nothing.
Status RefuseSourcePage(const CounterReport& report);

class KernelOptions {
 public:
  void Configure(CLI::App& app);
  // The chosen ones, in file order; at least one. kUsage when none is left, kLacks when the report has none.
  Result<std::vector<const ProfiledKernel*>> Choose(const CounterReport& report, std::optional<int32_t> device) const;

 private:
  std::string kernel_;
  std::optional<int64_t> id_;
};

}  // namespace warpsight
