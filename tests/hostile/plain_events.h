// An independent, slow reading of a Chrome-JSON trace: what stands at which byte. Shares no code with the importer, which it
// checks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "../../bench/json_cursor.h"
#include "../../bench/time_text.h"

namespace warpsight::testing {

struct PlainEvent {
  size_t offset = 0;  // of its opening brace
  std::string phase;
  std::string category;
  std::string name;
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
};

inline std::string PlainText(std::string_view raw) {
  const nlohmann::json value = nlohmann::json::parse(raw, nullptr, false);
  return value.is_string() ? value.get<std::string>() : std::string(raw);
}

inline PlainEvent ReadPlainEvent(bench::JsonCursor& cursor, std::string_view text) {
  PlainEvent event;
  cursor.Accept('{');
  event.offset = static_cast<size_t>(cursor.position() - text.data()) - 1;
  std::string_view key;
  for (bool first = true; cursor.NextKey(first, &key); first = false) {
    const std::string_view value = cursor.SkipValue();
    if (key == "ph") event.phase = PlainText(value);
    if (key == "cat") event.category = PlainText(value);
    if (key == "name") event.name = PlainText(value);
    if (key == "ts") bench::ParseTime(value, &event.start_ns);
    if (key == "dur") bench::ParseTime(value, &event.duration_ns);
  }
  return event;
}

// The events of a valid trace in either form; `found` says whether there is an array of events at all.
inline std::vector<PlainEvent> ReadPlainEvents(std::string_view text, bool* found) {
  std::vector<PlainEvent> events;
  bench::JsonCursor cursor(text);
  *found = cursor.Accept('[');
  std::string_view key;
  if (!*found && cursor.Accept('{')) {
    for (bool first = true; !*found && cursor.NextKey(first, &key); first = false) {
      *found = key == "traceEvents" && cursor.Accept('[');
      if (!*found) cursor.SkipValue();
    }
  }
  if (!*found || cursor.Accept(']')) return events;
  do {
    events.push_back(ReadPlainEvent(cursor, text));
  } while (cursor.ok() && cursor.Accept(','));
  return events;
}

// Kernels that start on a stream before all earlier work of the stream has ended.
template <typename Trace>
int64_t OverlappingKernels(const Trace& trace) {
  std::map<uint32_t, int64_t> end_of_stream;
  int64_t overlapping = 0;
  for (uint32_t row = 0; row < trace.gpu().size(); ++row) {
    const auto [found, added] = end_of_stream.try_emplace(trace.gpu().stream[row], trace.gpu().end_ns[row]);
    if (!added && trace.gpu().start_ns[row] < found->second) ++overlapping;
    if (trace.gpu().end_ns[row] > found->second) found->second = trace.gpu().end_ns[row];
  }
  return overlapping;
}

}  // namespace warpsight::testing
