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
  if (event.outcome != ParseOutcome::kIncomplete) {
    // Whole or broken, it is parsed again with what follows it, by the one code that adds and mends events.
    const std::string text = std::move(open_text_);
    open_text_.clear();
    open_ = false;
    Reparse(text, open_offset_);
    return;
  }
  // Objects without a phase are more likely part of the open event's args than events.
  const bool block_stands_alone = result.events > 0 && result.broken == 0 && result.shard.log.count("no_phase") == 0;
  if (block_stands_alone) {
    open_text_.resize(had);
    ExcludeOpenEvent("broken_event", "an event is not valid JSON and could not be mended: left out up to the next event");
    Accept(block.text.view(), block.offset, std::move(result));
    return;
  }
  if (open_text_.size() > kLargestEvent && !GiveUpOpenEvent()) {
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
  ExcludeOpenEvent("oversized_event", "an event is larger than 16 MiB: left out");
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

// The open event never ends: an opening bracket or quote too many made it swallow what follows. Leaves it out and reads on
// at the next border inside of its text; false when there is none. Each call parses the rest again, so there is a bound on
// calls.
bool BlockJoiner::GiveUpOpenEvent() {
  constexpr int kMostTries = 64;
  PaddedText text;
  text.Assign(open_text_);
  const char* const border = FindEventBorder(text.begin() + std::min<size_t>(1, text.size()), text.end());
  if (border == text.end() || ++given_up_ > kMostTries) return false;
  const auto at = static_cast<size_t>(border - text.begin());
  const uint64_t offset = open_offset_;
  ExcludeOpenEvent("broken_event", "an event is not valid JSON and could not be mended: left out up to the next event");
  Reparse(text.view().substr(at), offset + at);
  return true;
}

void BlockJoiner::Finish() {
  while (open_ && !skipping_ && GiveUpOpenEvent()) {
  }
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
