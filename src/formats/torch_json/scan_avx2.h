// The copy of the scanners for x86-64 processors with AVX2, BMI and PCLMUL: 32 bytes at a time. scan.h has the plain one.
//
// The file is compiled for every x86-64 processor like all others; only what stands between kBegin and kEnd below may use
// the newer instructions. Nothing there is a template or a function that other code shares, so the linker can't give plain
// code a function that an older processor does not know. Call nothing of it unless HasAvx2().
#pragma once

#include "formats/torch_json/scan.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WARPSIGHT_HAS_AVX2_COPY 1

#include <immintrin.h>

#if defined(__clang__)
#define WARPSIGHT_AVX2_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"avx2,bmi,bmi2,pclmul\"))), apply_to=function)")
#define WARPSIGHT_AVX2_END _Pragma("clang attribute pop")
#else
#define WARPSIGHT_AVX2_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,bmi,bmi2,pclmul\")")
#define WARPSIGHT_AVX2_END _Pragma("GCC pop_options")
#endif

namespace warpsight::torch_json::avx2 {

inline bool HasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("pclmul");
}

WARPSIGHT_AVX2_BEGIN

// As Bytes16, with 32 bytes.
class Bytes32 {
 public:
  static constexpr size_t kSize = 32;

  explicit Bytes32(const char* at) : value_(Load(at)) {}
  uint32_t Equals(char c) const { return Mask(_mm256_cmpeq_epi8(value_, _mm256_set1_epi8(c))); }
  uint32_t EqualsWithBit5(char c) const {
    return Mask(_mm256_cmpeq_epi8(_mm256_or_si256(value_, _mm256_set1_epi8(0x20)), _mm256_set1_epi8(c)));
  }
  uint32_t AtMost(char c) const { return Mask(_mm256_cmpeq_epi8(_mm256_min_epu8(value_, _mm256_set1_epi8(c)), value_)); }
  uint32_t HighBit() const { return Mask(value_); }
  uint32_t EqualsEither(char a, char b) const {
    return Mask(
        _mm256_or_si256(_mm256_cmpeq_epi8(value_, _mm256_set1_epi8(a)), _mm256_cmpeq_epi8(value_, _mm256_set1_epi8(b))));
  }
  uint32_t EndsScalar() const {
    const __m256i space = _mm256_cmpeq_epi8(_mm256_min_epu8(value_, _mm256_set1_epi8(' ')), value_);
    const __m256i bracket = _mm256_cmpeq_epi8(_mm256_or_si256(value_, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('}'));
    return Mask(_mm256_or_si256(_mm256_or_si256(space, bracket), _mm256_cmpeq_epi8(value_, _mm256_set1_epi8(','))));
  }
  static uint32_t Equal32Bytes(const char* a, const char* b) { return Mask(_mm256_cmpeq_epi8(Load(a), Load(b))); }
  static uint64_t PrefixParity(uint64_t bits) {
    const __m128i product =
        _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(bits)), _mm_set1_epi8(static_cast<char>(0xFF)), 0);
    return static_cast<uint64_t>(_mm_cvtsi128_si64(product));
  }

 private:
  static __m256i Load(const char* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }
  static uint32_t Mask(__m256i matches) { return static_cast<uint32_t>(_mm256_movemask_epi8(matches)); }
  __m256i value_;
};

using Bytes = Bytes32;
#include "formats/torch_json/scan_functions.h"

WARPSIGHT_AVX2_END

}  // namespace warpsight::torch_json::avx2

#endif
