// Words for the element types of cuBLAS (cudaDataType) and NCCL (ncclDataType_t). Source: library_types.h, nccl.h; the
// abi tests compare them with the headers where they are installed.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace warpsight::calls {

inline constexpr std::string_view kCudaTypes[] = {
    "f32", "f64",  "f16",  "i8",    "cf32",   "cf64",   "cf16",   "ci8",    "u8",     "cu8",    "i32", "ci32",
    "u32", "cu32", "bf16", "cbf16", "i4",     "ci4",    "u4",     "cu4",    "i16",    "ci16",   "u16", "cu16",
    "i64", "ci64", "u64",  "cu64",  "f8e4m3", "f8e5m2", "f8e8m0", "f6e2m3", "f6e3m2", "f4e2m1",
};
inline std::string_view CudaTypeWord(uint32_t type) { return type < std::size(kCudaTypes) ? kCudaTypes[type] : "?"; }

struct NcclType {
  std::string_view word;
  uint32_t bytes;
};
inline constexpr NcclType kNcclTypes[] = {
    {"i8", 1},  {"u8", 1},  {"i32", 4}, {"u32", 4},  {"i64", 8},    {"u64", 8},
    {"f16", 2}, {"f32", 4}, {"f64", 8}, {"bf16", 2}, {"f8e4m3", 1}, {"f8e5m2", 1},
};
// Of no bytes when it is not known.
inline NcclType NcclTypeOf(int type) {
  return static_cast<uint32_t>(type) < std::size(kNcclTypes) ? kNcclTypes[type] : NcclType{"?", 0};
}

}  // namespace warpsight::calls
