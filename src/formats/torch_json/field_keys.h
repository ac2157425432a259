// The spellings of event keys: a fixed hash table built at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/torch_json/event_fields.h"
#include "formats/torch_json/scan.h"

namespace warpsight::torch_json {

// A spelling, where it stands (event or args), and the field it fills.
struct FieldKey {
  std::string_view key;
  bool in_args = false;
  Field field = Field::kCount;
};

inline constexpr FieldKey kFieldKeys[] = {
    {"ph", false, Field::kPhase},
    {"cat", false, Field::kCategory},
    {"name", false, Field::kName},
    {"pid", false, Field::kPid},
    {"tid", false, Field::kTid},
    {"ts", false, Field::kTime},
    {"dur", false, Field::kDuration},
    {"id", false, Field::kId},
    {"args", false, Field::kArgs},
    {"correlation", true, Field::kCorrelation},
    {"External id", true, Field::kExternalId},
    {"external id", true, Field::kExternalId},
    {"device", true, Field::kDevice},
    {"context", true, Field::kContext},
    {"stream", true, Field::kStream},
    {"queue", true, Field::kStream},
    {"grid", true, Field::kGrid},
    {"block", true, Field::kBlock},
    {"registers per thread", true, Field::kRegisters},
    {"shared memory", true, Field::kSharedMemory},
    {"static shared memory", true, Field::kStaticSharedMemory},
    {"dynamic shared memory", true, Field::kDynamicSharedMemory},
    {"est. achieved occupancy %", true, Field::kOccupancy},
    {"bytes", true, Field::kBytes},
    {"Input Dims", true, Field::kShapes},
    {"Input dims", true, Field::kShapes},
    {"Input type", true, Field::kTypes},
    {"Sequence number", true, Field::kSequence},
    {"Fwd thread id", true, Field::kForwardThread},
    {"graph id", true, Field::kGraphId},
    {"graph node id", true, Field::kGraphNodeId},
    {"Collective name", true, Field::kCollectiveName},
    {"In msg nelems", true, Field::kInElements},
    {"Out msg nelems", true, Field::kOutElements},
    {"Group size", true, Field::kGroupSize},
    {"dtype", true, Field::kDtype},
    {"Process Group Name", true, Field::kGroupName},
    {"Process Group Ranks", true, Field::kGroupRanks},
    {"Rank", true, Field::kRank},
    {"name", true, Field::kMetadataName},
};

namespace field_keys_internal {

inline constexpr size_t kSlots = 256;

// Length, first and last byte tell all spellings apart well; probing does the rest.
constexpr size_t SlotOf(std::string_view key, bool in_args) {
  const auto first = static_cast<unsigned char>(key.front());
  const auto last = static_cast<unsigned char>(key.back());
  return (key.size() * 37 + first * 5 + last * 11 + (in_args ? 101 : 0)) % kSlots;
}

consteval std::array<FieldKey, kSlots> BuildTable() {
  std::array<FieldKey, kSlots> table{};
  for (const FieldKey& entry : kFieldKeys) {
    size_t slot = SlotOf(entry.key, entry.in_args);
    while (!table[slot].key.empty()) slot = (slot + 1) % kSlots;
    table[slot] = entry;
  }
  return table;
}

inline constexpr std::array<FieldKey, kSlots> kTable = BuildTable();

// The same spellings in fixed cells, so that two vector compares tell whether a key is the one.
inline constexpr size_t kCell = 32;
struct alignas(kCell) Cell {
  char text[kCell] = {};
};
consteval std::array<Cell, kSlots> BuildCells() {
  std::array<Cell, kSlots> cells{};
  for (size_t slot = 0; slot < kSlots; ++slot) {
    for (size_t i = 0; i < kTable[slot].key.size(); ++i) cells[slot].text[i] = kTable[slot].key[i];
  }
  return cells;
}
inline constexpr std::array<Cell, kSlots> kCells = BuildCells();

// Whether the first `size` (1 to kCell) bytes at both places are equal. Reads kCell bytes of each.
inline bool EqualPrefix(const char* a, const char* b, size_t size) {
  const auto wanted = static_cast<uint32_t>((uint64_t{1} << size) - 1);
  return (Bytes16::Equal32Bytes(a, b) & wanted) == wanted;
}

}  // namespace field_keys_internal

// The field that `key` fills, kCount for keys that no table keeps. `key` must not be empty and must lie in padded text
// (scan.h).
inline Field FindField(std::string_view key, bool in_args) {
  namespace in = field_keys_internal;
  for (size_t slot = in::SlotOf(key, in_args);; slot = (slot + 1) % in::kSlots) {
    const FieldKey& entry = in::kTable[slot];
    if (entry.key.empty()) return Field::kCount;
    if (entry.in_args == in_args && entry.key.size() == key.size() &&
        in::EqualPrefix(in::kCells[slot].text, key.data(), key.size())) {
      return entry.field;
    }
  }
}

}  // namespace warpsight::torch_json
