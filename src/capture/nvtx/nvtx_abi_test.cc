// NVTX's tables as we declare them, against its headers where they are installed.
#include "capture/nvtx/nvtx_abi.h"

#include <gtest/gtest.h>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

#include <cstddef>

namespace warpsight::capture::nvtx {
namespace {

using Theirs = nvtxEventAttributes_t;
static_assert(sizeof(EventAttributes) == sizeof(Theirs));
static_assert(offsetof(EventAttributes, category) == offsetof(Theirs, category));
static_assert(offsetof(EventAttributes, color_type) == offsetof(Theirs, colorType));
static_assert(offsetof(EventAttributes, color) == offsetof(Theirs, color));
static_assert(offsetof(EventAttributes, payload) == offsetof(Theirs, payload));
static_assert(offsetof(EventAttributes, message_type) == offsetof(Theirs, messageType));
static_assert(offsetof(EventAttributes, message) == offsetof(Theirs, message));

template <typename Ours, typename Number>
constexpr bool Same(Ours ours, Number theirs) {
  return static_cast<uint32_t>(ours) == static_cast<uint32_t>(theirs);
}
static_assert(Same(Module::kCore, NVTX_CB_MODULE_CORE) && Same(Module::kCore2, NVTX_CB_MODULE_CORE2));
static_assert(Same(CoreCall::kMarkEx, NVTX_CBID_CORE_MarkEx) && Same(CoreCall::kMarkW, NVTX_CBID_CORE_MarkW));
static_assert(Same(CoreCall::kRangeStartEx, NVTX_CBID_CORE_RangeStartEx) &&
              Same(CoreCall::kRangeEnd, NVTX_CBID_CORE_RangeEnd));
static_assert(Same(CoreCall::kRangePushEx, NVTX_CBID_CORE_RangePushEx) &&
              Same(CoreCall::kRangePop, NVTX_CBID_CORE_RangePop));
static_assert(Same(CoreCall::kNameCategoryA, NVTX_CBID_CORE_NameCategoryA));
static_assert(Same(CoreCall::kNameOsThreadA, NVTX_CBID_CORE_NameOsThreadA));
static_assert(Same(Core2Call::kDomainMarkEx, NVTX_CBID_CORE2_DomainMarkEx));
static_assert(Same(Core2Call::kDomainRangePushEx, NVTX_CBID_CORE2_DomainRangePushEx));
static_assert(Same(Core2Call::kDomainRangePop, NVTX_CBID_CORE2_DomainRangePop));
static_assert(Same(Core2Call::kDomainRegisterStringA, NVTX_CBID_CORE2_DomainRegisterStringA));
static_assert(Same(Core2Call::kDomainCreateA, NVTX_CBID_CORE2_DomainCreateA));
static_assert(Same(Core2Call::kDomainDestroy, NVTX_CBID_CORE2_DomainDestroy));
static_assert(kCallbacksTable == NVTX_ETID_CALLBACKS);
static_assert(sizeof(CallbacksTable) == sizeof(NvtxExportTableCallbacks));

TEST(NvtxAbiTest, OursIsTheHeaders) { SUCCEED() << "checked by the compiler"; }

}  // namespace
}  // namespace warpsight::capture::nvtx

#else

TEST(NvtxAbiTest, OursIsTheHeaders) { GTEST_SKIP() << "there is no nvtx3/nvToolsExt.h on this machine"; }

#endif
