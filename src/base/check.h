// CHECK: an invariant of our own code. A failure is our bug: it prints where and ends the program with status 5.
// Never used on data that came from outside; bad data is a Status or an ImportLog counter.
#pragma once

namespace warpsight {

[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);

}  // namespace warpsight

#define CHECK(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::warpsight::CheckFailed(#condition, __FILE__, __LINE__))
