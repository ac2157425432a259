// Rooflines from counters are those that ncu prints: the shares of its rule, and the traffic and peaks of its charts.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "analysis/counters/counter_rooflines.h"
#include "analysis/counters/memory_chart.h"
#include "analysis/counters/roofline_data.h"
#include "analysis/counters/triage_data.h"
#include "formats/open_counters.h"
#include "ncu_truth.h"

namespace warpsight::testing::ncu_roofline_test {
namespace {

const CounterRoof& RoofNamed(const std::vector<CounterRoof>& roofs, std::string_view id) {
  for (const CounterRoof& roof : roofs) {
    if (roof.id == id) return roof;
  }
  ADD_FAILURE() << id;
  return roofs.front();
}

// "The kernel achieved 18% of this device's fp32 peak performance and 0% of its fp64 peak performance."
TEST(NcuRooflineTest, SharesAreThoseOfTheRule) {
  const std::regex sentence(
      "achieved +(?:close to )?(\\d+)% of this device's (?:fp32|FP32) peak performance and +"
      "(?:close to )?(\\d+)% of its (?:fp64|FP64)");
  int64_t compared = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok());
    for (const ProfiledKernel& kernel : report->kernels()) {
      for (const RuleResult& rule : kernel.rules) {
        for (const RuleAdvice& advice : rule.advice) {
          const std::string text(advice.text);
          std::smatch match;
          if (!std::regex_search(text, match, sentence)) continue;
          const CounterRoofline roofline = MakeCounterRoofline(*report, kernel);
          const CounterRoof& fp32 = RoofNamed(roofline.work, "fp32");
          const CounterRoof& fp64 = RoofNamed(roofline.work, "fp64");
          ASSERT_TRUE(fp32.utilisation && fp64.utilisation) << truth.report;
          EXPECT_NEAR(*fp32.utilisation * 100, std::stod(match[1]), 1) << truth.report << " " << kernel.id;
          EXPECT_NEAR(*fp64.utilisation * 100, std::stod(match[2]), 1) << truth.report << " " << kernel.id;
          EXPECT_EQ(fp32.peak_source, "counters");
          ++compared;
        }
      }
    }
  }
  if (compared == 0) GTEST_SKIP() << "no shared data";
  std::printf("%ld kernels compared\n", static_cast<long>(compared));
}

double UnitFactor(const std::string& unit) {
  const std::map<std::string, double> kPrefixes = {{"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
  const auto known = kPrefixes.find(unit.substr(0, 1));
  return known == kPrefixes.end() ? 1 : known->second;
}

// The last row of that name in the block of each kernel: "DRAM Bandwidth     Gbyte/s        14.62".
std::vector<std::map<std::string, double>> PrintedTraffic(const std::string& path) {
  const std::regex row(
      "^ +(DRAM Bandwidth|L2 Cache Bandwidth|L1 Cache Bandwidth \\(Global/Local\\)|SM Frequency|"
      "Theoretical DRAM Bytes Accessible|DRAM Frequency|Theoretical L2 Cache Bytes Accessible|"
      "L2 Cache Frequency|Theoretical Predicated-On (?:DFMA|FFMA|HFMA) Operations) +"
      "(?:([A-Za-z/]+) +)?([0-9,.]+) *$");
  std::vector<std::map<std::string, double>> kernels;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.find("Context 1, Stream") != std::string::npos) kernels.emplace_back();
    std::smatch match;
    if (kernels.empty() || !std::regex_match(line, match, row)) continue;
    std::string digits = match[3];
    std::erase(digits, ',');
    kernels.back()[match[1]] = std::stod(digits) * UnitFactor(match[2]);
  }
  return kernels;
}

