#include "analysis/counters/counter_rooflines.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/counters/counter_roofline_document.h"
#include "analysis/counters/made_counters.h"
#include "analysis/counters/roofline_data.h"

namespace warpsight {
namespace {

using testing::MadeMetrics;
using testing::ReportWith;

CounterRoofline RooflineOf(const CounterReport& report, const Given& given = {}) {
  return MakeCounterRoofline(report, report.kernels().front(), given);
}

const MadeMetrics kHalfOfFp32 = {{"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed", 40},
                                 {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", 15},
                                 {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed", 5},
                                 {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 100},
                                 {"smsp__cycles_elapsed.avg.per_second", 1e9},
                                 {"gpu__time_duration.sum", 1000},
                                 {"dram__bytes.sum.per_second", 1e9},
                                 {"dram__bytes.sum.peak_sustained", 10},
                                 {"dram__cycles_elapsed.avg.per_second", 2e9}};

TEST(CounterRooflinesTest, RatesPeaksAndPoints) {
  const CounterReport report = ReportWith(kHalfOfFp32);
  const CounterRoofline roofline = RooflineOf(report);
  const CounterRoof& fp32 = roofline.work[1];
  EXPECT_EQ(fp32.id, "fp32");
  EXPECT_DOUBLE_EQ(*fp32.per_s, 100e9);  // 2 x 40 + 15 + 5 a cycle
  EXPECT_DOUBLE_EQ(*fp32.amount, 100e3);
  EXPECT_DOUBLE_EQ(*fp32.peak_per_s, 200e9);
  EXPECT_DOUBLE_EQ(*fp32.utilisation, 0.5);
  EXPECT_EQ(fp32.peak_source, "counters");
  const CounterRoof& dram = roofline.memory[0];
  EXPECT_DOUBLE_EQ(*dram.per_s, 1e9);
  EXPECT_DOUBLE_EQ(*dram.peak_per_s, 20e9);
  ASSERT_EQ(roofline.points.size(), 1u);
  EXPECT_DOUBLE_EQ(roofline.points[0].intensity, 100);
  EXPECT_DOUBLE_EQ(*roofline.points[0].ridge, 10);
  EXPECT_FALSE(roofline.points[0].is_memory_bound());
  EXPECT_DOUBLE_EQ(*roofline.points[0].attainable, 200e9);
  EXPECT_DOUBLE_EQ(*roofline.points[0].efficiency, 0.5);
  EXPECT_EQ(roofline.Nearest(), &fp32);
}

TEST(CounterRooflinesTest, WhatIsAbsentNamesItsMetric) {
  const CounterReport report = ReportWith(kHalfOfFp32);
  const CounterRoofline roofline = RooflineOf(report);
  EXPECT_EQ(roofline.work[0].not_evaluated,
            "metric smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed is absent");
  EXPECT_EQ(roofline.memory[1].not_evaluated, "metric lts__lts2xbar_cycles_active.sum.per_second is absent");
  EXPECT_FALSE(roofline.work[0].per_s);
  const nlohmann::ordered_json data = CounterRooflineJson(roofline);
  EXPECT_TRUE(data["work"][0]["flops"].is_null());
  EXPECT_EQ(data["nearest"], "fp32");
}

TEST(CounterRooflinesTest, PeaksOfTheDatasheetAndOfTheUser) {
  const CounterReport report = ReportWith({{"dram__bytes_read.sum", 3000},
                                           {"dram__bytes_write.sum", 1000},
                                           {"gpu__time_duration.sum", 1000},
                                           {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 500},
                                           {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0},
                                           {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0}},
                                          "NVIDIA H200");
  const CounterRoofline roofline = RooflineOf(report);
  EXPECT_DOUBLE_EQ(*roofline.memory[0].amount, 4000);
  EXPECT_DOUBLE_EQ(*roofline.memory[0].per_s, 4e9);
  EXPECT_EQ(roofline.memory[0].peak_source, "datasheet");
  EXPECT_DOUBLE_EQ(*roofline.memory[0].peak_per_s, 4.8e12);
  EXPECT_DOUBLE_EQ(*roofline.work[1].amount, 1000);
  EXPECT_DOUBLE_EQ(*roofline.work[1].peak_per_s, 67e12);
  Given given;
  given.peak_bytes_per_s = 8e9;
  const CounterRoofline by_user = RooflineOf(report, given);
  EXPECT_EQ(by_user.memory[0].peak_source, "given");
  EXPECT_DOUBLE_EQ(*by_user.memory[0].utilisation, 0.5);
}

TEST(CounterRooflinesTest, TensorOperationsOfSeveralTypesAddUp) {
  const CounterReport report =
      ReportWith({{"sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32_sparsity_off.sum.per_second", 100},
                  {"sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32_sparsity_off.sum.peak_sustained_elapsed.per_second", 1000},
                  {"sm__ops_path_tensor_op_imma_src_int8_sparsity_off.sum.per_second", 400},
                  {"sm__ops_path_tensor_op_imma_src_int8_sparsity_off.sum.peak_sustained_elapsed.per_second", 2000}});
  const CounterRoof tensor = RooflineOf(report).work[3];
  EXPECT_DOUBLE_EQ(*tensor.per_s, 500);
  EXPECT_NEAR(*tensor.utilisation, 0.3, 1e-9);
  EXPECT_EQ(tensor.types, "hmma_src_fp16_dst_fp32_sparsity_off, imma_src_int8_sparsity_off");
}

TEST(CounterRooflinesTest, SharesAloneAreShares) {
  const CounterReport report = ReportWith({{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 62.5}});
  const CounterRoofline roofline = RooflineOf(report);
  EXPECT_DOUBLE_EQ(*roofline.work[3].utilisation, 0.625);
  EXPECT_EQ(roofline.work[3].not_evaluated, "the report has the share of the peak, but no counts");
  EXPECT_EQ(roofline.Nearest()->id, "tensor");
}

// v + 1.f: the compiler loads the 1.f with HFMA2, which counts four.
TEST(CounterRooflinesTest, ConstantsOfFloatsAreNoHalfPrecision) {
  const std::string op = "smsp__sass_thread_inst_executed_op_";
  const std::string hfma = op + "hfma_pred_on.sum.per_cycle_elapsed";
  const std::string hadd = op + "hadd_pred_on.sum.per_cycle_elapsed";
  const std::string hmul = op + "hmul_pred_on.sum.per_cycle_elapsed";
  const auto with = [&](double fused, double added) {
    MadeMetrics metrics = kHalfOfFp32;  // 100 FLOPs a cycle
    metrics.insert(
        metrics.end(),
        {{hfma, fused}, {hadd, added}, {hmul, 0}, {"sm__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained", 50}});
    return metrics;
  };
  const CounterReport constants = ReportWith(with(40, 0));
  const CounterRoofline roofline = RooflineOf(constants);
  EXPECT_TRUE(roofline.work[2].may_be_constants);
  EXPECT_EQ(roofline.MainWork()->id, "fp32");
  EXPECT_EQ(roofline.Nearest()->id, "fp32");  // 80 % of the FP16 peak, if it were arithmetic
  EXPECT_EQ(CounterRooflineJson(roofline)["main_arithmetic"], "fp32");
  CounterRooflineOptions options;
  options.kernels = {&constants.kernels().front()};
  const Document document = MakeCounterRooflineDocument(constants, options, {});
  EXPECT_EQ(std::get<std::string>(std::get<Table>(document.blocks[0]).rows[0][2]), "FP32");
  EXPECT_NE(std::get<Paragraph>(document.blocks[1]).text.find("in kernels 0, but"), std::string::npos);
  // Sums of halves are no constants, and so many are none either.
  EXPECT_EQ(RooflineOf(ReportWith(with(40, 1))).MainWork()->id, "fp16");
  EXPECT_EQ(RooflineOf(ReportWith(with(400, 0))).MainWork()->id, "fp16");
  EXPECT_EQ(RooflineOf(ReportWith(with(10, 1))).MainWork()->id, "fp32");
}

TEST(CounterRooflinesTest, KernelsAreSortedBeforeTheyAreCut) {
  CounterReportParts parts;
  parts.metric_names = {"gpu__time_duration.sum", "dram__bytes.sum.pct_of_peak_sustained_elapsed"};
  for (const auto& [duration, share] : {std::pair(10.0, 50.0), std::pair(30.0, 20.0), std::pair(20.0, 90.0)}) {
    ProfiledKernel kernel;
    kernel.id = static_cast<int64_t>(parts.kernels.size());
    kernel.full_name = "k";
    kernel.metrics.resize(2);
    kernel.metrics[0].value = duration;
    kernel.metrics[1].name = 1;
    kernel.metrics[1].value = share;
    parts.kernels.push_back(kernel);
  }
  const CounterReport report(std::move(parts));
  const auto ids = [&](CounterRooflineSort sort, size_t limit) {
    CounterRooflineOptions options;
    for (const ProfiledKernel& kernel : report.kernels()) options.kernels.push_back(&kernel);
    options.sort = sort;
    options.limit = limit;
    std::vector<int64_t> order;
    const Document document = MakeCounterRooflineDocument(report, options, {});
    for (const auto& kernel : document.data["kernels"]) order.push_back(kernel["id"]);
    return order;
  };
  EXPECT_EQ(ids(CounterRooflineSort::kFile, 0), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(ids(CounterRooflineSort::kDuration, 2), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(ids(CounterRooflineSort::kRoof, 0), (std::vector<int64_t>{2, 0, 1}));
}

// Names in formulas are values above or metrics (which have two underscores).
TEST(CounterRooflinesTest, EveryNameOfTheDataMeansSomething) {
  const CounterRooflineData& data = CounterRooflines();
  std::set<std::string, std::less<>> known;
  const auto check = [&](const Formula& formula) {
    for (const std::string& name : formula.names())
      EXPECT_TRUE(name.find("__") != std::string::npos || known.contains(name)) << name << " in " << formula.text();
  };
  for (const auto& [name, formula] : data.values) {
    known.insert(name);
    (void)formula;
  }
  for (const auto& [name, formula] : data.values) check(formula);
  for (const std::vector<RoofData>* roofs : {&data.work, &data.memory}) {
    for (const RoofData& roof : *roofs) {
      check(roof.per_second);
      check(roof.amount);
      check(roof.peak);
      if (roof.utilisation) check(*roof.utilisation);
    }
  }
}

}  // namespace
}  // namespace warpsight
