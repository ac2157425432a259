// Our walk over stacks against the compiler's own, from signals that come anywhere in a program's work.
#include "capture/sampling/stack_walk.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "capture/sampling/unwind_table.h"

namespace warpsight::capture::sampling {
namespace {

#if defined(__x86_64__)

constexpr size_t kRoom = 256;

struct Walks {
  uintptr_t ours[kRoom];
  size_t our_size = 0;
  uintptr_t theirs[kRoom];
  size_t their_size = 0;
};

_Unwind_Reason_Code KeepFrame(_Unwind_Context* context, void* out) {
  auto& walks = *static_cast<Walks*>(out);
  if (walks.their_size == kRoom) return _URC_END_OF_STACK;
  if (const uintptr_t address = _Unwind_GetIP(context); address != 0) walks.theirs[walks.their_size++] = address;
  return _URC_NO_REASON;
}

std::atomic<int> compared{0};
std::atomic<int> different{0};
std::atomic<size_t> deepest{0};
Walks first_different;

void Compare(int, siginfo_t*, void* context) {
  static thread_local Walks walks;
  walks.our_size = WalkStack(context, walks.ours, kRoom);
  walks.their_size = 0;
  _Unwind_Backtrace(KeepFrame, &walks);
  // Theirs begins with this handler.
  const uintptr_t* const end = walks.theirs + walks.their_size;
  const uintptr_t* const begin = std::find(static_cast<const uintptr_t*>(walks.theirs), end, walks.ours[0]);
  const size_t shared = std::min<size_t>(static_cast<size_t>(end - begin), walks.our_size);
  const bool cut = walks.their_size == kRoom || walks.our_size == kRoom;
  const bool equal = begin != end && std::equal(walks.ours, walks.ours + shared, begin) &&
                     (cut || static_cast<size_t>(end - begin) == walks.our_size);
  if (!equal && different++ == 0) first_different = walks;
  deepest = std::max<size_t>(deepest, walks.our_size);
  ++compared;
}

int Recurse(int depth, volatile int& sum) {
  volatile char room[64] = {};
  room[depth % 64] = 1;
  sum = sum + room[depth % 64];
  return depth == 0 ? sum : Recurse(depth - 1, sum) + room[3];
}

// Work of many kinds: calls back from the C library, exceptions, frames of changing size, deep stacks, calls by pointer.
void WorkABit(std::mt19937& random) {
  std::vector<int> numbers(500);
  for (int& number : numbers) number = static_cast<int>(random());
  std::qsort(numbers.data(), numbers.size(), sizeof(int), [](const void* a, const void* b) {
    return *static_cast<const int*>(a) < *static_cast<const int*>(b) ? -1 : 1;
  });
  std::map<std::string, int> words;
  for (const int number : numbers) ++words[std::to_string(number % 50)];
  volatile int sum = 0;
  Recurse(static_cast<int>(random() % 200), sum);
  for (int i = 0; i < 20; ++i) {
    try {
      const std::function<void(int)> thrower = [&](int depth) {
        if (depth == 0) throw std::runtime_error("on purpose");
        thrower(depth - 1);
      };
      thrower(static_cast<int>(random() % 10));
    } catch (const std::exception&) {
      sum = sum + 1;
    }
  }
  auto* const changing = static_cast<volatile char*>(__builtin_alloca(random() % 4000 + 1));
  changing[0] = 1;
  const std::regex pattern("([a-c]+)(\\d*)");
  sum = sum + static_cast<int>(std::regex_match("abcabc123", pattern));
}

TEST(StackWalkTest, IsThatOfTheCompilersOwnUnwinder) {
  PrepareStackWalk();
  Walks warmed;
  _Unwind_Backtrace(KeepFrame, &warmed);
  compared = different = 0;
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_sigaction = Compare;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, &before);
  const itimerval period = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &period, nullptr);
  std::mt19937 random(1);
  for (int i = 0; i < 100'000 && compared < 300; ++i) {
    WorkABit(random);
    // A signal that comes by itself hits few places: more of them are asked for.
    if (i < 50) raise(SIGPROF);
    if (i == 30) ForgetWalkedCode();
  }
  const itimerval none = {};
  setitimer(ITIMER_PROF, &none, nullptr);
  sigaction(SIGPROF, &before, nullptr);
  EXPECT_GE(compared, 50);
  EXPECT_GE(deepest, 10u);
  std::string shown;
  for (size_t i = 0; i < std::max(first_different.our_size, first_different.their_size) && different > 0; ++i)
    shown += std::to_string(first_different.ours[i]) + " " + std::to_string(first_different.theirs[i]) + "\n";
  EXPECT_EQ(different, 0) << shown;
}

