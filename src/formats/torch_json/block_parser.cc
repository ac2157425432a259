#include "formats/torch_json/block_parser.h"

#include "formats/torch_json/event_parser.h"
#include "formats/torch_json/scan.h"

namespace warpsight::torch_json {
namespace {

// Whether the bracket at `at` closes the event array: only the end of the file or of the top-level object may follow.
bool ClosesArray(const char* at, const char* end) {
  const char* const after = SkipSpace(at + 1, end);
  return after >= end || *after == '}' || *after == ',';
}

// An event that broke after its time and name were read is worth keeping without its args.
bool Salvageable(const EventFields& fields) {
  return fields.Has(Field::kPhase) && fields.Has(Field::kName) && fields.Has(Field::kTime) && fields.Has(Field::kDuration) &&
         fields.Has(Field::kArgs);
}

void Reserve(TraceShard& shard, const RowCounts& expected) {
  const auto room = [](size_t rows) { return rows + rows / 8; };
  shard.host.reserve(room(expected.host));
  shard.gpu.reserve(room(expected.gpu));
  shard.flows.reserve(room(expected.flows));
}

}  // namespace

BlockResult ParseBlock(std::string_view text, uint64_t offset, const std::shared_ptr<LocalNames>& names, EventBuilder& builder,
                       const RowCounts& expected) {
  BlockResult result;
  result.shard.names = names;
  Reserve(result.shard, expected);
  builder.Begin(result.shard);
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto place = [&](const char* at) { return offset + static_cast<uint64_t>(at - begin); };
  EventFields fields;
  const char* at = begin;
  for (;;) {
    while (at < end && (IsSpace(*at) || *at == ',')) ++at;
    if (at >= end) return result;
    if (*at == ']' && ClosesArray(at, end)) {
      result.end = BlockEnd::kArrayEnd;
      result.end_at = static_cast<size_t>(at - begin);
      return result;
    }
    if (*at != '{') {
      ++result.broken;
      const char* const border = FindEventBorder(at, end);
      builder.Exclude("not_an_event", "the event array holds something that is no event: left out up to the next event", place(at));
      at = border;
      continue;
    }
    const ParsedEvent event = ParseEvent(at, end, fields);
    if (event.outcome == ParseOutcome::kEvent) {
      builder.Add(fields, place(at));
      ++result.events;
      at = event.next;
      continue;
    }
    if (event.outcome == ParseOutcome::kIncomplete) {
      result.end = BlockEnd::kInsideEvent;
      result.end_at = static_cast<size_t>(at - begin);
      return result;
    }
    ++result.broken;
    if (Salvageable(fields)) {
      fields.repairs |= kRepairArgs;
      builder.Add(fields, place(at));
    } else {
      builder.Exclude("broken_event", "an event is not valid JSON and could not be mended: left out up to the next event", place(at));
    }
    at = FindEventBorder(at + 1, end);
  }
}

}  // namespace warpsight::torch_json
