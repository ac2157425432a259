// Defines functions that stand in front of those of cuBLAS, cuDNN and NCCL, from one list each (cublas_list.h, ...).
//
// A row of a list: X(name, type, number of parameters, sizes), where `sizes(text, caller, parameters...)` writes what is
// known of the call. All these functions answer with a status, 0 for success; another one is recorded too.
#pragma once

#include <errno.h>

#include "calls/call_text.h"
#include "calls/follower.h"
#include "calls/next_function.h"
#include "calls/signature.h"

namespace warpsight::calls {

// What a call answers for which no library is found: "not initialised", "internal error".
inline constexpr int kNoLibrary = 1;
inline constexpr int kNoNccl = 3;

template <typename Sizes, typename... Parameters>
inline int FollowCall(Library library, NextFunction& next, const void* caller, const Sizes& sizes,
                      Parameters... parameters) {
  const auto function = reinterpret_cast<int (*)(Parameters...)>(next.For(caller));
  if (function == nullptr) return library == Library::kNccl ? kNoNccl : kNoLibrary;
  const CallRecorder* recorder = RecorderFor(library);
  uint8_t& depth = this_thread.depth[static_cast<uint32_t>(library)];
  if (recorder == nullptr || depth > 0) return function(parameters...);
  ++depth;
  const uint64_t start_ns = NowNs();
  const int status = function(parameters...);
  const uint64_t end_ns = NowNs();
  const int error = errno;
  CallText text(next.name());
  sizes(text, caller, parameters...);
  --depth;
  if (status != 0) text.Number("status", status);
  Record(*recorder, {library, text.text(), text.name_bytes(), text.text_bytes(), start_ns, end_ns});
  errno = error;
  return status;
}

// For calls whose parameters say no sizes.
template <typename... Parameters>
void NoSizes(CallText& /*text*/, const void* /*caller*/, Parameters... /*parameters*/) {}

}  // namespace warpsight::calls

// The name as the linker sees it is the library's own; as C++ sees it, it is ours, so that no header is needed or in the
// way.
#define WARPSIGHT_DECLARE_CALL(name, Type, count, sizes) \
  ::warpsight::calls::ResultOf<Type> name(WARPSIGHT_PARAMETERS_##count(Type)) __asm__(#name);

#define WARPSIGHT_DEFINE_CALL(library, file, name, Type, count, sizes)                                                 \
  static_assert(::warpsight::calls::Signature<Type>::kCount == count);                                                 \
  constinit NextFunction next_##name(#name, &file);                                                                    \
  __attribute__((visibility("default"))) ::warpsight::calls::ResultOf<Type> name(WARPSIGHT_PARAMETERS_##count(Type)) { \
    return FollowCall(                                                                                                 \
        library, next_##name, __builtin_return_address(0),                                                             \
        [](CallText& text, const void* caller, auto... parameters) { sizes(text, caller, parameters...); },            \
        WARPSIGHT_ARGUMENTS_##count);                                                                                  \
  }
