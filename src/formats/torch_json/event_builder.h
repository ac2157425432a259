// EventBuilder: raw fields of one event -> a row of the trace, with everything that had to be mended in the ledger.
//
// One a worker thread; the shard changes with every block, the names stay.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "formats/torch_json/category.h"
#include "formats/torch_json/counter_args.h"
#include "formats/torch_json/event_fields.h"
#include "trace/trace_builder.h"

namespace warpsight::torch_json {

class EventBuilder {
 public:
  explicit EventBuilder(std::shared_ptr<LocalNames> names) : names_(std::move(names)) {}

  // Rows go to `shard` (which must use the same names) until the next call.
  void Begin(TraceShard& shard) { shard_ = &shard; }

  // Adds the event that starts at byte `offset` of the inflated file and counts it as read.
  void Add(const EventFields& fields, uint64_t offset);

  // Counts an event that could not be parsed: read and excluded.
  void Exclude(std::string_view cause, std::string_view example, uint64_t offset);

 private:
  struct Times {
    Ns start = 0;
    Ns duration = 0;
    bool usable = true;
  };
  // Mended faults of the event at hand; one event counts once in the ledger, under its first (gravest) cause.
  void Repaired(std::string_view cause, std::string_view example);
  void Excluded(std::string_view cause, std::string_view example);

  void AddComplete(const EventFields& fields);
  void AddHost(const EventFields& fields, EventClass event_class, const Times& times);
  void AddGpuWork(const EventFields& fields, EventClass event_class, const Times& times);
  void AddGpuSpan(const EventFields& fields, EventClass event_class, const Times& times);
  void AddDurationEnd(const EventFields& fields, bool begin);
  void AddMetadata(const EventFields& fields);
  void AddFlow(const EventFields& fields, char phase);
  void AddInstant(const EventFields& fields, char phase);
  bool AddCounter(const EventFields& fields);
  bool AddMemoryReport(const EventFields& fields);

  void NoteRepairs(const EventFields& fields);
  Times ReadTimes(const EventFields& fields);
  bool ReadStart(const EventFields& fields, Ns& start);
  EventClass Classify(const EventFields& fields);
  StringId Name(const EventFields& fields);
  ThreadIndex ThreadOf(const EventFields& fields);
  StreamIndex StreamOf(const EventFields& fields);
  LaunchIndex LaunchOf(const EventFields& fields);
  CollectiveIndex CollectiveOf(const EventFields& fields);
  StringId Text(std::string_view raw);
  // A number of args, bare or in quotes; `absent` when missing or not a number.
  int64_t Number(const EventFields& fields, Field field, int64_t absent);
  // The same for ids, which rows hold in 32 bits: 0 when absent; out of range is counted and taken as absent.
  uint32_t Id(const EventFields& fields, Field field);

  std::shared_ptr<LocalNames> names_;
  TraceShard* shard_ = nullptr;
  uint64_t offset_ = 0;
  bool counted_ = false;           // the event at hand is in the ledger as repaired or excluded
  uint8_t mended_ = 0;             // 1 + number of the cause in the shard's log when it is there as repaired
  uint8_t* row_mended_ = nullptr;  // of the row made for the event at hand

  // The last categories seen, by text: events come in few kinds.
  struct CategoryMemo {
    std::string_view category;  // in the string pool
    StringId id = StringId::kEmpty;
    EventClass event_class = EventClass::kUnknown;
  };
  const CategoryMemo& CategoryOf(const EventFields& fields);
  std::array<CategoryMemo, 16> category_memo_;
  // Threads by the hash of their texts; kernels, calls and arrows alternate between a few.
  struct ThreadMemo {
    std::string_view pid;  // in the string pool
    std::string_view tid;
    ThreadIndex thread = 0;
  };
  std::array<ThreadMemo, 64> thread_memo_;
  std::vector<CounterArg> counter_args_;  // of the event at hand
};

}  // namespace warpsight::torch_json
