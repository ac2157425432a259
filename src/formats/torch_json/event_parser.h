// EventParser: one event object of a Chrome trace, from text to raw fields, in one pass.
//
// Strict JSON goes through without a second look. What recorders are known to get wrong is mended on the way and noted in
// EventFields::repairs: unescaped quotes and raw control characters in strings, NaN and Infinity, decimal commas. Text after
// `end` must be kScanPadding zero bytes. One a worker thread.
#pragma once

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

class EventParser {
 public:
  // Parses the event whose opening brace is at `at`. `fields` is cleared first; on kBroken it holds what was read before.
  ParsedEvent Parse(const char* at, const char* end, EventFields& fields);

 private:
  ParsedEvent Object(const char* at, bool in_args);
  ParsedEvent Key(const char* at, bool in_args, Field& field) const;
  ParsedEvent Value(const char* at, Field field);
  ParsedEvent String(const char* begin, Field field);
  ParsedEvent Nested(const char* at, Field field);
  ParsedEvent Scalar(const char* at, Field field);
  const char* DecimalComma(const char* at);
  bool Mend(const char*& at, bool in_args);
  bool EndsValue(const char* at, bool in_args) const;
  ParsedEvent Incomplete() const { return {ParseOutcome::kIncomplete, end_}; }
  static ParsedEvent Broken(const char* at) { return {ParseOutcome::kBroken, at}; }

  KeyGuess guess_;
  KeyGuess::Node node_ = KeyGuess::kRoot;
  const char* end_ = nullptr;
  EventFields* fields_ = nullptr;
  // The last value, for mending.
  const char* last_string_ = nullptr;
  const char* last_number_ = nullptr;
  Field last_field_ = Field::kCount;
  bool last_is_number_ = false;
};

// The first place at or after `at` where an event may begin: the opening brace in  } , { "key"  with a known event key.
// `end` when there is none. Inside a string such text is possible, so the place is a guess until the text before it has
// parsed.
const char* FindEventBorder(const char* at, const char* end);

// Whether an object with a known event key begins at the brace at `at`.
bool IsEventStart(const char* at, const char* end);

}  // namespace warpsight::torch_json
