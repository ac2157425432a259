#include "analysis/ops_document.h"

#include <gtest/gtest.h>

#include "analysis/kernels_document.h"

namespace warpsight {
namespace {

KeyAverageRow MakeRow(std::string_view name, KeyAverageKind kind, int64_t calls, std::optional<Ns> cpu_ns,
                      std::optional<Ns> gpu_ns) {
  KeyAverageRow row;
  row.name = name;
  row.kind = kind;
  row.calls = calls;
  row.self_cpu_ns = row.cpu_ns = cpu_ns;
  row.self_gpu_ns = row.gpu_ns = gpu_ns;
  return row;
}

KeyAverages Sample() {
  KeyAverages averages;
  averages.rows = {MakeRow("cudaLaunchKernel", KeyAverageKind::kApi, 9, 500, std::nullopt),
                   MakeRow("aten::mm", KeyAverageKind::kOp, 3, 100, 40),
                   MakeRow("ProfilerStep*", KeyAverageKind::kAnnotation, 1, 900, 0),
                   MakeRow("void gemm<float>(float*)", KeyAverageKind::kKernel, 3, std::nullopt, 40),
                   MakeRow("aten::add", KeyAverageKind::kOp, 2, 200, 10)};
  averages.rows[2].gpu_projection_ns = 60;
  averages.total_self_cpu_ns = 800;
  averages.total_self_gpu_ns = 50;
  return averages;
}

std::vector<std::string> Names(const Document& document) {
  std::vector<std::string> names;
  for (const auto& row : document.data["rows"]) names.push_back(row["name"]);
  return names;
}

TEST(OpsDocumentTest, JsonFollowsTheContract) {
  const Document document = MakeOpsDocument(Sample(), {});
  EXPECT_EQ(document.verb, "ops");
  EXPECT_EQ(document.data["total_self_cpu_ns"], 800);
  EXPECT_EQ(document.data["total_self_gpu_ns"], 50);
  const nlohmann::ordered_json& op = document.data["rows"][0];
  EXPECT_EQ(op["name"], "aten::mm");
  EXPECT_EQ(op["kind"], "op");
  EXPECT_TRUE(op["shapes"].is_null());
  EXPECT_FALSE(op.contains("gpu_projection_ns"));
  const nlohmann::ordered_json& kernel = document.data["rows"][1];
  EXPECT_TRUE(kernel["cpu_ns"].is_null());
  EXPECT_EQ(kernel["name"], "void gemm<float>(float*)");
  EXPECT_EQ(document.data["rows"][4]["gpu_projection_ns"], 60);
}

TEST(OpsDocumentTest, SortsLargestFirstAbsentLaterAnnotationsLast) {
  const std::vector<std::string> by_gpu = {"aten::mm", "void gemm<float>(float*)", "aten::add", "cudaLaunchKernel",
                                           "ProfilerStep*"};
  EXPECT_EQ(Names(MakeOpsDocument(Sample(), {})), by_gpu);
  const std::vector<std::string> by_cpu = {"cudaLaunchKernel", "aten::add", "aten::mm", "void gemm<float>(float*)",
                                           "ProfilerStep*"};
  EXPECT_EQ(Names(MakeOpsDocument(Sample(), {.sort = OpsSort::kCpu})), by_cpu);
  EXPECT_EQ(Names(MakeOpsDocument(Sample(), {.sort = OpsSort::kCount})).front(), "cudaLaunchKernel");
  EXPECT_EQ(ParseOpsSort("self-cpu"), OpsSort::kSelfCpu);
  EXPECT_EQ(ParseOpsSort("time"), std::nullopt);
}

TEST(OpsDocumentTest, OneTableWhoseSharesAreOfGpuWork) {
  const Document document = MakeOpsDocument(Sample(), {.limit = 4});
  EXPECT_EQ(document.data["rows"].size(), 4u);
  const Result<const Table*> table = OnlyTable(document);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ((*table)->rows.size(), 4u);
  EXPECT_NE((*table)->footnote, "");
  EXPECT_EQ((*table)->columns[7].key, "self_gpu_share");
  EXPECT_EQ(std::get<double>((*table)->rows[0][7]), 0.8);
  EXPECT_EQ(std::get<std::string>((*table)->rows[1][0]), "gemm<float>");  // short in the table
}

TEST(KernelsDocumentTest, JsonFollowsTheContract) {
  KernelsResult kernels;
  kernels.gpu_work_ns = 100;
  kernels.gpu_busy_ns = 80;
  kernels.rows.resize(2);
  kernels.rows[0].name = "void gemm<float>(float*)";
  kernels.rows[0].calls = 2;
  kernels.rows[0].total_ns = 70;
  kernels.rows[0].gpu_share = 0.7;
  kernels.rows[0].mean_ns = 35;
  kernels.rows[0].family = "gemm";
  kernels.rows[1].total_ns = 30;
  const Document document = MakeKernelsDocument(kernels, {.limit = 1});
  ASSERT_EQ(document.data["rows"].size(), 1u);
  const nlohmann::ordered_json& row = document.data["rows"][0];
  EXPECT_EQ(row["name"], "void gemm<float>(float*)");
  EXPECT_EQ(row["mean_ns"], 35);
  EXPECT_TRUE(row["calls_per_step"].is_null());
  EXPECT_TRUE(row["part"].is_null());
  EXPECT_EQ(row["family"], "gemm");
  EXPECT_EQ(document.data["gpu_busy_ns"], 80);
  ASSERT_TRUE(OnlyTable(document).ok());
  EXPECT_NE((*OnlyTable(document))->footnote.find("30.0 %"), std::string::npos) << (*OnlyTable(document))->footnote;
}

}  // namespace
}  // namespace warpsight