// Compares at each SIGTRAP while `work` runs.
void CompareAtTraps(const std::function<void()>& work) {
  PrepareStackWalk();
  Walks warmed;
  _Unwind_Backtrace(KeepFrame, &warmed);
  compared = different = 0;
  deepest = 0;
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_sigaction = Compare;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, &before);
  work();
  sigaction(SIGTRAP, &before, nullptr);
}

// The return address is in a register, nothing is left on the stack.
asm(R"(
.pushsection .text
warpsight_test_jumps_back:
.cfi_startproc
  pop %rcx
.cfi_adjust_cfa_offset -8
.cfi_register 16, 2
  int3
  jmp *%rcx
.cfi_endproc
.popsection
)");
extern "C" void warpsight_test_jumps_back();

TEST(StackWalkTest, ReturnAddressMayBeInARegister) {
  CompareAtTraps(warpsight_test_jumps_back);
  EXPECT_EQ(compared, 1);
  EXPECT_EQ(different, 0);
  EXPECT_GE(deepest, 5u);
}

// The instructions of the unwinder among them: a timer meets its stranger ones once in some thousand signals.
TEST(StackWalkTest, IsThatOfTheUnwinderAtEachInstructionOfAnException) {
  CompareAtTraps([] {
    asm volatile("pushfq\n orq $0x100, (%%rsp)\n popfq" ::: "memory", "cc");  // the processor's trap flag
    try {
      throw std::runtime_error("on purpose");
    } catch (const std::exception&) {
    }
    asm volatile("pushfq\n andq $~0x100, (%%rsp)\n popfq" ::: "memory", "cc");
  });
  EXPECT_GE(compared, 1000);
  EXPECT_EQ(different, 0);
}

#ifndef WARPSIGHT_SANITIZED

// On a stack for signals that is as small as they come (8 KiB), of which the kernel takes the larger part.
TEST(StackWalkTest, TakesLittleOfTheStack) {
  PrepareStackWalk();
  ForgetWalkedCode();
  static uintptr_t frames[kRoom];
  static size_t used = 0;
  constexpr size_t kPainted = 16 << 10;
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = [](int, siginfo_t*, void* context) {
    char here = 0;
    auto* const place = reinterpret_cast<volatile char*>(reinterpret_cast<uintptr_t>(&here) - 256);
    // What lies below is used by nobody.
    for (size_t i = 0; i < kPainted; ++i) place[-static_cast<ptrdiff_t>(i)] = 0x5A;
    WalkStack(context, frames, kRoom);
    for (used = kPainted; used > 0 && place[-static_cast<ptrdiff_t>(used) + 1] == 0x5A;) --used;
  };
  static char room[64 << 10];
  stack_t stack = {};
  stack_t stack_before = {};
  stack.ss_sp = room;
  stack.ss_size = sizeof(room);
  sigaltstack(&stack, &stack_before);
  sigaction(SIGUSR1, &action, &before);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &before, nullptr);
  sigaltstack(&stack_before, nullptr);
  EXPECT_GT(used, 100u);
  EXPECT_LT(used, 3500u);
}

#endif

TEST(StackWalkTest, RegistersMayBeAnything) {
  PrepareStackWalk();
  std::mt19937_64 random(2);
  uintptr_t frames[kRoom];
  ucontext_t context = {};
  getcontext(&context);
  const auto here = static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
  const auto stack = static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
  for (int i = 0; i < 20'000; ++i) {
    ucontext_t made = context;
    for (const int number : {REG_RBX, REG_RBP, REG_R10, REG_R12, REG_RSP})
      made.uc_mcontext.gregs[number] =
          static_cast<greg_t>(random() % 3 == 0 ? random() >> random() % 64 : stack + random() % 8192);
    made.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(random() % 2 == 0 ? here + random() % 100'000 - 50'000 : random());
    EXPECT_LE(WalkStack(&made, frames, kRoom), kRoom);
  }
  EXPECT_EQ(WalkStack(&context, frames, 0), 0u);
}

TEST(StackWalkTest, MemoryThatIsNotThereIsNotRead) {
  MemoryReader memory;
  uint64_t value = 0;
  EXPECT_FALSE(memory.Read(0, value));
  EXPECT_FALSE(memory.Read(8, value));
  EXPECT_FALSE(memory.Read(~uint64_t{0} - 7, value));
  EXPECT_FALSE(memory.Read(uint64_t{1} << 60, value));
  const size_t page = 4096;
  auto* const pages =
      static_cast<uint8_t*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + page, page, PROT_NONE), 0);
  const auto last = reinterpret_cast<uint64_t>(pages + page - sizeof(uint64_t));
  *reinterpret_cast<uint64_t*>(last) = 77;
  EXPECT_TRUE(memory.Read(last, value));
  EXPECT_EQ(value, 77u);
  EXPECT_FALSE(memory.Read(last + sizeof(uint64_t), value));
  munmap(pages, 2 * page);
}

#endif

}  // namespace
}  // namespace warpsight::capture::sampling
