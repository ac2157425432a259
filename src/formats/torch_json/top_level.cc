#include "formats/torch_json/top_level.h"

#include <algorithm>

#include "formats/torch_json/block.h"
#include "formats/torch_json/json_text.h"
#include "formats/torch_json/scan.h"

namespace warpsight::torch_json {
namespace {

constexpr std::string_view kEventsKey = "traceEvents";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

enum class MemberOutcome : uint8_t { kMember, kEvents, kClosed, kNeedsMore, kBroken, kEventsNotArray };

// Walks the members of the top-level object.
class MemberReader {
 public:
  MemberReader(const char* at, const char* end) : at_(at), end_(end) {}

  MemberOutcome Next(TopLevelMembers& members) {
    while (at_ < end_ && (IsSpace(*at_) || *at_ == ',')) ++at_;
    if (at_ >= end_) return MemberOutcome::kNeedsMore;
    if (*at_ == '}') {
      ++at_;
      return MemberOutcome::kClosed;
    }
    if (*at_ != '"') return MemberOutcome::kBroken;
    const char* const key = at_ + 1;
    const char* const key_end = Scan::FindStringEnd(key, end_);
    if (key_end == nullptr) return MemberOutcome::kNeedsMore;
    const char* value = Scan::SkipSpace(key_end + 1, end_);
    if (value < end_ && *value != ':') return MemberOutcome::kBroken;
    value = Scan::SkipSpace(value + 1, end_);
    if (value >= end_) return MemberOutcome::kNeedsMore;
    const std::string_view name(key, static_cast<size_t>(key_end - key));
    if (name == kEventsKey) {
      at_ = value + 1;
      return *value == '[' ? MemberOutcome::kEvents : MemberOutcome::kEventsNotArray;
    }
    const char* const past = ValueEnd(value);
    if (past == nullptr) return broken_ ? MemberOutcome::kBroken : MemberOutcome::kNeedsMore;
    members.emplace_back(Unescape(name).text, std::string(value, past));
    at_ = past;
    return MemberOutcome::kMember;
  }

  const char* at() const { return at_; }

 private:
  const char* ValueEnd(const char* value) {
    if (*value == '"') {
      const char* const close = Scan::FindStringEnd(value + 1, end_);
      return close == nullptr ? nullptr : close + 1;
    }
    if (*value == '{' || *value == '[') {
      NestedFault fault = NestedFault::kNone;
      const char* const past = Scan::FindNestedEnd(value, end_, fault);
      broken_ = fault == NestedFault::kStrayQuote;
      return past;
    }
    const char* const past = Scan::FindScalarEnd(value, end_);
    return past >= end_ ? nullptr : past;
  }

  const char* at_;
  const char* end_;
  bool broken_ = false;
};

// The event array by its key alone, for files whose first members are damaged.
const char* FindEventsByKey(const char* begin, const char* end) {
  const std::string_view text(begin, static_cast<size_t>(end - begin));
  for (size_t at = text.find("\"traceEvents\""); at != std::string_view::npos; at = text.find("\"traceEvents\"", at + 1)) {
    const char* colon = Scan::SkipSpace(begin + at + kEventsKey.size() + 2, end);
    if (colon >= end || *colon != ':') continue;
    const char* const bracket = Scan::SkipSpace(colon + 1, end);
    if (bracket < end && *bracket == '[') return bracket + 1;
  }
  return nullptr;
}

// A bare array must hold objects: numbers or arrays in it are another tool's data.
Prologue ReadBareArray(const char* begin, const char* at, const char* end) {
  Prologue prologue;
  const char* const first = Scan::SkipSpace(at + 1, end);
  prologue.bare_array = true;
  prologue.events_at = static_cast<size_t>(at + 1 - begin);
  if (first < end && *first != '{' && *first != ']') {
    prologue.outcome = PrologueOutcome::kNotATrace;
    prologue.reason = "a JSON array, but its elements are no event objects";
    return prologue;
  }
  prologue.outcome = PrologueOutcome::kEvents;
  return prologue;
}

}  // namespace

Prologue ReadPrologue(std::string_view unpadded) {
  PaddedText text;
  text.Assign(unpadded);
  const char* const begin = text.begin();
  const char* const end = text.end();
  const char* at = begin;
  if (unpadded.substr(0, kByteOrderMark.size()) == kByteOrderMark) at += kByteOrderMark.size();
  at = Scan::SkipSpace(at, end);
  Prologue prologue;
  if (at >= end) {
    prologue.outcome = PrologueOutcome::kNeedsMore;
    return prologue;
  }
  if (*at == '[') return ReadBareArray(begin, at, end);
  if (*at != '{') {
    prologue.reason = "not JSON";
    return prologue;
  }
  MemberReader reader(at + 1, end);
  MemberOutcome outcome = MemberOutcome::kMember;
  while (outcome == MemberOutcome::kMember) outcome = reader.Next(prologue.members);
  prologue.events_at = static_cast<size_t>(reader.at() - begin);
  switch (outcome) {
    case MemberOutcome::kEvents:
      prologue.outcome = PrologueOutcome::kEvents;
      return prologue;
    case MemberOutcome::kNeedsMore:
      prologue.outcome = PrologueOutcome::kNeedsMore;
      return prologue;
    case MemberOutcome::kEventsNotArray:
      prologue.outcome = PrologueOutcome::kNoEvents;
      prologue.reason = "\"traceEvents\" is no array";
      return prologue;
    case MemberOutcome::kClosed:
      prologue.outcome = PrologueOutcome::kNoEvents;
      prologue.reason = "JSON without \"traceEvents\"";
      return prologue;
    default:
      break;
  }
  if (const char* const found = FindEventsByKey(begin, end); found != nullptr) {
    prologue.outcome = PrologueOutcome::kEvents;
    prologue.events_at = static_cast<size_t>(found - begin);
    prologue.damaged = true;
    return prologue;
  }
  prologue.outcome = PrologueOutcome::kNotATrace;
  prologue.reason = "not valid JSON";
  return prologue;
}

Epilogue ReadEpilogue(std::string_view unpadded, bool bare_array) {
  PaddedText text;
  text.Assign(unpadded);
  Epilogue epilogue;
  MemberReader reader(text.begin(), text.end());
  const char* at = text.begin();
  if (!bare_array) {
    MemberOutcome outcome = MemberOutcome::kMember;
    while (outcome == MemberOutcome::kMember) outcome = reader.Next(epilogue.members);
    epilogue.closed = outcome == MemberOutcome::kClosed;
    epilogue.damaged =
        outcome == MemberOutcome::kBroken || outcome == MemberOutcome::kEvents || outcome == MemberOutcome::kEventsNotArray;
    if (!epilogue.closed) return epilogue;
    at = reader.at();
  } else {
    epilogue.closed = true;
  }
  epilogue.trailing_bytes = static_cast<size_t>(std::count_if(at, text.end(), [](char c) { return !IsSpace(c) && c != 0; }));
  return epilogue;
}

}  // namespace warpsight::torch_json
