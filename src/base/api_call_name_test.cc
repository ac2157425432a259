#include "base/api_call_name.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(ApiCallNameTest, VersionsOfCudaAreLeftOut) {
  EXPECT_EQ(WithoutCudaVersion("cudaLaunchKernel_v7000"), "cudaLaunchKernel");
  EXPECT_EQ(WithoutCudaVersion("cuMemAlloc_v2"), "cuMemAlloc_v2");
  EXPECT_EQ(WithoutCudaVersion("12345"), "12345");
  EXPECT_EQ(WithoutCudaVersion(""), "");
}

}  // namespace
}  // namespace warpsight
