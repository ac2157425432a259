// The fields of one trace event as raw text: what the parser finds and the builder interprets.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpsight::torch_json {

// Keys of an event and of its args that some table keeps. Order is free; the spellings stand in field_keys.cc.
enum class Field : uint8_t {
  kPhase,
  kCategory,
  kName,
  kPid,
  kTid,
  kTime,
  kDuration,
  kId,
  kArgs,
  // Inside args:
  kCorrelation,
  kExternalId,
  kDevice,
  kContext,
  kStream,
  kGrid,
  kBlock,
  kRegisters,
  kSharedMemory,
  kStaticSharedMemory,
  kDynamicSharedMemory,
  kOccupancy,
  kBytes,
  kShapes,
  kTypes,
  kSequence,
  kForwardThread,
  kGraphId,
  kGraphNodeId,
  kCollectiveName,
  kInElements,
  kOutElements,
  kGroupSize,
  kDtype,
  kGroupName,
  kGroupRanks,
  kRank,
  kMetadataName,
  kCount,
};

inline constexpr size_t kFieldCount = static_cast<size_t>(Field::kCount);

// Which faults of the text were mended while parsing, each at most once an event.
enum Repair : uint16_t {
  kRepairNone = 0,
  kRepairQuotes = 1 << 0,         // an unescaped quote inside a string
  kRepairControls = 1 << 1,       // a raw control character inside the name
  kRepairNonJsonNumber = 1 << 2,  // NaN, Infinity and the like
  kRepairDecimalComma = 1 << 3,   // 12,5
  kRepairArgs = 1 << 4,           // args damaged: the event was kept without the rest of them
  kRepairDuplicateKey = 1 << 5,   // a key twice: the last one counts
};

struct EventFields {
  // Raw value of each field seen: strings without their quotes, numbers and brackets as written.
  std::array<std::string_view, kFieldCount> text;
  uint64_t seen = 0;
  uint16_t repairs = kRepairNone;
  bool name_escapes = false;
  bool name_non_ascii = false;

  bool Has(Field field) const { return (seen >> static_cast<unsigned>(field) & 1) != 0; }
  std::string_view operator[](Field field) const {
    return Has(field) ? text[static_cast<size_t>(field)] : std::string_view();
  }
  void Set(Field field, std::string_view value) {
    const uint64_t bit = uint64_t{1} << static_cast<unsigned>(field);
    if ((seen & bit) != 0) repairs |= kRepairDuplicateKey;
    seen |= bit;
    text[static_cast<size_t>(field)] = value;
  }
  void Clear() {
    seen = 0;
    repairs = kRepairNone;
    name_escapes = false;
    name_non_ascii = false;
  }
};
static_assert(kFieldCount <= 64);

}  // namespace warpsight::torch_json
