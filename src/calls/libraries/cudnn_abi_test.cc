// The functions that we declare ourselves, against NVIDIA's headers where they are installed.
#include <gtest/gtest.h>

#if __has_include(<cudnn.h>)
#include <cudnn.h>

#include "calls/libraries/cudnn_list.h"
#include "calls/same_abi.h"

namespace warpsight::calls::cudnn {
namespace {

#define WARPSIGHT_SAME(name, Type, count, sizes) static_assert(SameAbi<decltype(::name), Type>::value, #name);
WARPSIGHT_CUDNN_LIST(WARPSIGHT_SAME)

TEST(CudnnAbiTest, OursIsTheHeaders) { SUCCEED() << "checked by the compiler against cuDNN " << CUDNN_VERSION; }

}  // namespace
}  // namespace warpsight::calls::cudnn

#else

TEST(CudnnAbiTest, OursIsTheHeaders) { GTEST_SKIP() << "there are no headers of cuDNN on this machine"; }

#endif
