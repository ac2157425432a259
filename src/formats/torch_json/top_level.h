// The top level of a Chrome trace: where the events begin, and the facts before and after them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpsight::torch_json {

// Members of the top-level object with their raw JSON values, in file order.
using TopLevelMembers = std::vector<std::pair<std::string, std::string>>;

enum class PrologueOutcome : uint8_t {
  kEvents,     // the event array begins at `events_at`
  kNeedsMore,  // the text given ends before that is known
  kNoEvents,   // the top-level object is whole and has no event array
  kNotATrace,  // not a JSON object or array of objects
};

struct Prologue {
  PrologueOutcome outcome = PrologueOutcome::kNotATrace;
  size_t events_at = 0;     // byte after the opening bracket
  bool bare_array = false;  // the file is the array itself
  bool damaged = false;     // members before the events could not be read; the array was found by its key
  TopLevelMembers members;
  std::string reason;  // kNoEvents, kNotATrace: what was found instead
};

// Reads from the beginning of the file up to the event array. The text needs no padding.
Prologue ReadPrologue(std::string_view unpadded);

struct Epilogue {
  bool closed = false;        // the top-level object was closed
  bool damaged = false;       // members could not be read to their end
  size_t trailing_bytes = 0;  // bytes that are not space after the end
  TopLevelMembers members;
};

// Reads the text after the closing bracket of the event array.
Epilogue ReadEpilogue(std::string_view unpadded, bool bare_array);

}  // namespace warpsight::torch_json
