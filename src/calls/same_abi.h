// SameAbi: whether two function types are called alike: as many parameters, each of the same class and size. Names of
// enumerations, and what a pointer points to, do not matter to a caller.
#pragma once

#include <type_traits>

namespace warpsight::calls {

template <typename A, typename B>
constexpr bool IsPassedAlike() {
  if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>) return std::is_pointer_v<A> && std::is_pointer_v<B>;
  constexpr bool kIntegers = (std::is_integral_v<A> || std::is_enum_v<A>)&&(std::is_integral_v<B> || std::is_enum_v<B>);
  constexpr bool kReals = std::is_floating_point_v<A> && std::is_floating_point_v<B>;
  constexpr bool kStructs = std::is_class_v<A> && std::is_class_v<B> && alignof(A) == alignof(B);
  return sizeof(A) == sizeof(B) && (kIntegers || kReals || kStructs);
}

template <typename A, typename B>
struct SameAbi : std::false_type {};
template <typename ResultA, typename... A, typename ResultB, typename... B>
requires(sizeof...(A) == sizeof...(B)) struct SameAbi<ResultA(A...), ResultB(B...)>
    : std::bool_constant<IsPassedAlike<ResultA, ResultB>() && (IsPassedAlike<A, B>() && ...)> {
};

}  // namespace warpsight::calls
