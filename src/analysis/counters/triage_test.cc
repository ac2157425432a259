#include "analysis/counters/triage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/counters/made_counters.h"
#include "counters/section_data.h"

namespace warpsight {
namespace {

using TriageMetrics = testing::MadeMetrics;

Triage TriageOfMetrics(const TriageMetrics& metrics) {
  const CounterReport report = testing::ReportWith(metrics);
  return TriageKernel(report, report.kernels().front());
}

const TriageFinding* FindById(const Triage& triage, std::string_view id) {
  const auto found = std::ranges::find(triage.findings, id, &TriageFinding::id);
  return found == triage.findings.end() ? nullptr : &*found;
}

// Peaks in percent.
TriageMetrics BusyKernel(double compute, double memory, double dram, double duration_ns) {
  return {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", compute},
          {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", memory},
          {"dram__throughput.avg.pct_of_peak_sustained_elapsed", dram},
          {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 20},
          {"l1tex__throughput.avg.pct_of_peak_sustained_active", 10},
          {"gpu__time_duration.sum", duration_ns},
          {"launch__waves_per_multiprocessor", 4}};
}

TriageMetrics With(TriageMetrics metrics, const TriageMetrics& more) {
  metrics.insert(metrics.end(), more.begin(), more.end());
  return metrics;
}

TEST(TriageTest, LocalMemoryIsSpillsOrArrays) {
  const TriageMetrics local = With(BusyKernel(10, 70, 5, 1e6), {{"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 600},
                                                                {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", 300},
                                                                {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 50},
                                                                {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 50}});
  const Triage spilled = TriageOfMetrics(With(local, {{"derived__local_spilling_requests", 40}}));
  ASSERT_NE(FindById(spilled, "spilling"), nullptr);
  EXPECT_EQ(FindById(spilled, "spilling")->title, "Local memory: 90.0 % of the L1 traffic is spilled registers");
  EXPECT_NE(FindById(spilled, "spilling")->advice.find("-maxrregcount"), std::string::npos);
  const Triage array = TriageOfMetrics(With(local, {{"derived__local_spilling_requests", 0}}));
  ASSERT_NE(FindById(array, "spilling"), nullptr);
  EXPECT_EQ(FindById(array, "spilling")->title,
            "Local memory: 90.0 % of the L1 traffic is an array of each thread, indexed at run time");
  EXPECT_NE(FindById(array, "spilling")->advice.find("compile-time constants"), std::string::npos);
  EXPECT_EQ(FindById(array, "spilling")->advice.find("-maxrregcount"), std::string::npos);
  const Triage either = TriageOfMetrics(local);
  ASSERT_NE(FindById(either, "spilling"), nullptr);
  EXPECT_NE(FindById(either, "spilling")->title.find("spilled registers or arrays"), std::string::npos);
  EXPECT_NE(FindById(either, "spilling")->advice.find("-maxrregcount"), std::string::npos);
}

// Waiting warps of a kernel that another unit limits are no finding of their own.
TEST(TriageTest, StarvedSchedulersCanBeASymptom) {
  const TriageMetrics starved = {{"smsp__issue_active.avg.per_cycle_active", 0.1}};
  const Triage latency = TriageOfMetrics(With(BusyKernel(20, 30, 10, 1e6), starved));
  ASSERT_NE(FindById(latency, "starved_schedulers"), nullptr);
  EXPECT_EQ(FindById(latency, "starved_schedulers")->severity, Severity::kHigh);
  EXPECT_EQ(FindById(latency, "starved_schedulers")->GainText(), "est. local speedup up to 70.0 %");
  const Triage bound = TriageOfMetrics(With(BusyKernel(20, 65, 65, 1e6), starved));
  ASSERT_NE(FindById(bound, "starved_schedulers"), nullptr);
  EXPECT_EQ(FindById(bound, "starved_schedulers")->severity, Severity::kLow);
  EXPECT_EQ(FindById(bound, "starved_schedulers")->evidence.back(),
            "a symptom here: device memory, at 65.0 % of its peak, is the limit");
  const Triage brief = TriageOfMetrics(With(BusyKernel(20, 30, 10, 5000), starved));
  EXPECT_EQ(brief.verdict_id, "too_short");
  ASSERT_NE(FindById(brief, "starved_schedulers"), nullptr);
  EXPECT_EQ(FindById(brief, "starved_schedulers")->severity, Severity::kLow);
}

// A details page has no states of warps.
TEST(TriageTest, WithoutStatesOfWarpsTheFindingIsStillWhole) {
  const Triage triage =
      TriageOfMetrics(With(BusyKernel(20, 30, 10, 1e6), {{"smsp__issue_active.avg.per_cycle_active", 0.1}}));
  const TriageFinding* const finding = FindById(triage, "starved_schedulers");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->title,
            "The schedulers are severely starved, they issue every 10 cycles: the report does not say what warps wait for");
  EXPECT_NE(finding->advice.find("WarpStateStats"), std::string::npos);
}

TEST(TriageTest, VerdictsHaveShortWords) {
  EXPECT_EQ(TriageOfMetrics(BusyKernel(20, 70, 70, 1e6)).in_short, "DRAM 70 %");
  EXPECT_EQ(TriageOfMetrics(BusyKernel(20, 30, 10, 1e6)).in_short, "latency");
  EXPECT_EQ(TriageOfMetrics(BusyKernel(20, 30, 10, 100)).in_short, "too short");
  const TriageMetrics pipes = {{"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 97},
                               {"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", 9},
                               {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", 8},
                               {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", 7},
                               {"sm__inst_issued.avg.pct_of_peak_sustained_elapsed", 40}};
  EXPECT_EQ(TriageOfMetrics(With(BusyKernel(97, 3, 2, 1e6), pipes)).in_short, "pipe XU 97 %");
  EXPECT_EQ(TriageOfMetrics(BusyKernel(97, 3, 2, 1e6)).in_short, "compute 97 %");
}

TEST(TriageTest, RowsOfABreakdownHaveTheRecordersWords) {
  EXPECT_EQ(BreakdownLabel("lts__xbar2lts_cycles_active.avg.pct_of_peak_sustained_elapsed"), "L2: Xbar2lts Cycles Active");
  EXPECT_EQ(BreakdownLabel("sm__inst_executed_pipe_xu.avg.pct"), "SM: Inst Executed Pipe Xu");
  EXPECT_EQ(BreakdownLabel("fbpa__dram_sectors.avg.pct"), "DRAM: Dram Sectors");
  EXPECT_EQ(BreakdownLabel("new__thing.avg"), "new__thing");
  EXPECT_EQ(BreakdownLabel("none"), "none");
}

}  // namespace
}  // namespace warpsight
