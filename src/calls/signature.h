// Parameters of a function by number, so that one list of names and types is enough to define functions that stand in front
// of others (WARPSIGHT_PARAMETERS_3(T) is "first a0, second a1, third a2" of the function type T, WARPSIGHT_ARGUMENTS_3 is
// "a0, a1, a2").
#pragma once

#include <cstddef>
#include <tuple>

namespace warpsight::calls {

template <typename Function>
struct Signature;
template <typename ResultType, typename... Parameters>
struct Signature<ResultType(Parameters...)> {
  using Result = ResultType;
  static constexpr size_t kCount = sizeof...(Parameters);
  template <size_t kNumber>
  using At = std::tuple_element_t<kNumber, std::tuple<Parameters...>>;
};

template <typename Function, size_t kNumber>
using Parameter = typename Signature<Function>::template At<kNumber>;
template <typename Function>
using ResultOf = typename Signature<Function>::Result;

}  // namespace warpsight::calls

#define WARPSIGHT_PARAMETERS_1(T) ::warpsight::calls::Parameter<T, 0> a0
#define WARPSIGHT_PARAMETERS_2(T) WARPSIGHT_PARAMETERS_1(T), ::warpsight::calls::Parameter<T, 1> a1
#define WARPSIGHT_PARAMETERS_3(T) WARPSIGHT_PARAMETERS_2(T), ::warpsight::calls::Parameter<T, 2> a2
#define WARPSIGHT_PARAMETERS_4(T) WARPSIGHT_PARAMETERS_3(T), ::warpsight::calls::Parameter<T, 3> a3
#define WARPSIGHT_PARAMETERS_5(T) WARPSIGHT_PARAMETERS_4(T), ::warpsight::calls::Parameter<T, 4> a4
#define WARPSIGHT_PARAMETERS_6(T) WARPSIGHT_PARAMETERS_5(T), ::warpsight::calls::Parameter<T, 5> a5
#define WARPSIGHT_PARAMETERS_7(T) WARPSIGHT_PARAMETERS_6(T), ::warpsight::calls::Parameter<T, 6> a6
#define WARPSIGHT_PARAMETERS_8(T) WARPSIGHT_PARAMETERS_7(T), ::warpsight::calls::Parameter<T, 7> a7
#define WARPSIGHT_PARAMETERS_9(T) WARPSIGHT_PARAMETERS_8(T), ::warpsight::calls::Parameter<T, 8> a8
#define WARPSIGHT_PARAMETERS_10(T) WARPSIGHT_PARAMETERS_9(T), ::warpsight::calls::Parameter<T, 9> a9
#define WARPSIGHT_PARAMETERS_11(T) WARPSIGHT_PARAMETERS_10(T), ::warpsight::calls::Parameter<T, 10> a10
#define WARPSIGHT_PARAMETERS_12(T) WARPSIGHT_PARAMETERS_11(T), ::warpsight::calls::Parameter<T, 11> a11
#define WARPSIGHT_PARAMETERS_13(T) WARPSIGHT_PARAMETERS_12(T), ::warpsight::calls::Parameter<T, 12> a12
#define WARPSIGHT_PARAMETERS_14(T) WARPSIGHT_PARAMETERS_13(T), ::warpsight::calls::Parameter<T, 13> a13
#define WARPSIGHT_PARAMETERS_15(T) WARPSIGHT_PARAMETERS_14(T), ::warpsight::calls::Parameter<T, 14> a14
#define WARPSIGHT_PARAMETERS_16(T) WARPSIGHT_PARAMETERS_15(T), ::warpsight::calls::Parameter<T, 15> a15
#define WARPSIGHT_PARAMETERS_17(T) WARPSIGHT_PARAMETERS_16(T), ::warpsight::calls::Parameter<T, 16> a16
#define WARPSIGHT_PARAMETERS_18(T) WARPSIGHT_PARAMETERS_17(T), ::warpsight::calls::Parameter<T, 17> a17
#define WARPSIGHT_PARAMETERS_19(T) WARPSIGHT_PARAMETERS_18(T), ::warpsight::calls::Parameter<T, 18> a18
#define WARPSIGHT_PARAMETERS_20(T) WARPSIGHT_PARAMETERS_19(T), ::warpsight::calls::Parameter<T, 19> a19
#define WARPSIGHT_PARAMETERS_21(T) WARPSIGHT_PARAMETERS_20(T), ::warpsight::calls::Parameter<T, 20> a20
#define WARPSIGHT_PARAMETERS_22(T) WARPSIGHT_PARAMETERS_21(T), ::warpsight::calls::Parameter<T, 21> a21
#define WARPSIGHT_PARAMETERS_23(T) WARPSIGHT_PARAMETERS_22(T), ::warpsight::calls::Parameter<T, 22> a22
#define WARPSIGHT_PARAMETERS_24(T) WARPSIGHT_PARAMETERS_23(T), ::warpsight::calls::Parameter<T, 23> a23
#define WARPSIGHT_PARAMETERS_25(T) WARPSIGHT_PARAMETERS_24(T), ::warpsight::calls::Parameter<T, 24> a24

