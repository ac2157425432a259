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

}  // namespace warpsight
