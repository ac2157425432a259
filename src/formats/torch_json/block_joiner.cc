#include "formats/torch_json/block_joiner.h"

#include <algorithm>
#include <utility>

#include "formats/torch_json/event_parser.h"

namespace warpsight::torch_json {

BlockJoiner::BlockJoiner() : parser_(std::make_shared<LocalNames>()) {}

void BlockJoiner::Add(const Block& block, BlockResult result) {
  if (array_ended_) {
    AddEpilogue(block.text.view());
  } else if (skipping_) {
    Skip(block);
  } else if (open_) {
    Continue(block, std::move(result));
  } else {
    Accept(block.text.view(), block.offset, std::move(result));
  }
}

void BlockJoiner::Accept(std::string_view text, uint64_t offset, BlockResult result) {
  shards_.push_back(std::move(result.shard));
  if (result.end == BlockEnd::kArrayEnd) {
    array_ended_ = true;
    epilogue_offset_ = offset + result.end_at + 1;
    AddEpilogue(text.substr(result.end_at + 1));
  } else if (result.end == BlockEnd::kInsideEvent) {
    open_ = true;
    open_offset_ = offset + result.end_at;
    open_text_ = text.substr(result.end_at);
  }
}

void BlockJoiner::Reparse(std::string_view text, uint64_t offset) {
  PaddedText padded;
  padded.Assign(text);
  Accept(text, offset, parser_.Parse(padded.view(), offset));
}

void BlockJoiner::Continue(const Block& block, BlockResult result) {
  const size_t had = open_text_.size();
  open_text_ += block.text.view();
  PaddedText padded;
  padded.Assign(open_text_);
  EventFields fields;
  const ParsedEvent event = EventParser().Parse(padded.begin(), padded.end(), fields);
  if (event.outcome == ParseOutcome::kEvent) {
    // The whole event is parsed again with what follows it, by the one code that adds events.
    const std::string text = std::move(open_text_);
    open_text_.clear();
    open_ = false;
    Reparse(text, open_offset_);
    return;
  }
  const bool block_stands_alone = result.events > 0 && result.broken == 0;
  if (event.outcome == ParseOutcome::kBroken || block_stands_alone) {
    open_text_.resize(had);
    ExcludeOpenEvent("broken_event", "an event is not valid JSON and could not be mended: left out up to the next event");
    Accept(block.text.view(), block.offset, std::move(result));
    return;
  }
  if (open_text_.size() > kLargestEvent) {
    skipping_ = true;
    skipper_.Reset();
    skipper_.Feed(open_text_);
    open_text_ = std::string();
  }
}

void BlockJoiner::Skip(const Block& block) {
  const std::string_view text = block.text.view();
  const size_t past = skipper_.Feed(text);
  if (past == EventSkipper::kNotYet) return;
  skipping_ = false;
  ExcludeOpenEvent("oversized_event", "an event is larger than 64 MiB: left out");
  Reparse(text.substr(past), block.offset + past);
}

void BlockJoiner::ExcludeOpenEvent(std::string_view cause, std::string_view example) {
  TraceShard shard;
  shard.names = parser_.names();
  parser_.builder().Begin(shard);
  parser_.builder().Exclude(cause, example, open_offset_);
  shards_.push_back(std::move(shard));
  open_ = false;
  open_text_ = std::string();
}

void BlockJoiner::Finish() {
  if (!open_) return;
  cut_off_ = true;
  ExcludeOpenEvent("cut_off_event", "the file ends inside an event: all events before it were read");
}

void BlockJoiner::AddEpilogue(std::string_view text) {
  const size_t room = kLargestEpilogue - epilogue_.size();
  if (text.size() > room) epilogue_complete_ = false;
  epilogue_ += text.substr(0, room);
}

}  // namespace warpsight::torch_json
