// The functions that we declare ourselves, against NVIDIA's headers where they are installed.
#include <gtest/gtest.h>

#if __has_include(<cublas_api.h>) && __has_include(<cublasLt.h>)
#include <cublasLt.h>
#include <cublas_api.h>

#include "calls/libraries/cublas_list.h"
#include "calls/libraries/data_type.h"
#include "calls/same_abi.h"

namespace warpsight::calls::cublas {
namespace {

#define WARPSIGHT_SAME(name, Type, count, sizes) static_assert(SameAbi<decltype(::name), Type>::value, #name);
WARPSIGHT_CUBLAS_LIST(WARPSIGHT_SAME)
WARPSIGHT_CUBLASLT_LIST(WARPSIGHT_SAME)
static_assert(SameAbi<decltype(::cublasLtMatrixLayoutGetAttribute), LtGetAttribute>::value);
static_assert(SameAbi<decltype(::cublasLtMatmulDescGetAttribute), LtGetAttribute>::value);

// Beside the C function there are inline ones with cudaDataType for the compute type: only a whole type picks it.
using Handle = cublasHandle_t;
using Op = cublasOperation_t;
using Element = cudaDataType;
using Compute = cublasComputeType_t;
using Algorithm = cublasGemmAlgo_t;
using Status = cublasStatus_t;
using Wide = long long int;
using HeaderGemmEx = Status(Handle, Op, Op, int, int, int, const void*, const void*, Element, int, const void*, Element, int,
                            const void*, void*, Element, int, Compute, Algorithm);
using HeaderBatched = Status(Handle, Op, Op, int, int, int, const void*, const void* const[], Element, int,
                             const void* const[], Element, int, const void*, void* const[], Element, int, int, Compute,
                             Algorithm);
using HeaderStrided = Status(Handle, Op, Op, int, int, int, const void*, const void*, Element, int, Wide, const void*,
                             Element, int, Wide, const void*, void*, Element, int, Wide, int, Compute, Algorithm);
template <typename Function>
constexpr bool IsDeclared(Function* /*function*/) {
  return true;
}
static_assert(IsDeclared<HeaderGemmEx>(&::cublasGemmEx) && SameAbi<HeaderGemmEx, GemmEx<int>>::value);
static_assert(IsDeclared<HeaderBatched>(&::cublasGemmBatchedEx) && SameAbi<HeaderBatched, GemmBatchedEx<int>>::value);
static_assert(IsDeclared<HeaderStrided>(&::cublasGemmStridedBatchedEx) && SameAbi<HeaderStrided, GemmStridedEx<int>>::value);

static_assert(int{kLayoutType} == CUBLASLT_MATRIX_LAYOUT_TYPE && int{kLayoutRows} == CUBLASLT_MATRIX_LAYOUT_ROWS);
static_assert(int{kLayoutColumns} == CUBLASLT_MATRIX_LAYOUT_COLS && int{kLayoutBatch} == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
static_assert(int{kMatmulTransA} == CUBLASLT_MATMUL_DESC_TRANSA && int{kMatmulTransB} == CUBLASLT_MATMUL_DESC_TRANSB);

static_assert(kCudaTypes[CUDA_R_32F] == "f32" && kCudaTypes[CUDA_R_64F] == "f64" && kCudaTypes[CUDA_R_16F] == "f16");
static_assert(kCudaTypes[CUDA_C_32F] == "cf32" && kCudaTypes[CUDA_C_64F] == "cf64" && kCudaTypes[CUDA_R_8I] == "i8");
static_assert(kCudaTypes[CUDA_R_16BF] == "bf16" && kCudaTypes[CUDA_R_32I] == "i32" &&
              kCudaTypes[CUDA_R_8F_E4M3] == "f8e4m3");
static_assert(kCudaTypes[CUDA_R_8F_E5M2] == "f8e5m2" && kCudaTypes[CUDA_R_64U] == "u64");

TEST(CublasAbiTest, OursIsTheHeaders) { SUCCEED() << "checked by the compiler against cuBLAS " << CUBLAS_VERSION; }

}  // namespace
}  // namespace warpsight::calls::cublas

#else

TEST(CublasAbiTest, OursIsTheHeaders) { GTEST_SKIP() << "there are no headers of cuBLAS on this machine"; }

#endif
