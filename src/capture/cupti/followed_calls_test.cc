#include "capture/cupti/followed_calls.h"

#include <gtest/gtest.h>

namespace warpsight::capture::cupti {
namespace {

TEST(FollowedCallsTest, QuestionsAreNotFollowed) {
  for (const char* name : {"cudaGetDevice_v3020", "cudaGetLastError_v3020", "cudaDeviceGetAttribute_v5000",
                           "cudaStreamIsCapturing_v10000", "cudaStreamGetCaptureInfo_v2_v11030", "cudaSetDevice_v3020"})
    EXPECT_FALSE(IsRuntimeCallFollowed(name)) << name;
  for (const char* name :
       {"cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020", "cudaMalloc_v3020", "cudaStreamSynchronize_v3020",
        "cudaGraphLaunch_v10000", "cudaEventQuery_v3020", "cudaDeviceSynchronize_v3020"})
    EXPECT_TRUE(IsRuntimeCallFollowed(name)) << name;
}

TEST(FollowedCallsTest, OfTheDriverOnlyWorkIs) {
  for (const char* name : {"cuLaunchKernel", "cuLaunchKernelEx", "cuGraphLaunch", "cuMemcpyHtoDAsync_v2", "cuMemAlloc_v2",
                           "cuStreamSynchronize", "cuModuleLoadData"})
    EXPECT_TRUE(IsDriverCallFollowed(name)) << name;
  for (const char* name : {"cuKernelGetName", "cuCtxGetCurrent", "cuDevicePrimaryCtxGetState", "cuGetProcAddress_v2"})
    EXPECT_FALSE(IsDriverCallFollowed(name)) << name;
}

}  // namespace
}  // namespace warpsight::capture::cupti
