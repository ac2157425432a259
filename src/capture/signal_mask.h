// AllButFaults: the signals that the recorder keeps from its threads and handlers.
//
// The program's signals are for its own threads, but those of a fault are not blocked anywhere: a fault while its signal is
// blocked ends the process at once, past any handler of the program that would say where. Threads: pure.
#pragma once

#include <signal.h>

namespace warpsight::capture {

inline sigset_t AllButFaults() {
  sigset_t signals;
  sigfillset(&signals);
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS}) sigdelset(&signals, fault);
  return signals;
}

}  // namespace warpsight::capture
