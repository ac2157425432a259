#include "formats/torch_json/block_parser.h"

#include "formats/torch_json/event_parser.h"
#include "formats/torch_json/scan.h"

namespace warpsight::torch_json {
namespace {

// Whether the bracket at `at` closes the event array: only the end of the file, of the top-level object, or another member
// of it may follow.
bool ClosesArray(const char* at, const char* end) {
  const char* const after = Scan::SkipSpace(at + 1, end);
  if (after >= end || *after == '}') return true;
  if (*after != ',') return false;
  const char* const member = Scan::SkipSpace(after + 1, end);
  return member >= end || *member == '"';
}

constexpr std::ptrdiff_t kLargestGarbage = 4096;

// From text that is no event to the next event or the end of the array. A whole string or array is passed over as one.
const char* SkipGarbage(const char* at, const char* end) {
  NestedFault fault = NestedFault::kNone;
  const char* past = nullptr;
  // Only near by: a bracket that never closes must not cost a look at all that follows, again and again.
  const char* const limit = end - at > kLargestGarbage ? at + kLargestGarbage : end;
  if (*at == '[') past = Scan::FindNestedEnd(at, limit, fault);
  if (*at == '"') past = Scan::FindStringEnd(at + 1, limit);
  if (past != nullptr) {
    past = Scan::SkipSpace(*at == '"' ? past + 1 : past, end);
    if (past >= end || *past == ',' || *past == ']') return past;
  }
  for (++at; at < end; ++at) {
    if (*at == '{' && IsEventStart(at, end)) return at;
    if (*at == ']' && ClosesArray(at, end)) return at;
  }
  return end;
}

// An event that broke after its time and name were read is worth keeping without its args.
bool Salvageable(const EventFields& fields) {
  return fields.Has(Field::kPhase) && fields.Has(Field::kName) && fields.Has(Field::kTime) && fields.Has(Field::kDuration) &&
         fields.Has(Field::kArgs);
}

}  // namespace

BlockResult BlockParser::StartResult() {
  const auto room = [](size_t rows) { return rows + rows / 8; };
  BlockResult result;
  result.shard.names = names_;
  result.shard.host.reserve(room(expected_.host));
  result.shard.gpu.reserve(room(expected_.gpu));
  result.shard.flows.reserve(room(expected_.flows));
  return result;
}

BlockResult BlockParser::Parse(std::string_view text, uint64_t offset) {
  BlockResult result = StartResult();
  builder_.Begin(result.shard);
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto place = [&](const char* at) { return offset + static_cast<uint64_t>(at - begin); };
  const auto stop = [&](BlockEnd how, const char* at) {
    result.end = how;
    result.end_at = static_cast<size_t>(at - begin);
    expected_ = RowCounts::Of(result.shard);
  };
  EventFields fields;
  for (const char* at = begin;;) {
    while (at < end && (static_cast<unsigned char>(*at) <= ' ' || *at == ','))
      at = *at == ',' ? at + 1 : Scan::SkipSpace(at, end);
    if (at >= end) {
      stop(BlockEnd::kBetweenEvents, end);
      return result;
    }
    if (*at == ']' && ClosesArray(at, end)) {
      stop(BlockEnd::kArrayEnd, at);
      return result;
    }
    const char* const inside = Scan::SkipSpace(at + 1, end);
    if (*at != '{' || (inside < end && *inside != '"' && *inside != '}')) {
      ++result.broken;
      builder_.Exclude("not_an_event", "the event array holds something that is no event: left out up to the next event",
                       place(at));
      at = SkipGarbage(at, end);
      continue;
    }
    const ParsedEvent event = parser_.Parse(at, end, fields);
    if (event.outcome == ParseOutcome::kIncomplete) {
      stop(BlockEnd::kInsideEvent, at);
      return result;
    }
    if (event.outcome == ParseOutcome::kBroken) {
      ++result.broken;
      at = AddBroken(at, end, place(at), fields);
      continue;
    }
    builder_.Add(fields, place(at));
    ++result.events;
    at = event.next;
  }
}

// An event that broke after all that matters was read is kept without its args. Returns where to go on.
const char* BlockParser::AddBroken(const char* at, const char* end, uint64_t place, const EventFields& fields) {
  if (Salvageable(fields)) {
    EventFields mended = fields;
    mended.repairs |= kRepairArgs;
    builder_.Add(mended, place);
  } else {
    builder_.Exclude("broken_event", "an event is not valid JSON and could not be mended: left out up to the next event",
                     place);
  }
  return FindEventBorder(at + 1, end);
}

}  // namespace warpsight::torch_json
