#include "formats/torch_json/event_parser.h"

#include "formats/torch_json/field_keys.h"
#include "formats/torch_json/scan.h"

namespace warpsight::torch_json {
namespace plain {

#include "formats/torch_json/event_walk.h"

ParsedEvent WalkEvent(KeyGuess& guess, const char* at, const char* end, EventFields& fields) {
  return EventWalk(guess, end, fields).Parse(at);
}

}  // namespace plain

EventWalkFunction PlainEventWalk() { return plain::WalkEvent; }

EventWalkFunction FastestEventWalk() {
  const EventWalkFunction newer = Avx2EventWalk();
  return newer != nullptr ? newer : PlainEventWalk();
}

bool IsEventStart(const char* at, const char* end) {
  const char* const key = Scan::SkipSpace(at + 1, end);
  if (*at != '{' || key >= end || *key != '"') return false;
  const char* const key_end = Scan::FindStringEnd(key + 1, end);
  if (key_end == nullptr || key_end == key + 1 || key_end - key > kLongestKey) return false;
  return FindField({key + 1, static_cast<size_t>(key_end - key - 1)}, false) != Field::kCount;
}

const char* FindEventBorder(const char* at, const char* end) {
  // A border is rare among bytes and `{` after a comma is rarer still than `}`: look for `{`, then look around it.
  for (const char* brace = at; brace < end; ++brace) {
    brace = static_cast<const char*>(std::memchr(brace, '{', static_cast<size_t>(end - brace)));
    if (brace == nullptr) return end;
    const char* before = brace;
    while (before > at && IsSpace(before[-1])) --before;
    if (before <= at || before[-1] != ',') continue;
    --before;
    while (before > at && IsSpace(before[-1])) --before;
    if (before > at && before[-1] == '}' && IsEventStart(brace, end)) return brace;
  }
  return end;
}

}  // namespace warpsight::torch_json
