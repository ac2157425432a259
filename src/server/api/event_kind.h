// EventKind: the tables whose events the timeline shows. The numbers stand in tiles, the words in queries and answers.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpsight::server {

enum class EventKind : uint8_t { kHost = 0, kGpu = 1, kStep = 2, kSpan = 3 };
inline constexpr size_t kEventKinds = 4;
inline constexpr std::string_view kEventKindNames[kEventKinds] = {"host", "gpu", "step", "span"};

constexpr std::string_view EventKindName(EventKind kind) { return kEventKindNames[static_cast<size_t>(kind)]; }

constexpr std::optional<EventKind> ParseEventKind(std::string_view name) {
  for (size_t i = 0; i < kEventKinds; ++i) {
    if (kEventKindNames[i] == name) return static_cast<EventKind>(i);
  }
  return std::nullopt;
}

// One event of a table.
struct EventId {
  EventKind kind = EventKind::kHost;
  uint32_t row = 0;
  friend bool operator==(const EventId&, const EventId&) = default;
};

}  // namespace warpsight::server
