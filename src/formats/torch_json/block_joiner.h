// BlockJoiner: takes parsed blocks in file order, checks that they fit, and collects their rows.
//
// A block's rows count only when the text before it ended between two events exactly where the block begins. When the block
// before ended inside an event, that event is continued with the text of this block:
//   - it ends in this block: the border was text inside the event; the rest of the block is parsed again from there;
//   - it does not end, and this block parsed as events by itself: the event is broken; it is left out;
//   - it does not end, and this block is no run of events either: the event goes on into the next block.
// An open event that still has not ended at the end of the file, or after kLargestEvent bytes, and whose text holds what
// looks like other events, is broken: reading goes on at the first of those. One without is passed over without being held
// in memory. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/torch_json/block.h"
#include "formats/torch_json/block_parser.h"
#include "formats/torch_json/event_skipper.h"

namespace warpsight::torch_json {

class BlockJoiner {
 public:
  BlockJoiner();

  // The next block in file order with its result.
  void Add(const Block& block, BlockResult result);
  // After the last block: an event that is still open was cut off by the end of the file.
  void Finish();

  // The rows, in file order.
  std::vector<TraceShard> TakeShards() { return std::move(shards_); }
  bool array_ended() const { return array_ended_; }
  bool cut_off() const { return cut_off_; }
  // Text after the array's closing bracket, and where it begins in the file. Held up to kLargestEpilogue bytes.
  const std::string& epilogue() const { return epilogue_; }
  uint64_t epilogue_offset() const { return epilogue_offset_; }
  bool epilogue_complete() const { return epilogue_complete_; }

  static constexpr size_t kLargestEvent = size_t{16} << 20;
  static constexpr size_t kLargestEpilogue = size_t{16} << 20;

 private:
  void Accept(std::string_view text, uint64_t offset, BlockResult result);
  void Reparse(std::string_view text, uint64_t offset);
  void Continue(const Block& block, BlockResult result);
  void Skip(const Block& block);
  bool GiveUpOpenEvent();
  void ExcludeOpenEvent(std::string_view cause, std::string_view example);
  void AddEpilogue(std::string_view text);

  BlockParser parser_;
  std::vector<TraceShard> shards_;

  bool open_ = false;      // an event has begun and not ended
  std::string open_text_;  // its text so far, unless it is skipped
  uint64_t open_offset_ = 0;
  bool skipping_ = false;
  int given_up_ = 0;  // how often GiveUpOpenEvent parsed text again
  EventSkipper skipper_;

  bool array_ended_ = false;
  bool cut_off_ = false;
  std::string epilogue_;
  uint64_t epilogue_offset_ = 0;
  bool epilogue_complete_ = true;
};

}  // namespace warpsight::torch_json
