#include "analysis/collective_kind.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace warpsight {
namespace {

TEST(CollectiveKindTest, EveryRowNamesItsSourceAndMatchesItsExamples) {
  const CollectiveKinds& kinds = CollectiveKinds::Embedded();
  std::set<std::string> seen;
  for (const CollectiveKind& kind : kinds.kinds()) {
    EXPECT_TRUE(seen.insert(kind.kind).second) << kind.kind;
    EXPECT_FALSE(kind.source.empty()) << kind.kind;
    EXPECT_FALSE(kind.examples.empty()) << kind.kind;
    for (const std::string& example : kind.examples) EXPECT_EQ(kinds.Match(example), &kind) << example;
    // A bandwidth needs both a byte count and a factor.
    EXPECT_EQ(kind.bytes == CollectiveBytes::kNone, kind.factor == BusFactor::kNone) << kind.kind;
  }
  std::set<std::string> types;
  for (const auto& [name, bytes] : kinds.elements()) EXPECT_TRUE(types.insert(name).second) << name;
}

TEST(CollectiveKindTest, UnknownNamesMatchNothing) {
  const CollectiveKinds& kinds = CollectiveKinds::Embedded();
  EXPECT_EQ(kinds.Match(""), nullptr);
  EXPECT_EQ(kinds.Match("ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)"), nullptr);
  EXPECT_EQ(kinds.Match("coalesced"), nullptr);
  EXPECT_EQ(kinds.ElementBytes(""), std::nullopt);
  EXPECT_EQ(kinds.ElementBytes("Quaternion"), std::nullopt);
}

TEST(CollectiveKindTest, WhichBytesAndWhichFactor) {
  const CollectiveKinds& kinds = CollectiveKinds::Embedded();
  const auto bytes = [&](const char* name, int64_t in, int64_t out) { return kinds.Match(name)->Bytes(in, out, 2); };
  EXPECT_EQ(bytes("allreduce", 100, 100), 200);
  EXPECT_EQ(bytes("_allgather_base", 100, 800), 1600);       // what is gathered
  EXPECT_EQ(bytes("_reduce_scatter_base", 800, 100), 1600);  // what is scattered
  EXPECT_EQ(bytes("all_to_all", 640, 512), 1280);            // what is sent
  EXPECT_EQ(bytes("broadcast", 0, 100), 200);
  EXPECT_EQ(bytes("send", 100, -1), 200);
  EXPECT_EQ(bytes("barrier", 1, 1), std::nullopt);
  EXPECT_EQ(bytes("allreduce", -1, 100), std::nullopt);
  EXPECT_EQ(bytes("allreduce", 0, 0), std::nullopt);
  EXPECT_EQ(bytes("allreduce", std::numeric_limits<int64_t>::max(), 1), std::nullopt);

  const auto factor = [&](const char* name, int64_t ranks) { return kinds.Match(name)->Factor(ranks); };
  EXPECT_DOUBLE_EQ(factor("allreduce", 8).value(), 1.75);
  EXPECT_DOUBLE_EQ(factor("allreduce", 2).value(), 1.0);
  EXPECT_DOUBLE_EQ(factor("_allgather_base", 8).value(), 0.875);
  EXPECT_DOUBLE_EQ(factor("_reduce_scatter_base", 4).value(), 0.75);
  EXPECT_DOUBLE_EQ(factor("all_to_allv", 4).value(), 0.75);
  EXPECT_DOUBLE_EQ(factor("broadcast", 4).value(), 1.0);
  EXPECT_DOUBLE_EQ(factor("_reduce_oop", 4).value(), 1.0);
  EXPECT_EQ(factor("allreduce", 1), std::nullopt);   // one rank: nothing travels
  EXPECT_EQ(factor("allreduce", -1), std::nullopt);  // not recorded
  EXPECT_EQ(factor("barrier", 8), std::nullopt);
}

}  // namespace
}  // namespace warpsight
