// A program that computes, in functions of known names, for given amounts of processor time.
//
// usage: fake_busy_program [hot_ms=N] [warm_ms=N] [threads=N] [windows=N] [signal=HOW] [end=HOW] [sleep_ms=N] [turns=N]
//                          [one_cpu=1] [refuse=perf]
//   hot_ms, warm_ms: processor time of each thread in HotFunction and in WarmFunction
//   threads: that do the same at once
//   windows: so many times the same in a range "window"
//   signal: prof (handles SIGPROF with a timer of its own, and counts), urg (handles SIGURG), late (the same, half way)
//   turns: then two threads wake one another so many times, and what a turn took goes to standard error
//   one_cpu: its threads share one processor
//   refuse: perf (perf_event_open is forbidden, as in a container)
//   end: exit, fork (a child computes as well), exec (a shell that computes takes its place), kill
// Begins a session as the driver would, where CUDA is recorded. Says what it saw.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "record/fake_injection.h"

namespace {

std::atomic<int> prof_signals{0};
std::atomic<int> urg_signals{0};

double CpuMs() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void Handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

void HandleUrg() {
  Handle(SIGURG, [](int) { ++urg_signals; });
}

void ShareOneProcessor() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  int first = 0;
  while (!CPU_ISSET(first, &allowed)) ++first;
  CPU_ZERO(&allowed);
  CPU_SET(first, &allowed);
  sched_setaffinity(0, sizeof(allowed), &allowed);
}

void RefusePerf() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {sizeof(rules) / sizeof(rules[0]), rules};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) std::_Exit(98);
}

// A byte goes there and back.
void TakeTurns(int turns) {
  int there[2];
  int back[2];
  if (turns == 0 || pipe(there) != 0 || pipe(back) != 0) return;
  std::thread other([&] {
    char byte = 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    for (int i = 0; i < turns; ++i) {
      if (read(there[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1) return;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto began = std::chrono::steady_clock::now();
  char byte = 0;
  for (int i = 0; i < turns; ++i) {
    if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) break;
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - began;
  other.join();
  std::fprintf(stderr, "a turn took %.2f us\n", took.count() / turns);
}

}  // namespace

extern "C" {

// Never joined with its caller, nor its calls with its end.
__attribute__((noinline)) double HotFunction(double ms) {
  volatile double sum = 1;
  for (const double until = CpuMs() + ms; CpuMs() < until;) {
    for (int i = 0; i < 20000; ++i) sum = sum + i;
  }
  return sum;
}

__attribute__((noinline)) double WarmFunction(double ms) {
  volatile double product = 1;
  for (const double until = CpuMs() + ms; CpuMs() < until;) {
    for (int i = 0; i < 20000; ++i) product = product * 1.0000001;
  }
  return product;
}

__attribute__((noinline)) double ComputeBoth(double hot_ms, double warm_ms) {
  double result = 0;
  // In turns, so that whatever part is sampled holds both.
  for (int i = 0; i < 10; ++i) result += HotFunction(hot_ms / 10) + WarmFunction(warm_ms / 10);
  return result;
}
}

int main(int argc, char** argv) {
  std::map<std::string, std::string> options = {{"hot_ms", "400"}, {"warm_ms", "100"}, {"threads", "1"},  {"windows", "0"},
                                                {"signal", ""},    {"end", "exit"},    {"sleep_ms", "0"}, {"turns", "0"},
                                                {"one_cpu", "0"},  {"refuse", ""}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    options[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  const double hot_ms = std::stod(options["hot_ms"]);
  const double warm_ms = std::stod(options["warm_ms"]);
  if (options["signal"] == "urg") HandleUrg();
  if (options["signal"] == "prof") {
    Handle(SIGPROF, [](int) { ++prof_signals; });
    const itimerval period = {{0, 10'000}, {0, 10'000}};
    setitimer(ITIMER_PROF, &period, nullptr);
  }
  if (options["refuse"] == "perf") RefusePerf();
  InitialiseDriver();
  InitialiseNvtx();
  if (options["one_cpu"] == "1") ShareOneProcessor();
  // The recorder's thread finds this one while it sleeps.
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  std::vector<std::thread> threads;
  double result = 0;
  for (int i = 1; i < std::stoi(options["threads"]); ++i) {
    threads.emplace_back([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      ComputeBoth(hot_ms, warm_ms);
    });
  }
  result += ComputeBoth(hot_ms, warm_ms);
  if (options["signal"] == "late") {
    HandleUrg();
    result += ComputeBoth(hot_ms, warm_ms);
  }
  for (int window = 0; window < std::stoi(options["windows"]); ++window) {
    push("window");
    ComputeBoth(hot_ms, warm_ms);
    pop();
  }
  for (std::thread& thread : threads) thread.join();
  TakeTurns(std::stoi(options["turns"]));
  // A call that waits ends when it should, and not for a signal of somebody else.
  timespec left = {};
  const timespec wait = {0, 20'000'000};
  const bool whole = nanosleep(&wait, &left) == 0;
  const bool known = options["signal"] == "urg" || options["signal"] == "late";
  std::printf("computed %s, waited %s, own signals %s\n", result > 0 ? "well" : "badly", whole ? "whole" : "less",
              options["signal"] == "prof" ? (prof_signals > 0 ? "seen" : "lost") : (known ? "theirs" : "none"));
  std::fflush(stdout);
  std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(options["sleep_ms"])));
  if (options["end"] == "kill") raise(SIGKILL);
  if (options["end"] == "fork") {
    const pid_t child = fork();
    if (child == 0) _exit(HotFunction(hot_ms) > 0 ? 5 : 6);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
  }
  if (options["end"] == "exec") {
    execlp("sh", "sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exit 5", nullptr);
    return 99;
  }
  return 5;
}
