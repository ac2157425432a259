// cuBLAS and cuBLASLt: "m=4096 n=1 k=2048 tn f16", "m=128 n=128 k=64 nn bf16 batch=32", types of A, B and C where they
// differ. Sizes are the call's own: column major, m and n of the result.
#include <tuple>

#include "calls/libraries/cublas_list.h"
#include "calls/libraries/data_type.h"

namespace warpsight::calls::cublas {
namespace {

constexpr LibraryFile kCublas = {"libcublas.so.", {"13", "12", "11", nullptr}};
constexpr LibraryFile kCublasLt = {"libcublasLt.so.", {"13", "12", "11", nullptr}};

// cudaDataType.
constexpr uint32_t kF32 = 0;
constexpr uint32_t kF64 = 1;
constexpr uint32_t kF16 = 2;
constexpr uint32_t kC32 = 4;
constexpr uint32_t kC64 = 5;

constexpr char OperationLetter(int operation) {
  constexpr char kLetters[] = {'n', 't', 'c', 'j'};
  return operation >= 0 && operation < 4 ? kLetters[operation] : '?';
}

void PutGemm(CallText& text, int64_t m, int64_t n, int64_t k, int transa, int transb) {
  const char operations[] = {OperationLetter(transa), OperationLetter(transb)};
  text.Number("m", m).Number("n", n).Number("k", k).Word({operations, 2});
}
void PutTypes(CallText& text, uint32_t a, uint32_t b, uint32_t c) {
  text.Word(CudaTypeWord(a));
  if (a != b || a != c) text.Word(CudaTypeWord(b)).Word(CudaTypeWord(c));
}
void PutBatch(CallText& text, int64_t batch) {
  if (batch != 1) text.Number("batch", batch);
}
template <typename... Rest>
auto Last(Rest... rest) {
  return std::get<sizeof...(Rest) - 1>(std::tuple(rest...));
}

template <uint32_t kType, typename Int, typename... Rest>
void SizesOf(CallText& text, const void* /*caller*/, void* /*handle*/, int transa, int transb, Int m, Int n, Int k,
             Rest... /*rest*/) {
  PutGemm(text, m, n, k, transa, transb);
  text.Word(CudaTypeWord(kType));
}
template <uint32_t kType, typename Int, typename... Rest>
void SizesOfBatch(CallText& text, const void* caller, void* handle, int transa, int transb, Int m, Int n, Int k,
                  Rest... rest) {
  SizesOf<kType>(text, caller, handle, transa, transb, m, n, k);
  PutBatch(text, Last(rest...));
}
// With the types of the matrices; what follows is nothing, compute type and algorithm, or the batch and these.
template <typename Int, typename... Rest>
void SizesOfTyped(CallText& text, const void* /*caller*/, void* /*handle*/, int transa, int transb, Int m, Int n, Int k,
                  const void* /*alpha*/, const void* /*a*/, int a_type, Int /*lda*/, const void* /*b*/, int b_type,
                  Int /*ldb*/, const void* /*beta*/, void* /*c*/, int c_type, Int /*ldc*/, Rest... rest) {
  PutGemm(text, m, n, k, transa, transb);
  PutTypes(text, static_cast<uint32_t>(a_type), static_cast<uint32_t>(b_type), static_cast<uint32_t>(c_type));
  if constexpr (sizeof...(Rest) == 3) PutBatch(text, std::get<0>(std::tuple(rest...)));
}
template <typename Int>
void SizesOfStridedTyped(CallText& text, const void* /*caller*/, void* /*handle*/, int transa, int transb, Int m, Int n,
                         Int k, const void* /*alpha*/, const void* /*a*/, int a_type, Int /*lda*/, long long /*stride*/,
                         const void* /*b*/, int b_type, Int /*ldb*/, long long /*stride*/, const void* /*beta*/, void* /*c*/,
                         int c_type, Int /*ldc*/, long long /*stride*/, Int batch, int /*compute*/, int /*algorithm*/) {
  PutGemm(text, m, n, k, transa, transb);
  PutTypes(text, static_cast<uint32_t>(a_type), static_cast<uint32_t>(b_type), static_cast<uint32_t>(c_type));
  PutBatch(text, batch);
}
// Each group has sizes of its own, in arrays: their number is said.
template <typename... Rest>
void SizesOfGroups(CallText& text, const void* /*caller*/, Rest... rest) {
  const auto all = std::tuple(rest...);
  text.Word(CudaTypeWord(static_cast<uint32_t>(std::get<8>(all)))).Number("groups", std::get<17>(all));
}

template <uint32_t kType, typename Int, typename... Rest>
void SizesOfGemv(CallText& text, const void* /*caller*/, void* /*handle*/, int trans, Int m, Int n, Rest... /*rest*/) {
  const char operation = OperationLetter(trans);
  text.Number("m", m).Number("n", n).Word({&operation, 1}).Word(CudaTypeWord(kType));
}
template <uint32_t kType, typename Int, typename... Rest>
void SizesOfGemvBatch(CallText& text, const void* caller, void* handle, int trans, Int m, Int n, Rest... rest) {
  SizesOfGemv<kType>(text, caller, handle, trans, m, n);
  PutBatch(text, Last(rest...));
}
template <uint32_t kType, typename Int, typename... Rest>
void SizesOfTrsm(CallText& text, const void* /*caller*/, void* /*handle*/, int /*side*/, int /*uplo*/, int /*trans*/,
                 int /*diagonal*/, Int m, Int n, Rest... /*rest*/) {
  text.Number("m", m).Number("n", n).Word(CudaTypeWord(kType));
}
template <uint32_t kType, typename Int, typename... Rest>
void SizesOfTrsmBatch(CallText& text, const void* caller, void* handle, int side, int uplo, int trans, int diagonal, Int m,
                      Int n, Rest... rest) {
  SizesOfTrsm<kType>(text, caller, handle, side, uplo, trans, diagonal, m, n);
  PutBatch(text, Last(rest...));
}
template <uint32_t kType, typename Int, typename... Rest>
void SizesOfSyrk(CallText& text, const void* /*caller*/, void* /*handle*/, int /*uplo*/, int /*trans*/, Int n, Int k,
                 Rest... /*rest*/) {
  text.Number("n", n).Number("k", k).Word(CudaTypeWord(kType));
}
template <typename Int, typename... Rest>
void SizesOfDot(CallText& text, const void* /*caller*/, void* /*handle*/, Int n, const void* /*x*/, int x_type,
                Rest... /*rest*/) {
  text.Number("n", n).Word(CudaTypeWord(static_cast<uint32_t>(x_type)));
}
template <uint32_t kType, typename... Rest>
void SizesOfGetrf(CallText& text, const void* /*caller*/, void* /*handle*/, int n, Rest... rest) {
  text.Number("n", n).Word(CudaTypeWord(kType));
  PutBatch(text, Last(rest...));
}
template <uint32_t kType, typename... Rest>
void SizesOfGetrs(CallText& text, const void* /*caller*/, void* /*handle*/, int /*trans*/, int n, int columns,
                  Rest... rest) {
  text.Number("n", n).Number("columns", columns).Word(CudaTypeWord(kType));
  PutBatch(text, Last(rest...));
}
template <uint32_t kType, typename... Rest>
void SizesOfGeqrf(CallText& text, const void* /*caller*/, void* /*handle*/, int m, int n, Rest... rest) {
  text.Number("m", m).Number("n", n).Word(CudaTypeWord(kType));
  PutBatch(text, Last(rest...));
}

// cuBLASLt keeps sizes in descriptors that only its own functions can read.
constinit NextFunction layout_attribute("cublasLtMatrixLayoutGetAttribute", &kCublasLt);
constinit NextFunction matmul_attribute("cublasLtMatmulDescGetAttribute", &kCublasLt);

template <typename Value>
bool Ask(NextFunction& ask, const void* caller, void* descriptor, int attribute, Value& value) {
  const auto get = reinterpret_cast<LtGetAttribute*>(ask.For(caller));
  size_t written = 0;
  return get != nullptr && descriptor != nullptr && get(descriptor, attribute, &value, sizeof(value), &written) == 0;
}

void PutMatmul(CallText& text, const void* caller, void* operation, void* a, void* b, void* d) {
  uint64_t m = 0;
  uint64_t n = 0;
  uint64_t k = 0;
  int32_t transa = 0;
  int32_t transb = 0;
  uint32_t types[3] = {};
  int32_t batch = 1;
  bool ok = Ask(matmul_attribute, caller, operation, kMatmulTransA, transa) &&
            Ask(matmul_attribute, caller, operation, kMatmulTransB, transb) &&
            Ask(layout_attribute, caller, d, kLayoutRows, m) && Ask(layout_attribute, caller, d, kLayoutColumns, n) &&
            Ask(layout_attribute, caller, a, transa == 0 ? kLayoutColumns : kLayoutRows, k) &&
            Ask(layout_attribute, caller, d, kLayoutBatch, batch);
  void* const layouts[] = {a, b, d};
  for (int i = 0; i < 3; ++i) ok = ok && Ask(layout_attribute, caller, layouts[i], kLayoutType, types[i]);
  if (!ok) return;
  PutGemm(text, static_cast<int64_t>(m), static_cast<int64_t>(n), static_cast<int64_t>(k), transa, transb);
  PutTypes(text, types[0], types[1], types[2]);
  PutBatch(text, batch);
}

template <typename... Rest>
void SizesOfMatmul(CallText& text, const void* caller, Rest... rest) {
  const auto all = std::tuple(rest...);
  PutMatmul(text, caller, std::get<1>(all), std::get<4>(all), std::get<6>(all), std::get<11>(all));
}
template <typename... Rest>
void SizesOfHeuristic(CallText& text, const void* caller, Rest... rest) {
  const auto all = std::tuple(rest...);
  PutMatmul(text, caller, std::get<1>(all), std::get<2>(all), std::get<3>(all), std::get<5>(all));
}

}  // namespace

#define WARPSIGHT_CUBLAS(name, Type, count, sizes) WARPSIGHT_DEFINE_CALL(Library::kCublas, kCublas, name, Type, count, sizes)
#define WARPSIGHT_CUBLASLT(name, Type, count, sizes) \
  WARPSIGHT_DEFINE_CALL(Library::kCublas, kCublasLt, name, Type, count, sizes)

WARPSIGHT_CUBLAS_LIST(WARPSIGHT_CUBLAS)
WARPSIGHT_CUBLAS_OVERLOADED_LIST(WARPSIGHT_CUBLAS)
WARPSIGHT_CUBLASLT_LIST(WARPSIGHT_CUBLASLT)

}  // namespace warpsight::calls::cublas
