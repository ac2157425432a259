// The functions of cuBLAS and cuBLASLt that are followed, with their C interface as we declare it ourselves: handles and
// enumerations are a pointer and an int to the caller. cublas_abi_test.cc compares all of it with NVIDIA's headers where
// they are installed. `Int` is int, and int64_t in the functions that end in _64.
#pragma once

#include <cstddef>
#include <cstdint>

#include "calls/libraries/follow_call.h"

namespace warpsight::calls::cublas {

template <typename Int>
using Gemm = int(void* handle, int transa, int transb, Int m, Int n, Int k, const void* alpha, const void* a, Int lda,
                 const void* b, Int ldb, const void* beta, void* c, Int ldc);
template <typename Int>
using GemmBatched = int(void* handle, int transa, int transb, Int m, Int n, Int k, const void* alpha, const void* a, Int lda,
                        const void* b, Int ldb, const void* beta, void* c, Int ldc, Int batch);
template <typename Int>
using GemmStrided = int(void* handle, int transa, int transb, Int m, Int n, Int k, const void* alpha, const void* a, Int lda,
                        long long stride_a, const void* b, Int ldb, long long stride_b, const void* beta, void* c, Int ldc,
                        long long stride_c, Int batch);
template <typename Int>
using TypedGemm = int(void* handle, int transa, int transb, Int m, Int n, Int k, const void* alpha, const void* a,
                      int a_type, Int lda, const void* b, int b_type, Int ldb, const void* beta, void* c, int c_type,
                      Int ldc);
template <typename Int>
using GemmEx = int(void* handle, int transa, int transb, Int m, Int n, Int k, const void* alpha, const void* a, int a_type,
                   Int lda, const void* b, int b_type, Int ldb, const void* beta, void* c, int c_type, Int ldc,
                   int compute_type, int algorithm);
template <typename Int>
using GemmBatchedEx = int(void* handle, int transa, int transb, Int m, Int n, Int k, const void* alpha, const void* a,
                          int a_type, Int lda, const void* b, int b_type, Int ldb, const void* beta, void* c, int c_type,
                          Int ldc, Int batch, int compute_type, int algorithm);
template <typename Int>
using GemmStridedEx = int(void* handle, int transa, int transb, Int m, Int n, Int k, const void* alpha, const void* a,
                          int a_type, Int lda, long long stride_a, const void* b, int b_type, Int ldb, long long stride_b,
                          const void* beta, void* c, int c_type, Int ldc, long long stride_c, Int batch, int compute_type,
                          int algorithm);
using GemmGroupedEx = int(void* handle, const void* transa, const void* transb, const void* m, const void* n, const void* k,
                          const void* alpha, const void* a, int a_type, const void* lda, const void* b, int b_type,
                          const void* ldb, const void* beta, const void* c, int c_type, const void* ldc, int groups,
                          const void* group_sizes, int compute_type);
template <typename Int>
using Gemv = int(void* handle, int trans, Int m, Int n, const void* alpha, const void* a, Int lda, const void* x, Int incx,
                 const void* beta, void* y, Int incy);
template <typename Int>
using GemvStrided = int(void* handle, int trans, Int m, Int n, const void* alpha, const void* a, Int lda, long long stride_a,
                        const void* x, Int incx, long long stride_x, const void* beta, void* y, Int incy, long long stride_y,
                        Int batch);
template <typename Int>
using GemvBatched = int(void* handle, int trans, Int m, Int n, const void* alpha, const void* a, Int lda, const void* x,
                        Int incx, const void* beta, void* y, Int incy, Int batch);
template <typename Int>
using Trsm = int(void* handle, int side, int uplo, int trans, int diagonal, Int m, Int n, const void* alpha, const void* a,
                 Int lda, void* b, Int ldb);
template <typename Int>
using TrsmBatched = int(void* handle, int side, int uplo, int trans, int diagonal, Int m, Int n, const void* alpha,
                        const void* a, Int lda, void* b, Int ldb, Int batch);
template <typename Int>
using Syrk = int(void* handle, int uplo, int trans, Int n, Int k, const void* alpha, const void* a, Int lda,
                 const void* beta, void* c, Int ldc);
template <typename Int>
using DotEx = int(void* handle, Int n, const void* x, int x_type, Int incx, const void* y, int y_type, Int incy,
                  void* result, int result_type, int compute_type);
using GetrfBatched = int(void* handle, int n, void* a, int lda, void* pivots, void* info, int batch);
using GetrsBatched = int(void* handle, int trans, int n, int columns, const void* a, int lda, const void* pivots, void* b,
                         int ldb, void* info, int batch);
using GeqrfBatched = int(void* handle, int m, int n, void* a, int lda, void* tau, void* info, int batch);
using OfHandle = int(void* handle);

// cuBLASLt.
using LtMatmul = int(void* handle, void* operation, const void* alpha, const void* a, void* a_layout, const void* b,
                     void* b_layout, const void* beta, const void* c, void* c_layout, void* d, void* d_layout,
                     const void* algorithm, void* workspace, size_t workspace_bytes, void* stream);
using LtHeuristic = int(void* handle, void* operation, void* a_layout, void* b_layout, void* c_layout, void* d_layout,
                        void* preference, int wanted, void* results, void* count);
using LtTransform = int(void* handle, void* transform, const void* alpha, const void* a, void* a_layout, const void* beta,
                        const void* b, void* b_layout, void* c, void* c_layout, void* stream);
// Not followed: what the sizes are asked from.
using LtGetAttribute = int(void* descriptor, int attribute, void* value, size_t bytes, size_t* written);
enum LayoutAttribute : int { kLayoutType = 0, kLayoutRows = 2, kLayoutColumns = 3, kLayoutBatch = 5 };
enum MatmulAttribute : int { kMatmulTransA = 3, kMatmulTransB = 4 };

// A function for int and its twin for int64_t.
#define WARPSIGHT_CUBLAS_BOTH(X, name, Type, count, sizes) \
  X(name, Type<int>, count, sizes) X(name##_64, Type<int64_t>, count, sizes)

#define WARPSIGHT_CUBLAS_LIST(X)                                                               \
  WARPSIGHT_CUBLAS_BOTH(X, cublasHgemm, Gemm, 14, SizesOf<kF16>)                               \
  WARPSIGHT_CUBLAS_BOTH(X, cublasSgemm_v2, Gemm, 14, SizesOf<kF32>)                            \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDgemm_v2, Gemm, 14, SizesOf<kF64>)                            \
  WARPSIGHT_CUBLAS_BOTH(X, cublasCgemm_v2, Gemm, 14, SizesOf<kC32>)                            \
  WARPSIGHT_CUBLAS_BOTH(X, cublasZgemm_v2, Gemm, 14, SizesOf<kC64>)                            \
  WARPSIGHT_CUBLAS_BOTH(X, cublasHgemmBatched, GemmBatched, 15, SizesOfBatch<kF16>)            \
  WARPSIGHT_CUBLAS_BOTH(X, cublasSgemmBatched, GemmBatched, 15, SizesOfBatch<kF32>)            \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDgemmBatched, GemmBatched, 15, SizesOfBatch<kF64>)            \
  WARPSIGHT_CUBLAS_BOTH(X, cublasCgemmBatched, GemmBatched, 15, SizesOfBatch<kC32>)            \
  WARPSIGHT_CUBLAS_BOTH(X, cublasZgemmBatched, GemmBatched, 15, SizesOfBatch<kC64>)            \
  WARPSIGHT_CUBLAS_BOTH(X, cublasHgemmStridedBatched, GemmStrided, 18, SizesOfBatch<kF16>)     \
  WARPSIGHT_CUBLAS_BOTH(X, cublasSgemmStridedBatched, GemmStrided, 18, SizesOfBatch<kF32>)     \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDgemmStridedBatched, GemmStrided, 18, SizesOfBatch<kF64>)     \
  WARPSIGHT_CUBLAS_BOTH(X, cublasCgemmStridedBatched, GemmStrided, 18, SizesOfBatch<kC32>)     \
  WARPSIGHT_CUBLAS_BOTH(X, cublasZgemmStridedBatched, GemmStrided, 18, SizesOfBatch<kC64>)     \
  WARPSIGHT_CUBLAS_BOTH(X, cublasSgemmEx, TypedGemm, 17, SizesOfTyped)                         \
  WARPSIGHT_CUBLAS_BOTH(X, cublasCgemmEx, TypedGemm, 17, SizesOfTyped)                         \
  X(cublasGemmEx_64, GemmEx<int64_t>, 19, SizesOfTyped)                                        \
  X(cublasGemmBatchedEx_64, GemmBatchedEx<int64_t>, 20, SizesOfTyped)                          \
  X(cublasGemmStridedBatchedEx_64, GemmStridedEx<int64_t>, 23, SizesOfStridedTyped)            \
  X(cublasGemmGroupedBatchedEx, GemmGroupedEx, 20, SizesOfGroups)                              \
  WARPSIGHT_CUBLAS_BOTH(X, cublasSgemv_v2, Gemv, 12, SizesOfGemv<kF32>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDgemv_v2, Gemv, 12, SizesOfGemv<kF64>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasCgemv_v2, Gemv, 12, SizesOfGemv<kC32>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasZgemv_v2, Gemv, 12, SizesOfGemv<kC64>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasSgemvBatched, GemvBatched, 13, SizesOfGemvBatch<kF32>)        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDgemvBatched, GemvBatched, 13, SizesOfGemvBatch<kF64>)        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasSgemvStridedBatched, GemvStrided, 16, SizesOfGemvBatch<kF32>) \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDgemvStridedBatched, GemvStrided, 16, SizesOfGemvBatch<kF64>) \
  WARPSIGHT_CUBLAS_BOTH(X, cublasStrsm_v2, Trsm, 12, SizesOfTrsm<kF32>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDtrsm_v2, Trsm, 12, SizesOfTrsm<kF64>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasCtrsm_v2, Trsm, 12, SizesOfTrsm<kC32>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasZtrsm_v2, Trsm, 12, SizesOfTrsm<kC64>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasStrsmBatched, TrsmBatched, 13, SizesOfTrsmBatch<kF32>)        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDtrsmBatched, TrsmBatched, 13, SizesOfTrsmBatch<kF64>)        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasSsyrk_v2, Syrk, 11, SizesOfSyrk<kF32>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDsyrk_v2, Syrk, 11, SizesOfSyrk<kF64>)                        \
  WARPSIGHT_CUBLAS_BOTH(X, cublasDotEx, DotEx, 11, SizesOfDot)                                 \
  X(cublasSgetrfBatched, GetrfBatched, 7, SizesOfGetrf<kF32>)                                  \
  X(cublasDgetrfBatched, GetrfBatched, 7, SizesOfGetrf<kF64>)                                  \
  X(cublasSgetrsBatched, GetrsBatched, 11, SizesOfGetrs<kF32>)                                 \
  X(cublasDgetrsBatched, GetrsBatched, 11, SizesOfGetrs<kF64>)                                 \
  X(cublasSgeqrfBatched, GeqrfBatched, 8, SizesOfGeqrf<kF32>)                                  \
  X(cublasDgeqrfBatched, GeqrfBatched, 8, SizesOfGeqrf<kF64>)                                  \
  X(cublasCreate_v2, OfHandle, 1, NoSizes)                                                     \
  X(cublasDestroy_v2, OfHandle, 1, NoSizes)

// In the header these are overloaded with inline functions for old code.
#define WARPSIGHT_CUBLAS_OVERLOADED_LIST(X)                    \
  X(cublasGemmEx, GemmEx<int>, 19, SizesOfTyped)               \
  X(cublasGemmBatchedEx, GemmBatchedEx<int>, 20, SizesOfTyped) \
  X(cublasGemmStridedBatchedEx, GemmStridedEx<int>, 23, SizesOfStridedTyped)

#define WARPSIGHT_CUBLASLT_LIST(X)                                     \
  X(cublasLtMatmul, LtMatmul, 16, SizesOfMatmul)                       \
  X(cublasLtMatmulAlgoGetHeuristic, LtHeuristic, 10, SizesOfHeuristic) \
  X(cublasLtMatrixTransform, LtTransform, 11, NoSizes)

WARPSIGHT_CUBLAS_LIST(WARPSIGHT_DECLARE_CALL)
WARPSIGHT_CUBLAS_OVERLOADED_LIST(WARPSIGHT_DECLARE_CALL)
WARPSIGHT_CUBLASLT_LIST(WARPSIGHT_DECLARE_CALL)

}  // namespace warpsight::calls::cublas
