#include "formats/ncu_csv/ncu_csv_importer.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/open_counters.h"
#include "formats/open_trace.h"

namespace warpsight {
namespace {

constexpr std::string_view kLaunch = R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",)"
                                     R"("Block Size","Grid Size","Device","CC")";
constexpr std::string_view kKernel =
    R"_("0","41","app","127.0.0.1","add(float *)","1","7","(64, 1, 1)","(4, 2, 1)","0","9.0")_";

std::string RawPageText(std::string_view columns, std::string_view units, std::string_view values) {
  return std::string(kLaunch) + std::string(columns) + "\n" + R"("","","","","","","","","","","")" + std::string(units) +
         "\n" + std::string(kKernel) + std::string(values) + "\n";
}

CounterReport OpenText(const std::string& text) {
  Result<CounterReport> report = OpenCountersBytes(text, "page");
  EXPECT_TRUE(report.ok()) << report.status().message();
  return std::move(report).value();
}

TEST(NcuCsvImporterTest, RawPage) {
  const CounterReport report =
      OpenText("==PROF== Connected to process 41\n" +
               RawPageText(R"(,"gpu__time_duration.sum","mine")", R"(,"us","sector")", R"(,"2.5","3")"));
  ASSERT_EQ(report.kernels().size(), 1u);
  const ProfiledKernel& kernel = report.kernels()[0];
  EXPECT_EQ(kernel.full_name, "add(float *)");
  EXPECT_EQ(kernel.function_name, "add");
  EXPECT_EQ(kernel.grid, (Extent{4, 2, 1}));
  EXPECT_EQ(kernel.block, (Extent{64, 1, 1}));
  EXPECT_EQ(report.FindProcess(41)->executable, "app");
  EXPECT_EQ(ComputeCapability(report, kernel), 90);
  EXPECT_EQ(report.Number(kernel, "gpu__time_duration.sum"), 2500);
  EXPECT_EQ(*report.StatedUnit("mine"), "sector");
  EXPECT_EQ(report.log().kept(), 1);
  EXPECT_EQ(report.log().count("other_text"), 1);
}

TEST(NcuCsvImporterTest, SeveralTablesInOneFile) {
  const std::string page = RawPageText(R"(,"a")", R"(,"")", R"(,"1")");
  const CounterReport report = OpenText(page + "done\n" + page);
  ASSERT_EQ(report.kernels().size(), 2u);
  EXPECT_EQ(report.kernels()[1].id, 1);
}

TEST(NcuCsvImporterTest, DetailsPage) {
  const std::string text = std::string(kLaunch) +
                           R"(,"Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type",)"
                           R"("Rule Description","Estimated Speedup Type","Estimated Speedup")"
                           "\n" +
                           std::string(kKernel) + R"(,"GPU Speed Of Light Throughput","Duration","us","2.50",)" + "\n" +
                           std::string(kKernel) + R"(,"Mine","My Metric","Kbyte","3.00",)" + "\n" + std::string(kKernel) +
                           R"(,"SpeedOfLight","","","","SOLBottleneck","OPT","look at it","global","12.5")" + "\n";
  const CounterReport report = OpenText(text);
  ASSERT_EQ(report.kernels().size(), 1u);
  const ProfiledKernel& kernel = report.kernels()[0];
  EXPECT_EQ(report.Number(kernel, "gpu__time_duration.sum"), 2500);
  ASSERT_EQ(kernel.sections.size(), 1u);
  EXPECT_EQ(kernel.sections[0].header[0].label, "My Metric");
  EXPECT_EQ(report.Number(kernel, kernel.sections[0].header[0].metric), 3000);
  ASSERT_EQ(kernel.rules.size(), 1u);
  EXPECT_EQ(kernel.rules[0].advice[0].speedup_percent, 12.5);
}

TEST(NcuCsvImporterTest, SourcePage) {
  const std::string block =
      "\"Kernel Name\",\"add(float *)\",\n\"Address\",\"Source\",\"# Samples\",\"Address Space\",\"New Counter\"\n"
      "\"0x100\",\"      MOV R1, R2\",\"5\",\"-\",\"1\"\n\"0x110\",\"@P0  EXIT\",\"7\",\"Global,Shared\",\"2\"\n";
  const CounterReport report = OpenText(block + block);
  ASSERT_EQ(report.kernels().size(), 1u);
  EXPECT_EQ(report.log().count("kernel_repeated"), 1);
  const ProfiledKernel& kernel = report.kernels()[0];
  ASSERT_EQ(kernel.instruction_texts.size(), 2u);
  EXPECT_EQ(kernel.instruction_texts[0].text, "MOV R1, R2");
  EXPECT_EQ(report.Number(kernel, "smsp__pcsamp_sample_count"), 12);
  const Metric* space = report.Find(kernel, "memory_type");
  ASSERT_NE(space, nullptr);
  ASSERT_EQ(space->instance_count, 1u);
  EXPECT_EQ(kernel.instances[space->first_instance].value, CounterValue(uint64_t{4 + 16}));
  EXPECT_EQ(report.Find(kernel, "New Counter")->instance_count, 2u);
}

TEST(NcuCsvImporterTest, DamageIsRepairedAndCounted) {
  // Repeated columns: the first counts.
  const CounterReport repeated = OpenText(RawPageText(R"(,"a","a","b")", R"(,"","","")", R"(,"1","2","3")"));
  EXPECT_EQ(repeated.Number(repeated.kernels()[0], "a"), 1);
  EXPECT_EQ(repeated.Number(repeated.kernels()[0], "b"), 3);
  EXPECT_EQ(repeated.log().count("column_repeated"), 1);
  // A cut number is no number.
  const std::string whole = RawPageText(R"(,"a","b")", R"(,"","")", R"(,"1","23456")");
  const CounterReport cut = OpenText(whole.substr(0, whole.size() - 4));
  EXPECT_EQ(cut.Number(cut.kernels()[0], "a"), 1);
  EXPECT_EQ(cut.Number(cut.kernels()[0], "b"), std::nullopt);
  EXPECT_EQ(cut.log().repaired(), 1);
  // More cells than columns.
  EXPECT_EQ(OpenText(RawPageText(R"(,"a")", R"(,"")", R"(,"1","2")")).log().count("record_long"), 1);
}

TEST(NcuCsvImporterTest, WhatCannotBeReadIsSaid) {
  const auto open = [](const std::string& text) { return OpenCountersBytes(text, "page").status(); };
  EXPECT_EQ(open(std::string(kLaunch) + ",\"a\"\n").kind(), StatusKind::kLacks) << "no kernel at all";
  EXPECT_EQ(open("\"Kernel Name\",\"k\"\n\"Address\",\"Source\",\"# Samples\"\n\"0x1").kind(), StatusKind::kUnreadable);
  EXPECT_EQ(open("\"File Name\",\"a.cu\"\n\"Line No\",\"Source\"\n\"1\",\"x\"\n").kind(), StatusKind::kLacks);
  EXPECT_EQ(open("ID,Name\n0,k\n").kind(), StatusKind::kUnreadable) << "some other table";
  const Status columns = open(std::string(kLaunch) + std::string(200'000, ',') + "\n");
  EXPECT_EQ(columns.kind(), StatusKind::kUnreadable);
  EXPECT_NE(columns.message().find("columns"), std::string::npos);
  EXPECT_EQ(OpenTraceBytes(std::string(kLaunch) + "\n", "page", {}).status().kind(), StatusKind::kLacks);
}

// Whatever is cut off or changed, there is an answer.
TEST(NcuCsvImporterTest, DamagedPagesAreNoCrash) {
  const std::string raw = RawPageText(R"(,"a","b")", R"(,"ms","")", R"(,"1.5","text")");
  const std::string source =
      "\"Kernel Name\",\"k\",\n\"Address\",\"Source\",\"# Samples\"\n\"0x100\",\"NOP\",\"5\"\n\"0x110\",\"EXIT\",\"7\"\n";
  for (const std::string& page : {raw, source}) {
    for (size_t at = 0; at < page.size(); ++at) {
      for (const char value : {'"', ',', '\n', '\0'}) {
        std::string changed = page;
        changed[at] = value;
        const Result<CounterReport> report = OpenCountersBytes(changed, "page");
        if (!report.ok()) continue;
        const ImportLog& log = report->log();
        ASSERT_EQ(static_cast<int64_t>(report->kernels().size()), log.kept() + log.repaired()) << changed;
      }
      (void)OpenCountersBytes(page.substr(0, at), "page");
    }
  }
}

TEST(NcuCsvImporterTest, ValuesThatNoCounterCanHaveAreNotJudged) {
  const std::string name = R"("sm__throughput.avg.pct_of_peak_sustained_elapsed")";
  const auto number_of = [&](const std::string& cell) {
    const CounterReport report = OpenText(RawPageText("," + name, R"(,"%")", ",\"" + cell + "\""));
    const std::string_view cause = cell.find_first_of("in") == std::string::npos ? "value_implausible" : "value_not_finite";
    EXPECT_EQ(report.log().count(cause), cell == "65.186713" ? 0 : 1) << cell;
    return report.Number(report.kernels()[0], name.substr(1, name.size() - 2));
  };
  for (const std::string cell : {"inf", "-inf", "nan", "-nan", "1e308", "99,999,999,999", "-5"})
    EXPECT_EQ(number_of(cell), std::nullopt) << cell;
  EXPECT_EQ(number_of("65.186713"), 65.186713);
}

TEST(NcuCsvImporterTest, RowsThatCostMoreThanTheyTakeAreRefused) {
  std::string page = std::string(kLaunch) + "\n\"ID\",\"Kernel Name\"\n";
  for (int i = 0; i < 200'000; ++i) page += "1,k\n";
  const Status status = OpenCountersBytes(page, "page").status();
  EXPECT_EQ(status.kind(), StatusKind::kUnreadable);
  EXPECT_NE(status.message().find("so few bytes"), std::string::npos) << status.message();
}

TEST(NcuCsvImporterTest, ALineOfCommasIsCut) {
  const CounterReport report = OpenText(RawPageText(R"(,"a")", R"(,"")", R"(,"1")") + std::string(3'000'000, ',') + "\n");
  EXPECT_EQ(report.log().count("record_too_long"), 1);
}

}  // namespace
}  // namespace warpsight
