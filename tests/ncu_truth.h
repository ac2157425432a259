// Nsight Compute reports with what NVIDIA's own `ncu --import` prints for them (not part of the repository).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "formats/open_counters.h"
#include "shared_data.h"

namespace warpsight::testing {

struct NcuTruth {
  std::string report;
  std::string raw_page;      // CSV; empty when there is none
  std::string details_page;  // CSV; empty when there is none
};

// Of the reports below SharedData(); none when it is missing.
inline std::vector<NcuTruth> NcuTruths() {
  const auto existing = [](const std::filesystem::path& path) {
    return std::filesystem::exists(path) ? path.string() : std::string();
  };
  std::vector<NcuTruth> truths;
  for (const std::string& folder : {std::string("h200/ncu"), std::string("public/ncu")}) {
    for (const std::string& file : SharedFiles(folder)) {
      const std::filesystem::path path = file;
      const std::string extension = path.extension().string();
      if (extension != ".ncu-rep" && extension != ".nsight-cuprof-report") continue;
      const std::filesystem::path truth_folder =
          folder == "h200/ncu" ? path.parent_path() : SharedData() / "public/ncu_truth";
      const std::string stem = path.stem().string();
      truths.push_back(
          {file, existing(truth_folder / (stem + ".raw.csv")), existing(truth_folder / (stem + ".details.csv"))});
    }
  }
  return truths;
}

// Every metric that one of the reports has; none without them.
inline std::set<std::string, std::less<>> MetricsOfTruths() {
  std::set<std::string, std::less<>> known;
  for (const NcuTruth& truth : NcuTruths()) {
    const Result<CounterReport> report = OpenCounters(truth.report);
    EXPECT_TRUE(report.ok()) << truth.report;
    if (!report.ok()) continue;
    for (const ProfiledKernel& kernel : report->kernels()) {
      for (const Metric& metric : kernel.metrics) known.emplace(report->MetricName(metric.name));
    }
  }
  return known;
}

}  // namespace warpsight::testing
