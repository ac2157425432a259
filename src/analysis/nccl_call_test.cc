#include "analysis/nccl_call.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

constexpr std::string_view kSizes = "count=1000 bf16 bytes=2000 op=sum ranks=8 rank=3";

TEST(NcclCallTest, CountsAreOfOneRank) {
  const auto elements = [](std::string_view function) {
    const std::optional<NcclCall> call = ReadNcclCall(function, kSizes);
    return call ? std::pair(call->in_elements, call->out_elements) : std::pair<int64_t, int64_t>(-1, -1);
  };
  EXPECT_EQ(elements("ncclAllReduce"), std::pair(int64_t{1000}, int64_t{1000}));
  EXPECT_EQ(elements("ncclReduceScatter"), std::pair(int64_t{8000}, int64_t{1000}));
  EXPECT_EQ(elements("ncclAllGather"), std::pair(int64_t{1000}, int64_t{8000}));
  EXPECT_EQ(elements("ncclAlltoAll"), std::pair(int64_t{8000}, int64_t{8000}));
  EXPECT_EQ(elements("ncclBroadcast"), std::pair(int64_t{1000}, int64_t{1000}));
  const std::optional<NcclCall> call = ReadNcclCall("ncclAllReduce", kSizes);
  EXPECT_EQ(call->dtype, "bf16");
  EXPECT_EQ(call->element_bytes, 2);
  EXPECT_EQ(call->ranks, 8);
}

TEST(NcclCallTest, TextsThatDoNotSayAllOfItSayNothing) {
  for (const std::string_view sizes :
       {"", "ranks=8 rank=0", "count=10 f16 ranks=2", "count=0 f16 bytes=0 ranks=2", "count=3 f16 bytes=7 ranks=2",
        "count=10 f16 bytes=20", "count=9223372036854775807 i8 bytes=9223372036854775807 ranks=2", "count=x bytes=y ranks=z",
        "count=-4 f16 bytes=-8 ranks=2", "xcount=10 bytes=20 ranks=2"})
    EXPECT_FALSE(ReadNcclCall("ncclAllGather", sizes)) << sizes;
}

}  // namespace
}  // namespace warpsight
