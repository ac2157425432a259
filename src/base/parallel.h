// RunOnThreads: the one way work is spread over cores here.
#pragma once

#include <functional>

namespace warpsight {

// Number of worker threads for `requested` (0 = one a core).
int WorkerCount(int requested);

// Calls work(0) ... work(count - 1), each on a thread of its own (work(0) on the caller's), and returns when all have
// returned. When the system gives no more threads the caller's does the rest. An exception (out of memory) in any of them is
// thrown again here.
void RunOnThreads(int count, const std::function<void(int worker)>& work);

}  // namespace warpsight
