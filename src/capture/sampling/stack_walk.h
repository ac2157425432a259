// WalkStack: the stack of the calling thread as a signal found it.
//
// Place in the flow: sample_signal -> this -> StackRing. On x86-64 the frames are found by the libraries' unwind tables,
// with a cache of what was found at each address; on other processors only the place that was executing is given. A stack
// that can't be followed ends there. Never allocates, locks or touches memory that is not there; changes errno. Threads:
// safe in signal handlers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsight::capture::sampling {

// Looks for what the walk needs; call it before the first signal.
void PrepareStackWalk();

// Writes at most `room` addresses, innermost first: where it was executing, then return addresses. `context` is the
// handler's third argument. Gives their number.
size_t WalkStack(const void* context, uintptr_t* frames, size_t room);

// Libraries have been unloaded: others may lie where they did.
void ForgetWalkedCode();

}  // namespace warpsight::capture::sampling
