#include "analysis/memory/memory_document.h"

#include <array>

#include "document/absent.h"

namespace warpsight {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kWorkKinds = {"kernel", "memcpy", "memset"};
constexpr std::array<std::string_view, 7> kDirections = {
    "", "host to device", "device to host", "device to device", "peer to peer", "host to host", "other"};
constexpr std::array<std::string_view, 6> kMemories = {"", "pageable", "pinned", "device", "array", "managed"};

Json UsageData(const MemoryUsage& usage) {
  Json data;
  data["name"] = usage.name;
  data["process"] = TextOrNull(usage.process);
  data["device"] = usage.device < 0 ? Json(nullptr) : Json(usage.device);
  data["allocator"] = usage.of_allocator;
  data["samples"] = usage.samples;
  data["first_bytes"] = usage.first_bytes;
  data["last_bytes"] = usage.last_bytes;
  data["least_bytes"] = usage.least_bytes;
  data["peak_bytes"] = usage.peak_bytes;
  data["start_ns"] = usage.peak_ns;
  data["device_bytes"] = OrNull(usage.device_bytes);
  return data;
}

Json CopiesData(const MemoryCopies& copies) {
  Json data;
  data["kind"] = kWorkKinds[static_cast<size_t>(copies.kind)];
  data["direction"] = TextOrNull(kDirections[static_cast<size_t>(copies.direction)]);
  data["from"] = TextOrNull(kMemories[static_cast<size_t>(copies.source)]);
  data["to"] = TextOrNull(kMemories[static_cast<size_t>(copies.destination)]);
  data["device"] = copies.device;
  data["count"] = copies.count;
  data["total_ns"] = copies.time_ns;
  data["bytes"] = OrNull(copies.bytes);
  data["bytes_per_s"] = OrNull(copies.bytes_per_s);
  data["longest_row"] = copies.longest == kNoRow ? Json(nullptr) : Json(copies.longest);
  return data;
}

}  // namespace

Document MakeMemoryDocument(const MemoryResult& memory) {
  Document document;
  document.verb = "memory";
  document.data["usage"] = Json::array();
  for (const MemoryUsage& usage : memory.usage) document.data["usage"].push_back(UsageData(usage));
  document.data["copies"] = Json::array();
  for (const MemoryCopies& copies : memory.copies) document.data["copies"].push_back(CopiesData(copies));
  document.data["calls"] = Json::array();
  for (const AllocationCalls& calls : memory.calls) {
    document.data["calls"].push_back({{"name", calls.name},
                                      {"calls", calls.calls},
                                      {"total_ns", calls.time_ns},
                                      {"calls_in_steps", calls.calls_in_steps},
                                      {"in_steps_ns", calls.in_steps_ns}});
  }
  document.data["steps"] = memory.steps;
  document.data["reports_without_totals"] = memory.has_reports_without_totals;
  return document;
}

}  // namespace warpsight
