#include "analysis/counters/memory_chart.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "analysis/counters/made_counters.h"

namespace warpsight {
namespace {

using testing::ReportWith;

TEST(MemoryChartTest, FlowsAreWhatTheCountersSay) {
  const CounterReport report = ReportWith({{"dram__bytes_read.sum", 3e6},
                                           {"dram__bytes_write.sum", 1e6},
                                           {"gpu__time_duration.sum", 1000},
                                           {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 25},
                                           {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1000},
                                           {"l1tex__m_xbar2l1tex_read_bytes.sum", 5e6}});
  const std::optional<FlowChart> chart = MakeMemoryChart(report, report.kernels().front());
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->rows.size(), 4u);
  const FlowUnit& l1 = chart->rows[1][0];
  EXPECT_EQ(l1.up, (std::vector<std::string>{"32.00 kB"}));
  EXPECT_TRUE(l1.down.empty());
  EXPECT_TRUE(l1.lines.empty());
  const FlowUnit& l2 = chart->rows[2][0];
  EXPECT_DOUBLE_EQ(*l2.busy_share, 0.25);
  EXPECT_EQ(l2.up, (std::vector<std::string>{"5.000 MB", "5.000 TB/s"}));
  const FlowUnit& dram = chart->rows[3][0];
  EXPECT_EQ(dram.down, (std::vector<std::string>{"1.000 MB", "1.000 TB/s"}));
  EXPECT_EQ(dram.up, (std::vector<std::string>{"3.000 MB", "3.000 TB/s"}));
  EXPECT_EQ(chart->rows[3].size(), 1u);  // nothing from system memory or other GPUs is known
}

TEST(MemoryChartTest, SystemMemoryStandsBesideDeviceMemory) {
  const CounterReport report = ReportWith({{"lts__t_sectors_srcunit_tex_aperture_sysmem_op_read_lookup_miss.sum", 10},
                                           {"lts__t_sectors_srcunit_tex_aperture_sysmem_op_write.sum", 0}});
  const std::optional<FlowChart> chart = MakeMemoryChart(report, report.kernels().front());
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->rows[3].size(), 2u);
  EXPECT_EQ(chart->rows[3][1].name, "System memory");
  EXPECT_EQ(chart->rows[3][1].up, (std::vector<std::string>{"320 B"}));
}

TEST(MemoryChartTest, NothingKnownIsNoChart) {
  const CounterReport report = ReportWith({{"gpu__time_duration.sum", 1000}});
  EXPECT_FALSE(MakeMemoryChart(report, report.kernels().front()));
}

TEST(MemoryChartTest, EveryNameOfTheDataMeansSomething) {
  const MemoryChartData& data = MemoryChart();
  std::set<std::string> known;
  for (const TriageValue& value : data.values.values) known.insert(value.id);
  for (const TriageValue& value : data.values.values) {
    for (const std::string& used : value.names())
      EXPECT_TRUE(used.find("__") != std::string::npos || known.contains(used)) << used << " in " << value.id;
  }
  std::set<std::string> units;
  for (const MemoryUnitData& unit : data.units) {
    EXPECT_TRUE(unit.row == 0 || units.contains(unit.from)) << unit.id;
    units.insert(unit.id);
    if (!unit.share.empty()) EXPECT_TRUE(known.contains(unit.share)) << unit.share;
    for (const std::vector<std::string>* texts : {&unit.lines, &unit.down, &unit.up}) {
      for (const std::string& text : *texts) {
        const size_t open = text.find('{');
        const std::string name = text.substr(open + 1, text.find_first_of(":}", open) - open - 1);
        EXPECT_TRUE(known.contains(name) || name.find("__") != std::string::npos) << text;
      }
    }
  }
}

}  // namespace
}  // namespace warpsight
