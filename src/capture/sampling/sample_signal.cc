#include "capture/sampling/sample_signal.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/monotonic_clock.h"
#include "capture/sampling/python_stacks.h"
#include "capture/sampling/stack_walk.h"
#include "capture/signal_mask.h"

namespace warpsight::capture::sampling {
namespace {

std::atomic<const SampleTarget*> current_target{nullptr};

// From a trigger of ours. Urgent data of a socket, and signals that programs send one another, are none.
bool IsTrigger(const siginfo_t& info) {
  return info.si_code == SI_TIMER || info.si_code == SI_SIGIO || (info.si_code >= POLL_IN && info.si_code <= POLL_HUP);
}

void Sample(const SampleTarget& target, const void* context) {
  RawStack* const stack = target.ring->Claim();
  if (stack == nullptr) return;
  stack->time_ns = MonotonicNs();
  stack->ident = static_cast<uint64_t>(pthread_self());
  stack->thread = static_cast<uint32_t>(syscall(SYS_gettid));
  stack->depth = static_cast<uint16_t>(WalkStack(context, stack->frames, RawStack::kMostFrames));
  stack->in_python = target.python != nullptr && target.python->IsIn(stack->frames, stack->depth);
  const bool in_python = stack->in_python;
  const uint32_t thread = stack->thread;
  target.ring->Publish(*stack);
  if (in_python) target.python->AskFor(thread);
}

void OnSignal(int, siginfo_t* info, void* context) {
  const int error = errno;
  const SampleTarget* target = current_target.load(std::memory_order_acquire);
  if (target != nullptr && IsTrigger(*info) && target->recording->load(std::memory_order_relaxed)) Sample(*target, context);
  errno = error;
}

bool IsHandler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == OnSignal;
}

}  // namespace

bool SampleSignal::Take(const SampleTarget& target) {
  struct sigaction before = {};
  if (sigaction(kSignal, nullptr, &before) != 0) return false;
  const bool is_free = (before.sa_flags & SA_SIGINFO) == 0 && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN);
  if (!is_free && !IsHandler(before)) return false;
  PrepareStackWalk();
  current_target.store(&target, std::memory_order_release);
  struct sigaction action = {};
  action.sa_sigaction = OnSignal;
  // On the thread's own stack for signals where it has one: threads of other runtimes have small stacks.
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  action.sa_mask = AllButFaults();
  return sigaction(kSignal, &action, nullptr) == 0;
}

bool SampleSignal::IsOurs() {
  struct sigaction now = {};
  return sigaction(kSignal, nullptr, &now) == 0 && IsHandler(now);
}

void SampleSignal::Leave() {
  current_target.store(nullptr, std::memory_order_release);
  if (!IsOurs()) return;
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(kSignal, &action, nullptr);
}

}  // namespace warpsight::capture::sampling
