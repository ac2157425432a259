// SayError: one line on standard error, whatever stands in the text and whatever became of the stream: control characters
// are blanks, what else a terminal would obey is escaped, bytes that are no UTF-8 become U+FFFD, and a stream that is closed
// or full is no reason to end otherwise than without it.
#pragma once

#include <string>

#include "base/status.h"

namespace warpsight {

// "warpsight: TEXT".
void SayError(std::string text);

// Says what failed; the exit status for it.
int Fail(const Status& status);

inline constexpr const char* kOutOfMemory =
    "out of memory: cut the recording (fewer active steps) or use a machine with more memory";

// For main(): memory that ends where no exception may pass (a destructor of the JSON library asks for some) ends the
// program with the line and status that it has anywhere else, not with an abort.
void EndInOrderWithoutMemory();

}  // namespace warpsight
