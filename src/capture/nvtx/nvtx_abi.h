// NVTX's binary interface, declared by ourselves (see nvtx_calls.h for the source).
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsight::capture::nvtx {

enum class Module : uint32_t { kCore = 1, kCuda = 2, kCudaRuntime = 4, kCore2 = 5 };

enum class CoreCall : uint32_t {
  kMarkEx = 1,
  kMarkA = 2,
  kMarkW = 3,
  kRangeStartEx = 4,
  kRangeStartA = 5,
  kRangeStartW = 6,
  kRangeEnd = 7,
  kRangePushEx = 8,
  kRangePushA = 9,
  kRangePushW = 10,
  kRangePop = 11,
  kNameCategoryA = 12,
  kNameOsThreadA = 14,
};

enum class Core2Call : uint32_t {
  kDomainMarkEx = 1,
  kDomainRangeStartEx = 2,
  kDomainRangeEnd = 3,
  kDomainRangePushEx = 4,
  kDomainRangePop = 5,
  kDomainNameCategoryA = 8,
  kDomainRegisterStringA = 10,
  kDomainRegisterStringW = 11,
  kDomainCreateA = 12,
  kDomainCreateW = 13,
  kDomainDestroy = 14,
};

inline constexpr uint32_t kCallbacksTable = 1;

using AnyFunction = void (*)();

struct CallbacksTable {
  size_t struct_size;
  // The functions of a module: an array of pointers to the places that hold them, some null.
  int (*GetModuleFunctionTable)(uint32_t module, AnyFunction*** table, unsigned int* size);
};

enum class PayloadType : int32_t { kNone = 0, kUint64 = 1, kInt64 = 2, kDouble = 3, kUint32 = 4, kInt32 = 5, kFloat = 6 };

// nvtxEventAttributes_t; `size` of an older NVTX may be smaller, never below this.
struct EventAttributes {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t color_type;  // 0 = none, 1 = ARGB
  uint32_t color;
  int32_t payload_type;  // PayloadType, or one of an extension of NVTX
  int32_t reserved;
  uint64_t payload;      // the first bytes of it, in those of 32 bits
  int32_t message_type;  // 0 = none, 1 = ASCII, 2 = wide, 3 = registered
  union {
    const char* ascii;
    const wchar_t* wide;
    const void* registered;
  } message;
};
static_assert(sizeof(EventAttributes) == 48);

}  // namespace warpsight::capture::nvtx
