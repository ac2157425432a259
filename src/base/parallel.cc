#include "base/parallel.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace warpsight {

int WorkerCount(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void RunOnThreads(int count, const std::function<void(int worker)>& work) {
  std::vector<std::thread> threads;
  for (int worker = 1; worker < count; ++worker) threads.emplace_back(work, worker);
  work(0);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace warpsight
