#include "formats/ncu_rep/ncu_rep_importer.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "formats/ncu_rep/made_report.h"
#include "formats/open_counters.h"
#include "formats/open_trace.h"

namespace warpsight {
namespace {

using testing::MadeBlock;
using testing::MadeDouble;
using testing::MadeFileHeader;
using testing::MadeInstance;
using testing::MadeKernel;
using testing::MadeMetric;
using testing::MadeWhole;
using testing::SizedBytes;

Result<CounterReport> OpenMade(const std::string& bytes) { return OpenCountersBytes(bytes, "made.ncu-rep"); }

std::string TwoKernels() {
  // The texts of the first kernel's metrics come in a later block than it does.
  return MadeFileHeader() +
         MadeBlock({MadeKernel("add(float *)", {MadeMetric(1, MadeDouble(2.5)), MadeMetric(2, MadeWhole(8))})}, {"zeroth"}) +
         MadeBlock({MadeKernel("mul(float *)",
                               {MadeMetric(0, MadeDouble(1)), MadeMetric(1, MadeDouble(3)), MadeMetric(1, MadeDouble(4))})},
                   {"gpu__time_duration.sum", "launch__grid_size"});
}

TEST(NcuRepImporterTest, NamesComeFromTheWholeFile) {
  const Result<CounterReport> report = OpenMade(TwoKernels());
  ASSERT_TRUE(report.ok()) << report.status().message();
  ASSERT_EQ(report->kernels().size(), 2u);
  const ProfiledKernel& first = report->kernels()[0];
  EXPECT_EQ(first.full_name, "add(float *)");
  EXPECT_EQ(first.id, 0);
  EXPECT_EQ(first.process_id, 42u);  // of the block
  EXPECT_EQ(first.grid, (Extent{4, 2, 1}));
  EXPECT_EQ(first.stream, 7u);
  EXPECT_EQ(report->Number(first, "gpu__time_duration.sum"), 2.5);
  EXPECT_EQ(report->Value(first, "launch__grid_size"), CounterValue(uint64_t{8}));
  EXPECT_TRUE(IsAbsent(report->Value(first, "zeroth")));
  EXPECT_EQ(report->Number(report->kernels()[1], "gpu__time_duration.sum"), 3);  // of two, the first
  EXPECT_EQ(report->log().read(), 2);
  EXPECT_EQ(report->log().kept(), 2);
}

TEST(NcuRepImporterTest, InstancesBelongToTheirMetric) {
  const std::string bytes =
      MadeFileHeader() + MadeBlock({MadeKernel("k", {MadeMetric(0, MadeWhole(3), {MadeInstance(16, 1), MadeInstance(32, 2)}),
                                                     MadeMetric(1, "", {MadeInstance(5, 6)})})},
                                   {"inst_executed", "sampled"});
  const Result<CounterReport> report = OpenMade(bytes);
  ASSERT_TRUE(report.ok());
  const ProfiledKernel& kernel = report->kernels()[0];
  const Metric* metric = report->Find(kernel, "sampled");
  ASSERT_NE(metric, nullptr);
  ASSERT_EQ(metric->instance_count, 1u);
  EXPECT_EQ(kernel.instances[metric->first_instance].value, CounterValue(uint64_t{6}));
  EXPECT_EQ(report->Find(kernel, "inst_executed")->instance_count, 2u);
}

TEST(NcuRepImporterTest, EarlyGridsInThreadsBecomeBlocks) {
  const std::string bytes =
      MadeFileHeader() + MadeBlock({MadeKernel("k", {MadeMetric(0, MadeWhole(1))})}, {"launch__grid_size"});
  std::string threads = bytes;
  // 4 x 2 blocks are not 1 block, and not 1 block of 64 threads either: nothing is mended.
  EXPECT_EQ(OpenMade(threads)->kernels()[0].grid, (Extent{4, 2, 1}));
  std::string kernel;
  protozero::pbf_writer writer(kernel);
  writer.add_message(10, testing::MadeExtent(640, 320, 1));
  writer.add_message(11, testing::MadeExtent(32, 32, 1));
  writer.add_message(13, MadeMetric(0, MadeDouble(200)));
  const Result<CounterReport> mended = OpenMade(MadeFileHeader() + MadeBlock({kernel}, {"launch__grid_size"}));
  EXPECT_EQ(mended->kernels()[0].grid, (Extent{20, 10, 1}));
  EXPECT_EQ(mended->kernels()[0].recorded_grid, (Extent{640, 320, 1}));
}

TEST(NcuRepImporterTest, CutAnywhereKeepsWholeKernelsOrRefuses) {
  const std::string whole = TwoKernels();
  for (size_t size = 0; size < whole.size(); ++size) {
    const Result<CounterReport> report = OpenMade(whole.substr(0, size));
    if (!report.ok()) {
      EXPECT_EQ(report.status().kind(), StatusKind::kUnreadable);
      EXPECT_EQ(report.status().message().find('\n'), std::string::npos);
      continue;
    }
    EXPECT_LE(report->kernels().size(), 2u);
    EXPECT_EQ(report->log().read(), report->log().kept() + report->log().repaired() + report->log().excluded());
  }
  const Result<CounterReport> cut = OpenMade(whole.substr(0, whole.size() - 1));
  ASSERT_TRUE(cut.ok());
  EXPECT_EQ(cut->kernels().size(), 1u);
  EXPECT_EQ(cut->log().count("file_cut"), 1);
}

TEST(NcuRepImporterTest, LengthsBeyondTheFileCostNothing) {
  std::string bombs = MadeFileHeader();
  std::string header;
  protozero::pbf_writer writer(header);
  writer.add_uint64(1, std::numeric_limits<uint64_t>::max());
  writer.add_uint64(2, std::numeric_limits<uint64_t>::max());
  writer.add_uint64(5, std::numeric_limits<uint64_t>::max());
  const Result<CounterReport> counts = OpenMade(bombs + SizedBytes(header));
  ASSERT_FALSE(counts.ok());
  EXPECT_EQ(counts.status().kind(), StatusKind::kUnreadable);
  const Result<CounterReport> huge_header = OpenMade(bombs + std::string("\xFF\xFF\xFF\xFF", 4) + "x");
  ASSERT_FALSE(huge_header.ok());
  EXPECT_NE(huge_header.status().message().find("4294967295 bytes"), std::string::npos);
  EXPECT_FALSE(OpenMade(std::string("NVR\0\xFF\xFF\xFF\xFF", 8)).ok());
}

TEST(NcuRepImporterTest, DamagedKernelsAreCountedAndLeftOut) {
  const std::string good = MadeKernel("good", {MadeMetric(0, MadeWhole(1)), MadeMetric(9, MadeWhole(1))});
  const Result<CounterReport> report =
      OpenMade(MadeFileHeader() + MadeBlock({std::string("\x6A\xFF\xFF\x7F", 4), good}, {"a"}));
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->kernels().size(), 1u);
  EXPECT_EQ(report->kernels()[0].id, 1);  // the number that the recorder's own pages give it
  EXPECT_EQ(report->log().count("kernel_damaged"), 1);
  EXPECT_EQ(report->log().count("metric_without_name"), 1);
  EXPECT_EQ(report->log().read(), 2);
  EXPECT_EQ(report->log().excluded(), 1);
}

TEST(NcuRepImporterTest, DeepNestingIsNotFollowed) {
  std::string deep;
  for (int i = 0; i < 2000; ++i) {
    std::string outer;
    protozero::pbf_writer(outer).add_message(5, deep);
    deep = std::move(outer);
  }
  std::string section;
  protozero::pbf_writer(section).add_message(5, deep);
  std::string kernel = MadeKernel("k", {});
  protozero::pbf_writer(kernel).add_message(17, section);
  protozero::pbf_writer(kernel).add_message(99, deep);
  const Result<CounterReport> report = OpenMade(MadeFileHeader() + MadeBlock({kernel}));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->kernels()[0].sections.size(), 1u);
}