#define WARPSIGHT_ARGUMENTS_1 a0
#define WARPSIGHT_ARGUMENTS_2 WARPSIGHT_ARGUMENTS_1, a1
#define WARPSIGHT_ARGUMENTS_3 WARPSIGHT_ARGUMENTS_2, a2
#define WARPSIGHT_ARGUMENTS_4 WARPSIGHT_ARGUMENTS_3, a3
#define WARPSIGHT_ARGUMENTS_5 WARPSIGHT_ARGUMENTS_4, a4
#define WARPSIGHT_ARGUMENTS_6 WARPSIGHT_ARGUMENTS_5, a5
#define WARPSIGHT_ARGUMENTS_7 WARPSIGHT_ARGUMENTS_6, a6
#define WARPSIGHT_ARGUMENTS_8 WARPSIGHT_ARGUMENTS_7, a7
#define WARPSIGHT_ARGUMENTS_9 WARPSIGHT_ARGUMENTS_8, a8
#define WARPSIGHT_ARGUMENTS_10 WARPSIGHT_ARGUMENTS_9, a9
#define WARPSIGHT_ARGUMENTS_11 WARPSIGHT_ARGUMENTS_10, a10
#define WARPSIGHT_ARGUMENTS_12 WARPSIGHT_ARGUMENTS_11, a11
#define WARPSIGHT_ARGUMENTS_13 WARPSIGHT_ARGUMENTS_12, a12
#define WARPSIGHT_ARGUMENTS_14 WARPSIGHT_ARGUMENTS_13, a13
#define WARPSIGHT_ARGUMENTS_15 WARPSIGHT_ARGUMENTS_14, a14
#define WARPSIGHT_ARGUMENTS_16 WARPSIGHT_ARGUMENTS_15, a15
#define WARPSIGHT_ARGUMENTS_17 WARPSIGHT_ARGUMENTS_16, a16
#define WARPSIGHT_ARGUMENTS_18 WARPSIGHT_ARGUMENTS_17, a17
#define WARPSIGHT_ARGUMENTS_19 WARPSIGHT_ARGUMENTS_18, a18
#define WARPSIGHT_ARGUMENTS_20 WARPSIGHT_ARGUMENTS_19, a19
#define WARPSIGHT_ARGUMENTS_21 WARPSIGHT_ARGUMENTS_20, a20
#define WARPSIGHT_ARGUMENTS_22 WARPSIGHT_ARGUMENTS_21, a21
#define WARPSIGHT_ARGUMENTS_23 WARPSIGHT_ARGUMENTS_22, a22
#define WARPSIGHT_ARGUMENTS_24 WARPSIGHT_ARGUMENTS_23, a23
#define WARPSIGHT_ARGUMENTS_25 WARPSIGHT_ARGUMENTS_24, a24
