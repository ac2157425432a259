#include "server/api/event_facts.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/open_trace.h"

namespace warpsight::server {
namespace {

std::string FactOf(const Json& facts, std::string_view word) {
  for (const Json& fact : facts) {
    if (fact[0] == word) return fact[1].is_string() ? fact[1].get<std::string>() : fact[1].dump();
  }
  return "absent";
}

// A kernel with these facts, of 384 threads unless another block is given, launched by an op, on a device of this compute
// capability.
Json FactsOfKernel(const std::string& args, int64_t major, const std::string& block = "[384, 1, 1]") {
  const std::string text = R"({"deviceProperties": [{"id": 0, "name": "GPU", "computeMajor": )" + std::to_string(major) +
                           R"(, "computeMinor": 0}],
"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 9,
 "args": {"External id": 5, "Input Dims": [[1, 8], [8, 4]], "Input type": ["float", "float"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 2,
 "args": {"correlation": 7, "External id": 5}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 20, "dur": 5,
 "args": {"device": 0, "stream": 7, "correlation": 7, "External id": 5, "grid": [4, 8, 1], "block": )" +
                           block + args + "}}]}";
  const Result<Trace> trace = OpenTraceBytes(text, "made.json", {});
  EXPECT_TRUE(trace.ok());
  return WorkFactsOf(*trace, 0);
}

TEST(EventFactsTest, AKernelHasTheOccupancyThatItsLimitsAllow) {
  // 168 registers take 5,376 of a warp: 12 of 64 warps, one block; its 164 KB of shared memory allow one too.
  const Json both = FactsOfKernel(R"(, "registers per thread": 168, "shared memory": 164308)", 9);
  EXPECT_EQ(FactOf(both, "theoretical occupancy"), "18.75 %, limited by registers, shared memory");
  const Json registers = FactsOfKernel(R"(, "registers per thread": 168, "shared memory": 0)", 9);
  EXPECT_EQ(FactOf(registers, "theoretical occupancy"), "18.75 %, limited by registers");
  // 12 warps a block: 5 blocks of 64 warps.
  const Json warps = FactsOfKernel(R"(, "registers per thread": 16, "shared memory": 0)", 9);
  EXPECT_EQ(FactOf(warps, "theoretical occupancy"), "93.75 %, limited by warps");
}

TEST(EventFactsTest, WithoutRegistersOrAKnownDeviceThereIsNoOccupancy) {
  EXPECT_EQ(FactOf(FactsOfKernel("", 9), "theoretical occupancy"), "absent");
  EXPECT_EQ(FactOf(FactsOfKernel(R"(, "registers per thread": 16)", -3), "theoretical occupancy"), "absent");
  EXPECT_EQ(FactOf(FactsOfKernel(R"(, "registers per thread": 100000)", 9), "theoretical occupancy"), "absent");
}

TEST(EventFactsTest, SizesThatNoDeviceHasGiveNoOccupancy) {
  const std::string registers = R"(, "registers per thread": 16)";
  for (const char* const block : {"[2147483647, 2147483647, 2147483647]", "[0, 0, 0]", "[1024, 2, 1]"})
    EXPECT_EQ(FactOf(FactsOfKernel(registers, 9, block), "theoretical occupancy"), "absent") << block;
  EXPECT_EQ(FactOf(FactsOfKernel(registers, 2147483647), "theoretical occupancy"), "absent");
}

TEST(EventFactsTest, AKernelHasTheShapesOfItsOp) {
  const Json facts = FactsOfKernel("", 9);
  EXPECT_EQ(FactOf(facts, "shapes of its op"), "[[1, 8], [8, 4]]");
  EXPECT_EQ(FactOf(facts, "types of its op"), R"(["float", "float"])");
  EXPECT_EQ(FactOf(facts, "source").empty(), false);
}

}  // namespace
}  // namespace warpsight::server