TEST(NcuRepImporterTest, UnknownFormatVersionIsNoted) {
  const Result<CounterReport> report = OpenMade(MadeFileHeader(9) + MadeBlock({MadeKernel("k", {})}));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->log().count("format_version_unknown"), 1);
}

TEST(NcuRepImporterTest, FieldsOfAnotherTypeAreNothing) {
  std::string kernel;
  protozero::pbf_writer writer(kernel);
  writer.add_string(1, "a text, not a number");
  writer.add_uint64(7, 12);
  writer.add_double(13, 1.5);
  writer.add_uint64(22, 3);
  const Result<CounterReport> report = OpenMade(MadeFileHeader() + MadeBlock({kernel}));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->kernels()[0].full_name, "");
  EXPECT_EQ(report->kernels()[0].context, 3u);
}

TEST(NcuRepImporterTest, TimelinesAndCountersAreToldApart) {
  const std::string report = TwoKernels();
  const Result<Trace> trace = OpenTraceBytes(report, "made.ncu-rep", {});
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.status().kind(), StatusKind::kLacks);
  EXPECT_NE(trace.status().message().find("warpsight counters"), std::string::npos);
  const Result<CounterReport> counters = OpenMade(R"({"schemaVersion": 1, "traceEvents": []})");
  ASSERT_FALSE(counters.ok());
  EXPECT_EQ(counters.status().kind(), StatusKind::kLacks);
  const Result<CounterReport> neither = OpenMade("hello");
  ASSERT_FALSE(neither.ok());
  EXPECT_EQ(neither.status().kind(), StatusKind::kUnreadable);
}

