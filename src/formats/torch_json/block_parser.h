// BlockParser: the events of one block, and where and how its text ended. One a worker thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "formats/torch_json/block.h"
#include "formats/torch_json/event_builder.h"
#include "formats/torch_json/event_parser.h"
#include "trace/trace_builder.h"

namespace warpsight::torch_json {

enum class BlockEnd : uint8_t {
  kBetweenEvents,  // all text used; an event, the end of the array, or nothing may follow
  kInsideEvent,    // the text ended inside the event that starts at `end_at`
  kArrayEnd,       // the array's closing bracket stands at `end_at`
};

// How many rows a block gave, to size the memory of the next one.
struct RowCounts {
  size_t host = 0;
  size_t gpu = 0;
  size_t flows = 0;
  static RowCounts Of(const TraceShard& shard) { return {shard.host.size(), shard.gpu.size(), shard.flows.size()}; }
};

struct BlockResult {
  TraceShard shard;
  BlockEnd end = BlockEnd::kBetweenEvents;
  size_t end_at = 0;   // byte in the block's text
  int64_t events = 0;  // whole events read
  int64_t broken = 0;  // places where the text was no event
};

class BlockParser {
 public:
  explicit BlockParser(std::shared_ptr<LocalNames> names) : names_(std::move(names)), builder_(names_) {}

  // Parses padded `text`, whose first byte is byte `offset` of the inflated file. Text that is no event is left out up to
  // the next border and counted.
  BlockResult Parse(std::string_view text, uint64_t offset);
  // For events that others find to be unreadable.
  EventBuilder& builder() { return builder_; }
  const std::shared_ptr<LocalNames>& names() const { return names_; }

 private:
  BlockResult StartResult();
  const char* AddBroken(const char* at, const char* end, uint64_t place, const EventFields& fields);

  std::shared_ptr<LocalNames> names_;
  EventParser parser_;
  EventBuilder builder_;
  RowCounts expected_;  // of the last block: sizes the memory of the next
};

}  // namespace warpsight::torch_json
