#include "base/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace warpsight {

int WorkerCount(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void RunOnThreads(int count, const std::function<void(int worker)>& work) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&](int worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  int started = 1;
  try {
    threads.reserve(static_cast<size_t>(count));
    for (; started < count; ++started) threads.emplace_back(guarded, started);
  } catch (const std::exception&) {
    // No more threads, or no memory for one: what is left runs below. Those that run are waited for, whatever comes.
  }
  guarded(0);
  for (int worker = started; worker < count; ++worker) guarded(worker);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace warpsight
