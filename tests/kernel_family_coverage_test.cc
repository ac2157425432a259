// Which kernels of the sample recordings no family rule knows. Our own recordings leave none; of strangers' the few are
// printed.
#include <gtest/gtest.h>

#include <iostream>
#include <set>
#include <string>

#include "analysis/kernel_family.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::kernel_family_coverage_test {
namespace {

struct Coverage {
  std::set<std::string> known;
  std::set<std::string> other;
};

Coverage CoverageOf(const std::string& folder) {
  Coverage coverage;
  for (const std::string& file : testing::SharedFiles(folder)) {
    if (file.find(".json") == std::string::npos || file.find("keyavg") != std::string::npos) continue;
    const Result<Trace> trace = OpenTrace(file, {});
    if (!trace.ok()) continue;
    FamiliesOf families(*trace);
    for (uint32_t row = 0; row < trace->gpu().size(); ++row) {
      std::set<std::string>& names = families.family(row) == "other" ? coverage.other : coverage.known;
      names.emplace(trace->Text(trace->gpu().name[row]));
    }
  }
  return coverage;
}

TEST(KernelFamilyCoverageTest, OurRecordings) {
  const Coverage coverage = CoverageOf("h200/torch");
  if (coverage.known.empty()) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  EXPECT_EQ(coverage.other, std::set<std::string>());
}

TEST(KernelFamilyCoverageTest, OtherRecordings) {
  const Coverage coverage = CoverageOf("public/torch");
  if (coverage.known.empty()) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  std::cout << coverage.known.size() << " names known, " << coverage.other.size() << " other:\n";
  for (const std::string& name : coverage.other) std::cout << "  " << name.substr(0, 150) << "\n";
  EXPECT_LT(coverage.other.size() * 50, coverage.known.size());
}

}  // namespace
}  // namespace warpsight::kernel_family_coverage_test
