// Descriptors in a program that is not ours: what the recorder may take of them, and where.
//
// Place in the flow: ThreadTriggers and ThreadSwitches -> this. Errors: false, or the descriptor as it is. Threads: pure.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpsight::capture::sampling {

// The program's own descriptors come first: whether `used` more are less than one in `part` of what it may have.
bool HasRoomForFiles(size_t used, uint64_t part);
// The same file on a number away from those that a program takes for its own streams when they are closed.
int AwayFromTheProgram(int file);
// A program that closes all numbers it does not know may have opened a file of its own on ours.
bool IsPerfEvent(int file);
// In a forked child: closes those of its parent's perf events, -1 = none, that are still what they were.
void ClosePerfEvents(std::span<std::atomic<int>> files);

}  // namespace warpsight::capture::sampling
