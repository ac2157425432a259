// Ties the session to the preloaded libraries that follow calls of cuBLAS, cuDNN, NCCL and the C library (calls/): finds
// them in the process, hands them the recorder, takes their calls into the session's log.
//
// Where `record` preloaded nothing, all of it does nothing. Errors: none. Threads: safe.
#pragma once

#include <atomic>

#include "capture/settings.h"

namespace warpsight::capture {

// From now on calls of the libraries that `settings` names are recorded while `recording` is true. Both outlive the process.
void FollowCalls(const Settings& settings, const std::atomic<bool>& recording);
// In a forked child, which has no session.
void ForgetCalls();
// The calling thread is the session's own: what it waits for is nobody's business.
void IgnoreCallsOfThisThread();
// Whether the calling thread is in a call of NCCL that is being recorded.
bool IsInsideNcclCall();

}  // namespace warpsight::capture