TEST(NcuRooflineTest, TrafficAndPeaksAreThoseOfTheCharts) {
  const std::string folder = (SharedData() / "h200/ncu").string();
  const std::vector<std::map<std::string, double>> printed = PrintedTraffic(folder + "/kernels.details.txt");
  if (printed.empty()) GTEST_SKIP() << "no shared data";
  const Result<CounterReport> report = OpenCounters(folder + "/kernels.ncu-rep");
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(printed.size(), report->kernels().size());
  for (size_t i = 0; i < printed.size(); ++i) {
    const CounterRoofline roofline = MakeCounterRoofline(*report, report->kernels()[i]);
    const auto near = [&](std::optional<double> ours, double theirs, const char* what) {
      ASSERT_TRUE(ours.has_value()) << what;
      // Two decimals are printed, with one prefix for both of a pair.
      EXPECT_NEAR(*ours, theirs, std::abs(theirs) * 0.006 + 6e9) << what << " of kernel " << i;
    };
    std::map<std::string, double> rows = printed[i];
    const double sm_hz = rows["SM Frequency"];
    near(RoofNamed(roofline.memory, "dram").per_s, rows["DRAM Bandwidth"], "DRAM rate");
    near(RoofNamed(roofline.memory, "l2").per_s, rows["L2 Cache Bandwidth"], "L2 rate");
    near(RoofNamed(roofline.memory, "l1").per_s, rows["L1 Cache Bandwidth (Global/Local)"], "L1 rate");
    near(RoofNamed(roofline.memory, "dram").peak_per_s, rows["Theoretical DRAM Bytes Accessible"] * rows["DRAM Frequency"],
         "DRAM peak");
    near(RoofNamed(roofline.memory, "l2").peak_per_s,
         rows["Theoretical L2 Cache Bytes Accessible"] * rows["L2 Cache Frequency"], "L2 peak");
    near(RoofNamed(roofline.work, "fp64").peak_per_s, rows["Theoretical Predicated-On DFMA Operations"] * sm_hz,
         "FP64 peak");
    near(RoofNamed(roofline.work, "fp32").peak_per_s, rows["Theoretical Predicated-On FFMA Operations"] * sm_hz,
         "FP32 peak");
    near(RoofNamed(roofline.work, "fp16").peak_per_s, rows["Theoretical Predicated-On HFMA Operations"] * sm_hz,
         "FP16 peak");
  }
  // A product of two 2048 x 2048 matrices.
  const CounterRoofline gemm = MakeCounterRoofline(*report, report->kernels().front());
  EXPECT_NEAR(*RoofNamed(gemm.work, "fp32").amount, 2.0 * 2048 * 2048 * 2048, 1e6);
  EXPECT_EQ(gemm.Nearest()->id, "l1");
}

// A metric that no report of any version has is a typing error in the data.
TEST(NcuRooflineTest, EveryMetricOfTheDataExists) {
  std::set<std::string, std::less<>> known = MetricsOfTruths();
  if (known.empty()) GTEST_SKIP() << "no shared data";
  // Counters that ncu --metrics collects, and that no set of sections has in these versions.
  known.insert({"dram__bytes.sum", "dram__bytes.sum.pct_of_peak_sustained_elapsed",
                "dram__throughput.avg.pct_of_peak_sustained_elapsed", "lts__lts2xbar_cycles_active.sum",
                "sm__cycles_active.avg.pct_of_peak_sustained_elapsed", "smsp__inst_executed_op_global_ld.sum",
                "smsp__inst_executed_op_global_st.sum", "smsp__inst_executed_pipe_tensor.sum.peak_sustained"});
  std::set<std::string> unknown;
  const auto check = [&](const std::vector<std::string>& names) {
    for (const std::string& metric : names) {
      if (metric.find("__") != std::string::npos && !known.contains(metric)) unknown.insert(metric);
    }
  };
  for (const auto& [name, formula] : CounterRooflines().values) check(formula.names());
  for (const TriageValue& value : MemoryChart().values.values) check(value.names());
  for (const TriageValue& value : CounterTriageData().values) check(value.names());
  // With --metrics a user may collect the plain sums, which no set of sections has.
  std::erase_if(unknown,
                [](const std::string& metric) { return metric.find("sass_thread_inst_executed") != std::string::npos; });
  EXPECT_EQ(unknown, std::set<std::string>());
}

// Whatever a report lacks: a share, or a reason.
TEST(NcuRooflineTest, EveryKernelHasAShareOrAReason) {
  int64_t kernels = 0;
  for (const NcuTruth& truth : NcuTruths()) {
    const Result<CounterReport> report = OpenCounters(truth.report);
    ASSERT_TRUE(report.ok());
    for (const ProfiledKernel& kernel : report->kernels()) {
      ++kernels;
      const CounterRoofline roofline = MakeCounterRoofline(*report, kernel);
      for (const std::vector<CounterRoof>* roofs : {&roofline.work, &roofline.memory}) {
        for (const CounterRoof& roof : *roofs) {
          EXPECT_TRUE(roof.utilisation || !roof.not_evaluated.empty()) << truth.report << " " << roof.id;
          if (roof.utilisation) EXPECT_LT(*roof.utilisation, 1.1) << truth.report << " " << kernel.id << " " << roof.id;
        }
      }
    }
  }
  if (kernels == 0) GTEST_SKIP() << "no shared data";
}

}  // namespace
}  // namespace warpsight::testing::ncu_roofline_test
