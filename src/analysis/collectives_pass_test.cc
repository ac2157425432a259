#include "analysis/collectives_pass.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "analysis/collective_facts.h"
#include "analysis/collectives_document.h"
#include "analysis/hand_made_trace.h"
#include "analysis/steps_pass.h"

namespace warpsight {
namespace {

CollectivesResult Collectives(const Trace& trace, Selection selection = {}) {
  Analysis analysis(trace, selection);
  const Result<CollectivesResult>& result = analysis.Get<CollectivesPass>();
  EXPECT_TRUE(result.ok());
  return *result;
}

constexpr std::string_view kAllReduce = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

TEST(CollectivesPassTest, BytesAndBandwidth) {
  HandMadeTrace make;
  make.Collective(kAllReduce, {0, 1000}, {.in_elements = 500'000, .out_elements = 500'000, .group_size = 4});
  make.Collective(kAllReduce, {2000, 5000}, {.in_elements = 500'000, .out_elements = 500'000, .group_size = 4});
  const Trace trace = make.Seal();
  const CollectivesResult result = Collectives(trace);
  ASSERT_EQ(result.rows.size(), 1u);
  const CollectiveRow& row = result.rows[0];
  EXPECT_EQ(row.kind->kind, "all_reduce");
  EXPECT_EQ(row.bytes, 1'000'000);
  EXPECT_EQ(row.calls, 2);
  EXPECT_EQ(row.total_ns, 4000);
  EXPECT_EQ(row.mean_ns, 2000);
  EXPECT_EQ(row.median_ns, 2000);
  EXPECT_EQ(row.min_ns, 1000);
  EXPECT_EQ(row.max_ns, 3000);
  EXPECT_EQ(row.group, "0");
  EXPECT_DOUBLE_EQ(row.AlgorithmBytesPerSecond(row.min_ns).value(), 1e12);  // 1 MB in 1 us
  EXPECT_DOUBLE_EQ(row.BusBytesPerSecond(row.mean_ns).value(), 0.75e12);    // 0.5e12 x 2 x 3/4
  EXPECT_EQ(row.BusBytesPerSecond(std::nullopt), std::nullopt);
  EXPECT_EQ(row.BusBytesPerSecond(0), std::nullopt);
}

TEST(CollectivesPassTest, ExposedIsWhereNothingElseRan) {
  HandMadeTrace make;
  make.Kernel("gemm", {0, 100});
  make.Kernel("gemm", {150, 170});
  make.OnStream(9).Collective(kAllReduce, {50, 200}, {});
  make.OnStream(11).Copy(CopyKind::kDeviceToDevice, {190, 260});
  const Trace trace = make.Seal();
  const CollectivesResult result = Collectives(trace);
  ASSERT_EQ(result.devices.size(), 1u);
  const CollectiveTime& time = result.devices[0];
  EXPECT_EQ(time.collective_ns, 150);
  EXPECT_EQ(time.exposed_ns, 70);  // [100, 150) and [170, 190)
  EXPECT_EQ(time.overlapped_ns, 80);
  EXPECT_EQ(time.busy_ns, 260);
  EXPECT_EQ(result.rows[0].exposed_ns, 70);
  EXPECT_FALSE(time.link_bytes_per_s.has_value());

  const CollectivesResult cut = Collectives(trace, {Interval{160, 180}, std::nullopt});
  EXPECT_EQ(cut.rows[0].total_ns, 20);
  EXPECT_EQ(cut.rows[0].exposed_ns, 10);
  EXPECT_EQ(cut.rows[0].calls, 0);  // it starts before
  EXPECT_EQ(cut.rows[0].mean_ns, std::nullopt);
  EXPECT_TRUE(cut.calls.empty());
}

TEST(CollectivesPassTest, WithoutMetadataBytesAreAbsent) {
  HandMadeTrace make;
  make.Kernel("void vllm::cross_device_reduce_1stage<__half, 8>(vllm::RankData*)", {0, 10});
  make.Kernel("ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", {20, 50});
  make.Collective(kAllReduce, {60, 100}, {.name = "coalesced", .in_elements = 0, .out_elements = 0});
  make.Collective(kAllReduce, {110, 120}, {.dtype = "Quaternion"});
  const Trace trace = make.Seal();
  const CollectivesResult result = Collectives(trace);
  ASSERT_EQ(result.rows.size(), 4u);
  for (const CollectiveRow& row : result.rows) {
    EXPECT_EQ(row.bytes, std::nullopt) << row.name;
    EXPECT_EQ(row.BusBytesPerSecond(row.mean_ns), std::nullopt) << row.name;
  }
  EXPECT_EQ(CollectiveName(result.rows[0]), "all_reduce");  // told by the kernel
  EXPECT_EQ(result.rows[1].kind, nullptr);
  EXPECT_EQ(result.rows[1].name, "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)");
  const Document document = MakeCollectivesDocument(result, {});
  EXPECT_TRUE(document.data["rows"][0]["bytes"].is_null());
  EXPECT_TRUE(document.data["rows"][0]["busbw_bytes_per_s"].is_null());
  EXPECT_TRUE(document.data["devices"][0]["link_bytes_per_s"].is_null());
}

TEST(CollectivesPassTest, TheOpThatLaunchedItTellsTheBytes) {
  HandMadeTrace make;
  const auto op = [&](std::string_view name, std::string_view shapes, std::string_view types, Interval time) {
    HostEventRow row;
    row.kind = HostKind::kOp;
    row.name = make.builder().Intern(name);
    row.shapes = make.builder().Intern(shapes);
    row.types = make.builder().Intern(types);
    row.thread = make.builder().names().InternThread("1", "1");
    row.start_ns = time.start;
    row.duration_ns = time.duration();
    make.builder().Add(row);
  };
  op("symm_mem::multimem_all_reduce_", "[[2557440], [], []]", "[\"c10::BFloat16\", \"\", \"\"]", {0, 10});
  make.Api("cudaLaunchKernel", {2, 5}, 1);
  make.Kernel("void multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)", {20, 30}, 1);
  op("c10d::alltoall_base_", "[[384], [384]]", "[\"long\", \"long\"]", {100, 130});
  op("nccl:all_to_all", "[[384]]", "[\"long\"]", {105, 125});
  make.Api("cudaLaunchKernel", {110, 115}, 2);
  make.Kernel("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)", {120, 125}, 2);
  // An op that merely holds a collective of another kind tells nothing.
  op("aten::reduce_something", "[[10]]", "[\"float\"]", {200, 220});
  make.Api("cudaLaunchKernel", {205, 210}, 3);
  make.Kernel("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)", {220, 222}, 3);
  const Trace trace = make.Seal();
  const CollectivesResult result = Collectives(trace);
  ASSERT_EQ(result.rows.size(), 3u);
  EXPECT_EQ(result.rows[0].bytes, 2 * 2557440);
  EXPECT_EQ(result.rows[0].dtype, "BFloat16");
  EXPECT_EQ(result.rows[0].group_size, std::nullopt);
  EXPECT_EQ(CollectiveName(result.rows[1]), "all_to_all");
  EXPECT_EQ(result.rows[1].bytes, 8 * 384);
  EXPECT_EQ(CollectiveName(result.rows[2]), "send_recv");
  EXPECT_EQ(result.rows[2].bytes, std::nullopt);
}

TEST(CollectivesPassTest, RowsKeepGroupsApartAndCountPerStep) {
  HandMadeTrace make;
  for (int step = 0; step < 2; ++step) {
    const Ns at = step * 1000;
    make.Range("ProfilerStep#" + std::to_string(step), {at, at + 1000});
    for (uint32_t i = 0; i < 3; ++i) {
      const uint32_t correlation = static_cast<uint32_t>(step) * 10 + i + 1;
      make.Api("cudaLaunchKernel", {at + 10 * i, at + 10 * i + 5}, correlation);
      // Runs after the step that launched it.
      make.Collective(kAllReduce, {at + 5000 + 10 * i, at + 5000 + 10 * i + 10}, {.group = i == 2 ? "1" : "0"}, correlation);
    }
  }
  const Trace trace = make.Seal();
  const CollectivesResult result = Collectives(trace);
  ASSERT_EQ(result.rows.size(), 2u);
  EXPECT_EQ(result.rows[0].calls_per_step, 2.0);
  EXPECT_EQ(result.rows[1].calls_per_step, 1.0);
  ASSERT_EQ(result.calls.size(), 6u);
  EXPECT_EQ(result.calls[0].step, 0);
  EXPECT_EQ(result.calls[5].step, 1);
  EXPECT_EQ(result.calls[2].row, 1u);
}

TEST(CollectivesPassTest, NoCollectivesIsAnAnswerAndNoGpuWorkIsNot) {
  HandMadeTrace make;
  make.Kernel("gemm", {0, 100});
  const Trace trace = make.Seal();
  EXPECT_TRUE(Collectives(trace).rows.empty());

  HandMadeTrace empty;
  empty.Op("aten::add", {0, 10});
  const Trace nothing = empty.Seal();
  Analysis analysis(nothing, {});
  EXPECT_EQ(analysis.Get<CollectivesPass>().status().kind(), StatusKind::kLacks);
}

TEST(CollectivesPassTest, RandomTracesAgreeWithAnArrayOfNanoseconds) {
  std::mt19937 random(7);
  const auto number = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
  constexpr Ns kEnd = 400;
  for (int round = 0; round < 200; ++round) {
    HandMadeTrace make;
    std::vector<int> collectives(kEnd);
    std::vector<int> others(kEnd);
    std::vector<Interval> calls;
    for (int i = 0, rows = number(1, 25); i < rows; ++i) {
      const Ns start = number(0, kEnd - 60);
      const Interval time{start, start + number(0, 60)};
      const bool collective = i == 0 || number(0, 1) == 1;
      make.OnStream(number(1, 4));
      if (collective) {
        make.Collective(kAllReduce, time, {});
        calls.push_back(time);
      } else {
        make.Kernel("gemm", time);
      }
      for (Ns at = time.start; at < time.end; ++at) ++(collective ? collectives : others)[static_cast<size_t>(at)];
    }
    const Trace trace = make.Seal();
    const Ns from = number(0, kEnd / 2);
    const Interval window{from, from + number(1, kEnd / 2)};
    const CollectivesResult result = Collectives(trace, {window, std::nullopt});
    Ns exposed = 0;
    Ns all = 0;
    Ns by_call = 0;
    for (Ns at = window.start; at < window.end && at < kEnd; ++at) {
      const size_t i = static_cast<size_t>(at);
      all += collectives[i] > 0 ? 1 : 0;
      exposed += collectives[i] > 0 && others[i] == 0 ? 1 : 0;
      for (const Interval call : calls) by_call += call.Contains(at) && others[i] == 0 ? 1 : 0;
    }
    ASSERT_EQ(result.devices.size(), 1u);
    EXPECT_EQ(result.devices[0].collective_ns, all);
    EXPECT_EQ(result.devices[0].exposed_ns, exposed);
    Ns rows = 0;
    for (const CollectiveRow& row : result.rows) rows += row.exposed_ns;
    EXPECT_EQ(rows, by_call);
  }
}

TEST(CollectiveFactsTest, OperandsAndRankLists) {
  EXPECT_EQ(FirstOperandSize("[[2, 3], [4]]")->elements, 6);
  EXPECT_EQ(FirstOperandSize("[[], [5]]")->elements, 5);
  EXPECT_EQ(FirstOperandSize("[[], [5]]")->operand, 1u);
  EXPECT_EQ(FirstOperandSize("[[[2, 3], [4]], []]")->elements, 10);  // a list of tensors
  EXPECT_FALSE(FirstOperandSize("").has_value());
  EXPECT_FALSE(FirstOperandSize("[]").has_value());
  EXPECT_FALSE(FirstOperandSize("[[], []]").has_value());
  EXPECT_FALSE(FirstOperandSize("[[0, 5]]").has_value());
  EXPECT_FALSE(FirstOperandSize("[[9223372036854775807, 2]]").has_value());
  EXPECT_FALSE(FirstOperandSize("[[99999999999999999999]]").has_value());
  EXPECT_FALSE(FirstOperandSize("[[2, 3").has_value());  // cut off
  EXPECT_EQ(OperandType("[\"float\", \"Scalar\"]", 1), "Scalar");
  EXPECT_EQ(OperandType("[\"float\"]", 1), "");
  EXPECT_EQ(OperandType("[\"flo", 0), "");
  EXPECT_EQ(CountRanks("[0, 1, 12]"), 3);
  EXPECT_EQ(CountRanks("[0, 1, ...]"), std::nullopt);
  EXPECT_EQ(CountRanks("[]"), std::nullopt);
  EXPECT_EQ(CountRanks(""), std::nullopt);
}

}  // namespace
}  // namespace warpsight
