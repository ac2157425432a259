// The functions that we declare ourselves, against NVIDIA's header where it is installed.
#include <gtest/gtest.h>

#if __has_include(<nccl.h>)
#include <nccl.h>

#include "calls/libraries/data_type.h"
#include "calls/libraries/nccl_list.h"
#include "calls/same_abi.h"

namespace warpsight::calls::nccl {
namespace {

#define WARPSIGHT_SAME(name, Type, count, sizes) static_assert(SameAbi<decltype(::name), Type>::value, #name);
WARPSIGHT_NCCL_LIST(WARPSIGHT_SAME)
static_assert(SameAbi<decltype(::ncclGroupStart), Group>::value && SameAbi<decltype(::ncclGroupEnd), Group>::value);
static_assert(SameAbi<decltype(::ncclCommCount), AskCommunicator>::value);
static_assert(SameAbi<decltype(::ncclCommUserRank), AskCommunicator>::value);
static_assert(sizeof(UniqueId) == sizeof(ncclUniqueId));

static_assert(kNcclTypes[ncclInt8].word == "i8" && kNcclTypes[ncclUint64].word == "u64");
static_assert(kNcclTypes[ncclFloat16].word == "f16" && kNcclTypes[ncclFloat32].word == "f32");
static_assert(kNcclTypes[ncclFloat64].word == "f64" && kNcclTypes[ncclBfloat16].word == "bf16");
static_assert(ncclSum == 0 && ncclProd == 1 && ncclMax == 2 && ncclMin == 3 && ncclAvg == 4);

TEST(NcclAbiTest, OursIsTheHeader) { SUCCEED() << "checked by the compiler against NCCL " << NCCL_VERSION_CODE; }

}  // namespace
}  // namespace warpsight::calls::nccl

#else

TEST(NcclAbiTest, OursIsTheHeader) { GTEST_SKIP() << "there is no nccl.h on this machine"; }

#endif