// A result of no bytes takes four of the file, and would take four hundred of memory.
TEST(NcuRepImporterTest, EmptyResultsAreNoKernels) {
  std::vector<std::string> results(100'000);
  results.push_back(MadeKernel("k", {MadeMetric(0, MadeWhole(1))}));
  const Result<CounterReport> report = OpenMade(MadeFileHeader() + MadeBlock(results, {"a"}));
  ASSERT_TRUE(report.ok()) << report.status().message();
  ASSERT_EQ(report->kernels().size(), 1u);
  EXPECT_EQ(report->kernels()[0].id, 100'000) << "the number that ncu gives it";
  EXPECT_EQ(report->log().count("kernel_empty"), 100'000);
  EXPECT_EQ(report->log().excluded(), 100'000);
}

// What becomes of `count` fields `number` of a kernel, each with this content.
Status ManyOf(uint32_t number, const std::string& content, int count) {
  std::string kernel = MadeKernel("k", {});
  for (int i = 0; i < count; ++i) protozero::pbf_writer(kernel).add_message(number, content);
  return OpenMade(MadeFileHeader() + MadeBlock({kernel}, {"a"})).status();
}

TEST(NcuRepImporterTest, PartsThatCostMoreThanTheyTakeAreRefused) {
  for (const uint32_t number : {17u, 19u}) {  // sections, rules
    const Status status = ManyOf(number, "", 3'000'000);
    EXPECT_EQ(status.kind(), StatusKind::kUnreadable) << number;
    EXPECT_NE(status.message().find("more parts"), std::string::npos) << status.message();
    EXPECT_TRUE(ManyOf(number, "", 1000).ok()) << number;
  }
  EXPECT_FALSE(ManyOf(13, "", 5'000'000).ok()) << "metrics";
  // Many results of little, each a kernel.
  const std::vector<std::string> results(100'000, std::string(4, '\0').replace(0, 4, "\x52\x00\x5A\x00", 4) +
                                                      std::string("\x3A\x1E", 2) + std::string(30, 'k'));
  const Status kernels = OpenMade(MadeFileHeader() + MadeBlock(results)).status();
  EXPECT_EQ(kernels.kind(), StatusKind::kUnreadable);
}

// A kernel's table of metrics must not be as long as the file's table of names.
TEST(NcuRepImporterTest, ManyNamesAndManyKernelsAreNoProduct) {
  std::vector<std::string> names;
  for (int i = 0; i < 200'000; ++i) names.push_back("m" + std::to_string(i));
  const std::vector<std::string> kernels(20'000, MadeKernel("k", {MadeMetric(199'999, MadeWhole(7))}));
  const Result<CounterReport> report = OpenMade(MadeFileHeader() + MadeBlock(kernels, names));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->Number(report->kernels()[19'999], "m199999"), 7);
  EXPECT_EQ(report->Number(report->kernels()[19'999], "m5"), std::nullopt);
}

TEST(NcuRepImporterTest, ManyBlocksOfManyProcessesTakeNoSquare) {
  std::string bytes = MadeFileHeader();
  for (uint64_t i = 0; i < 100'000; ++i) {
    std::string process;
    protozero::pbf_writer(process).add_uint64(1, i);
    std::string header;
    protozero::pbf_writer(header).add_message(6, process);
    bytes += SizedBytes(header);
  }
  const Result<CounterReport> report = OpenMade(bytes + MadeBlock({MadeKernel("k", {})}));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->processes().size(), 100'000u);
}

TEST(NcuRepImporterTest, ValuesThatNoCounterCanHaveAreNotJudged) {
  const std::string peak = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
  const std::string time = "gpu__time_duration.sum";
  const double infinite = std::numeric_limits<double>::infinity();
  const Result<CounterReport> report =
      OpenMade(MadeFileHeader() +
               MadeBlock({MadeKernel("k", {MadeMetric(0, MadeDouble(1e308)), MadeMetric(1, MadeDouble(-5)),
                                           MadeMetric(2, MadeDouble(infinite)), MadeMetric(3, MadeDouble(101.5))})},
                         {peak, time, "ratio", "l2.pct_of_peak"}));
  ASSERT_TRUE(report.ok());
  const ProfiledKernel& kernel = report->kernels()[0];
  EXPECT_EQ(report->Number(kernel, peak), std::nullopt);
  EXPECT_EQ(report->Value(kernel, peak), CounterValue(std::string_view("1e+308"))) << "shown as it was written";
  EXPECT_EQ(report->Number(kernel, time), std::nullopt);
  EXPECT_EQ(report->Number(kernel, "ratio"), std::nullopt);
  EXPECT_EQ(report->Number(kernel, "l2.pct_of_peak"), 101.5);
  EXPECT_EQ(report->log().count("value_implausible"), 2);
  EXPECT_EQ(report->log().count("value_not_finite"), 1);
}

}  // namespace
}  // namespace warpsight
