// EventParser: one event object of a Chrome trace, from text to raw fields, in one pass.
//
// Strict JSON goes through without a second look. What recorders are known to get wrong is mended on the way and noted in
// EventFields::repairs: unescaped quotes and raw control characters in strings, NaN and Infinity, decimal commas. Text after
// `end` must be kScanPadding zero bytes. One a worker thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/torch_json/event_fields.h"
#include "formats/torch_json/key_guess.h"

namespace warpsight::torch_json {

enum class ParseOutcome : uint8_t {
  kEvent,       // a whole event; `next` is the byte after its closing brace
  kIncomplete,  // the text ended inside the event
  kBroken,      // not an event from some byte on
};

struct ParsedEvent {
  ParseOutcome outcome = ParseOutcome::kBroken;
  const char* next = nullptr;  // kEvent: after the event. kBroken: where it broke
};

// The walk over one event (event_walk.h). There are two copies, with equal results: the plain one, and one for processors
// with AVX2, null where the processor or the compiler has none.
using EventWalkFunction = ParsedEvent (*)(KeyGuess& guess, const char* at, const char* end, EventFields& fields);
EventWalkFunction PlainEventWalk();
EventWalkFunction Avx2EventWalk();
EventWalkFunction FastestEventWalk();

class EventParser {
 public:
  explicit EventParser(EventWalkFunction walk = FastestEventWalk()) : walk_(walk) {}

  // Parses the event whose opening brace is at `at`. `fields` is cleared first; on kBroken it holds what was read before.
  ParsedEvent Parse(const char* at, const char* end, EventFields& fields) {
    fields.Clear();
    return walk_(guess_, at, end, fields);
  }

 private:
  KeyGuess guess_;
  EventWalkFunction walk_;
};

// Longer keys are no keys.
inline constexpr std::ptrdiff_t kLongestKey = 256;

// The first place at or after `at` where an event may begin: the opening brace in  } , { "key"  with a known event key.
// `end` when there is none. Inside a string such text is possible, so the place is a guess until the text before it has
// parsed.
const char* FindEventBorder(const char* at, const char* end);

// Whether an object with a known event key begins at the brace at `at`.
bool IsEventStart(const char* at, const char* end);

}  // namespace warpsight::torch_json
