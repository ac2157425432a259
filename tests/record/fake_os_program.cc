// A program that waits: for a lock, a condition, a thread, a clock, a pipe, a child; in threads, in a signal handler, and
// before main. Says what it saw, so that a test can tell whether anything was different.
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using std::chrono::milliseconds;

void Sleep(int ms) {
  const timespec time = {0, ms * 1'000'000L};
  nanosleep(&time, nullptr);
}

__attribute__((constructor)) void BeforeMain() { Sleep(2); }

void Initialise() {
  const char* path = std::getenv("CUDA_INJECTION64_PATH");
  void* const library = path == nullptr ? nullptr : dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (library != nullptr) reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"))();
}

void ContendedLock() {
  std::mutex mutex;
  std::atomic<bool> held{false};
  std::thread holder([&] {
    const std::lock_guard lock(mutex);
    held = true;
    Sleep(200);
  });
  while (!held) std::this_thread::yield();
  mutex.lock();
  mutex.unlock();
  holder.join();
}

void FreeLocks() {
  std::mutex mutex;
  for (int i = 0; i < 100000; ++i) {
    const std::lock_guard lock(mutex);
  }
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t checked;
  pthread_mutex_init(&checked, &kind);
  pthread_mutex_lock(&checked);
  std::printf("second lock %s\n", pthread_mutex_lock(&checked) == EDEADLK ? "refused" : "taken");
  pthread_mutex_unlock(&checked);
}

void Condition() {
  std::mutex mutex;
  std::condition_variable condition;
  bool ready = false;
  std::thread setter([&] {
    Sleep(10);
    const std::lock_guard lock(mutex);
    ready = true;
    condition.notify_all();
  });
  std::unique_lock lock(mutex);
  condition.wait(lock, [&] { return ready; });
  const bool in_time = condition.wait_for(lock, milliseconds(10), [] { return false; });
  std::printf("condition %d %d\n", ready ? 1 : 0, in_time ? 1 : 0);
  lock.unlock();
  setter.join();
}

void PipeAndChild() {
  int ends[2];
  if (pipe(ends) != 0) return;
  const pid_t child = fork();
  if (child == 0) {
    Sleep(15);
    [[maybe_unused]] const ssize_t told = write(ends[1], "x", 1);
    _exit(5);
  }
  char letter = 0;
  const ssize_t got = read(ends[0], &letter, 1);
  int status = 0;
  waitpid(child, &status, 0);
  pollfd none = {ends[0], POLLIN, 0};
  close(ends[1]);
  const int polled = poll(nullptr, 0, 5) + (none.fd < 0 ? 1 : 0);
  std::printf("pipe %zd %c child %d poll %d\n", got, letter, WEXITSTATUS(status), polled);
  close(ends[0]);
}

std::atomic<int> handled{0};

// The handler waits too, whatever it interrupts.
void Signals() {
  struct sigaction action = {};
  action.sa_handler = [](int) {
    const int error = errno;
    Sleep(1);
    ++handled;
    errno = error;
  };
  sigaction(SIGUSR1, &action, nullptr);
  std::atomic<bool> over{false};
  std::thread busy([&] {
    while (!over) {
      const timespec time = {0, 2000};
      nanosleep(&time, nullptr);
    }
  });
  for (int i = 0; i < 50; ++i) {
    pthread_kill(busy.native_handle(), SIGUSR1);
    Sleep(2);
  }
  over = true;
  busy.join();
  std::printf("signals %s\n", handled > 0 ? "handled" : "lost");
}

void Errors() {
  errno = 0;
  char byte = 0;
  const ssize_t got = read(-1, &byte, 1);
  std::printf("read %zd errno %s\n", got, errno == EBADF ? "EBADF" : "?");
  errno = 77;
  Sleep(2);
  std::printf("errno %d\n", errno);
}

void Threads(int count) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 20; ++k) Sleep(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Contends for the allocator's lock, where it has one.
void Allocations() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 5000; ++k) {
        void* volatile block = std::malloc(24);
        std::free(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void Cancelled() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        for (;;) Sleep(500);
      },
      nullptr);
  Sleep(5);
  pthread_cancel(thread);
  void* answer = nullptr;
  pthread_join(thread, &answer);
  std::printf("cancelled %d\n", answer == PTHREAD_CANCELED ? 1 : 0);
}

}  // namespace

int main() {
  Initialise();
  FreeLocks();
  ContendedLock();
  Condition();
  PipeAndChild();
  Signals();
  Errors();
  Threads(16);
  Allocations();
  Cancelled();
  std::fflush(stdout);
  return 9;
}
