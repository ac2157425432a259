// A library with a variable of threads that takes its time to be loaded: one of its functions is chosen while the loader
// relocates it (an indirect function), by code that sleeps. Every copy of the file is a library of its own.
#include <cstdint>

namespace {

constexpr long kSleepNs = 2'000'000;

thread_local int touched = 0;

int Touched() { return ++touched; }

}  // namespace

extern "C" {
using TouchFunction = int (*)();
// Before it is relocated the library can call nothing of other libraries, a sanitizer's neither. Not static: clang would not
// find it.
__attribute__((visibility("hidden"), no_sanitize("address", "undefined"))) TouchFunction ChooseTouch() {
#if defined(__x86_64__)
  struct {
    int64_t seconds;
    int64_t nanoseconds;
  } const wait = {0, kSleepNs};
  constexpr long kNanosleep = 35;
  long result = 0;
  asm volatile("syscall" : "=a"(result) : "a"(kNanosleep), "D"(&wait), "S"(0L) : "rcx", "r11", "memory");
#endif
  return &Touched;
}

__attribute__((visibility("hidden"), ifunc("ChooseTouch"))) int Chosen();
// What holds the address of an indirect function is filled in while the library is relocated.
__attribute__((visibility("hidden"))) TouchFunction fake_chosen = &Chosen;
__attribute__((visibility("default"))) int FakeTouch() { return fake_chosen(); }
}
