// TraceGrower: makes a large trace of a small real one, so that speed is measured on text that looks like Kineto's.
//
// The text of the input stays as it is, byte for byte; only numbers that must differ between the copies are rewritten: times
// move by whole multiples of the recording's length (integer ns, so 3 decimals stay exact), and correlation, External, flow,
// Python, sequence and event numbers move by the width of their range, so that no two copies share one. ProfilerStep#k is
// counted on. Rows that describe the file (ph M, the profiler's own span, the window marks) are written once.
// Memory: the input's text and about 100 bytes an event; the output is streamed. One thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "json_cursor.h"
#include "time_text.h"

namespace warpsight::bench {

class TraceGrower {
 public:
  // Takes a piece of the output; false ends the writing (disk full).
  using Sink = std::function<bool(std::string_view)>;

  // Finds what must change. Unreadable when `text` is no trace, or has times that are not plain decimals.
  static Result<TraceGrower> Parse(std::string text);

  // Writes the trace with the events repeated `copies` times. False when the sink refused a piece.
  bool Write(int64_t copies, const Sink& sink) const;

  int64_t events() const { return static_cast<int64_t>(elements_.size()); }
  int64_t period_ns() const { return period_ns_; }

 private:
  // What a number is decides by how much it moves from copy to copy.
  enum Kind : uint8_t { kCorrelation, kExternal, kFlow, kEvent, kPython, kSequence, kRecord, kStep, kIdKinds, kTime, kLast };
  struct Patch {
    size_t offset;
    int64_t value;  // id, or time in ns
    uint32_t length;
    Kind kind;  // kLast: a time that belongs to the end of the whole recording
  };
  struct Element {
    size_t lead;  // where the separator before it begins
    size_t begin;
    size_t end;
    size_t first_patch;
    bool once;
  };
  struct IdRange {
    int64_t low = INT64_MAX;
    int64_t high = INT64_MIN;
    int64_t width() const { return high < low ? 0 : high - low + 1; }
  };
  // The fields of one event that decide what it is.
  struct Fields {
    std::string_view phase, category, name, scope, ts, dur, id;
    std::string_view args;
  };

  Status ReadTopLevel();
  Status ReadArray(JsonCursor& cursor);
  Status ReadElement(JsonCursor& cursor, size_t lead);
  Status AddTimes(const Fields& fields, bool once);
  void AddArgs(std::string_view args);
  void AddId(std::string_view token, Kind kind);
  void AddStep(std::string_view name);
  Status Damaged(const JsonCursor& cursor) const;

  void AppendPatch(std::string& out, const Patch& patch, int64_t copy, int64_t copies) const;
  void AppendElement(std::string& out, size_t index, size_t lead, int64_t copy, int64_t copies) const;

  std::string text_;
  std::vector<Patch> patches_;
  std::vector<Element> elements_;
  std::array<IdRange, kIdKinds> ids_;
  size_t array_end_ = 0;  // where the text after the last event begins
  int64_t first_ns_ = INT64_MAX;
  int64_t last_ns_ = INT64_MIN;
  int64_t period_ns_ = 0;
};

inline Result<TraceGrower> TraceGrower::Parse(std::string text) {
  TraceGrower grower;
  grower.text_ = std::move(text);
  if (Status status = grower.ReadTopLevel(); !status.ok()) return status;
  if (grower.elements_.empty()) return UnreadableError("the input has no traceEvents to repeat");
  grower.period_ns_ = grower.last_ns_ > grower.first_ns_ ? grower.last_ns_ - grower.first_ns_ : 0;
  return grower;
}

inline Status TraceGrower::Damaged(const JsonCursor& cursor) const {
  return UnreadableError("the input is no whole JSON trace: it breaks at byte " +
                         std::to_string(cursor.position() - text_.data()));
}

inline Status TraceGrower::ReadTopLevel() {
  JsonCursor cursor(text_);
  if (cursor.Accept('[')) return ReadArray(cursor);
  if (!cursor.Accept('{')) return Damaged(cursor);
  std::string_view key;
  for (bool first = true; cursor.NextKey(first, &key); first = false) {
    if (key == "traceEvents" && cursor.Accept('[')) return ReadArray(cursor);
    cursor.SkipValue();
  }
  return cursor.ok() ? UnreadableError("the input has no traceEvents array") : Damaged(cursor);
}

inline Status TraceGrower::ReadArray(JsonCursor& cursor) {
  size_t lead = static_cast<size_t>(cursor.position() - text_.data());
  array_end_ = lead;
  if (cursor.Accept(']')) return OkStatus();
  do {
    if (Status status = ReadElement(cursor, lead); !status.ok()) return status;
    lead = array_end_ = elements_.back().end;
  } while (cursor.Accept(','));
  return cursor.Accept(']') ? OkStatus() : Damaged(cursor);
}

inline Status TraceGrower::ReadElement(JsonCursor& cursor, size_t lead) {
  if (!cursor.Accept('{')) return Damaged(cursor);
  const size_t begin = static_cast<size_t>(cursor.position() - text_.data()) - 1;
  Fields fields;
  const std::array<std::pair<std::string_view, std::string_view*>, 8> wanted = {{{"ph", &fields.phase},
                                                                                 {"cat", &fields.category},
                                                                                 {"name", &fields.name},
                                                                                 {"s", &fields.scope},
                                                                                 {"ts", &fields.ts},
                                                                                 {"dur", &fields.dur},
                                                                                 {"id", &fields.id},
                                                                                 {"args", &fields.args}}};
  std::string_view key;
  for (bool first = true; cursor.NextKey(first, &key); first = false) {
    const std::string_view value = cursor.SkipValue();
    for (const auto& [name, field] : wanted) {
      if (key == name) *field = value;
    }
  }
  if (!cursor.ok()) return Damaged(cursor);
  const bool once = fields.phase == "\"M\"" || fields.category == "\"Trace\"" || fields.scope == "\"g\"";
  const size_t end = static_cast<size_t>(cursor.position() - text_.data());
  elements_.push_back({lead, begin, end, patches_.size(), once});
  if (Status status = AddTimes(fields, once); !status.ok()) return status;
  if (once) return OkStatus();
  AddStep(fields.name);
  // An ac2g arrow carries the correlation id of the events that it joins.
  const bool launch_arrow = fields.category == "\"ac2g\"" || fields.category == "\"async\"";
  if (!fields.id.empty()) AddId(fields.id, launch_arrow ? kCorrelation : kFlow);
  if (!fields.args.empty()) AddArgs(fields.args);
  // Writing goes through the text from front to back, but a file may have its keys in any order.
  std::sort(patches_.begin() + static_cast<ptrdiff_t>(elements_.back().first_patch), patches_.end(),
            [](const Patch& a, const Patch& b) { return a.offset < b.offset; });
  return OkStatus();
}

inline Status TraceGrower::AddTimes(const Fields& fields, bool once) {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
  const bool has_start = !fields.ts.empty();
  if ((has_start && !ParseTime(fields.ts, &start_ns)) || (!fields.dur.empty() && !ParseTime(fields.dur, &duration_ns))) {
    return UnreadableError("an event has a time that is no plain decimal number: ts " + std::string(fields.ts) + ", dur " +
                           std::string(fields.dur));
  }
  const auto add = [&](std::string_view token, int64_t value, Kind kind) {
    patches_.push_back({static_cast<size_t>(token.data() - text_.data()), value, static_cast<uint32_t>(token.size()), kind});
  };
  if (!has_start) return OkStatus();
  if (!once) {
    add(fields.ts, start_ns, kTime);
    first_ns_ = std::min(first_ns_, start_ns);
    // A part of a ns in the text counts as a whole one, so that copies never overlap.
    const int64_t parts_ns = HasPartsOfNs(fields.ts) + HasPartsOfNs(fields.dur);
    last_ns_ = std::max(last_ns_, start_ns + std::max<int64_t>(duration_ns, 0) + parts_ns);
  } else if (fields.category == "\"Trace\"" && !fields.dur.empty()) {
    add(fields.dur, duration_ns, kLast);
  } else if (fields.name == "\"Record Window End\"") {
    add(fields.ts, start_ns, kLast);
  }
  return OkStatus();
}

inline void TraceGrower::AddArgs(std::string_view args) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 10> kKeys = {
      {{"External id", kExternal},
       {"external id", kExternal},
       {"correlation", kCorrelation},
       {"wait_on_cuda_event_record_corr_id", kCorrelation},
       {"Ev Idx", kEvent},
       {"Ev Parent Idx", kEvent},
       {"Python id", kPython},
       {"Python parent id", kPython},
       {"Sequence number", kSequence},
       {"Record function id", kRecord}}};
  JsonCursor cursor(args);
  if (!cursor.Accept('{')) return;
  std::string_view key;
  for (bool first = true; cursor.NextKey(first, &key); first = false) {
    const std::string_view value = cursor.SkipValue();
    for (const auto& [name, kind] : kKeys) {
      if (key == name) AddId(value, kind);
    }
  }
}

inline void TraceGrower::AddId(std::string_view token, Kind kind) {
  int64_t value = 0;
  // Recorders of 2021 wrote some ids as text.
  if (token.size() > 2 && token.front() == '"') token = token.substr(1, token.size() - 2);
  if (!ParseId(token, &value)) return;
  // 0 and -1 say "none" where a recorder counts from 1; event and Python numbers start at 0.
  const bool counts_from_zero = kind == kEvent || kind == kPython || kind == kStep || kind == kSequence;
  if (value < 0 || (value == 0 && !counts_from_zero)) return;
  ids_[kind].low = std::min(ids_[kind].low, value);
  ids_[kind].high = std::max(ids_[kind].high, value);
  patches_.push_back({static_cast<size_t>(token.data() - text_.data()), value, static_cast<uint32_t>(token.size()), kind});
}

inline void TraceGrower::AddStep(std::string_view name) {
  static constexpr std::string_view kPrefix = "\"ProfilerStep#";
  if (name.size() > kPrefix.size() + 1 && name.substr(0, kPrefix.size()) == kPrefix) {
    AddId(name.substr(kPrefix.size(), name.size() - kPrefix.size() - 1), kStep);
  }
}

inline void TraceGrower::AppendPatch(std::string& out, const Patch& patch, int64_t copy, int64_t copies) const {
  const std::string_view token(text_.data() + patch.offset, patch.length);
  if (patch.kind == kTime) {
    AppendTime(out, patch.value + copy * period_ns_, token);
  } else if (patch.kind == kLast) {
    AppendTime(out, patch.value + (copies - 1) * period_ns_, token);
  } else {
    AppendNumber(out, patch.value + copy * ids_[patch.kind].width());
  }
}

inline void TraceGrower::AppendElement(std::string& out, size_t index, size_t lead, int64_t copy, int64_t copies) const {
  const Element& element = elements_[index];
  out.append(text_, elements_[lead].lead, elements_[lead].begin - elements_[lead].lead);
  const size_t end_patch = index + 1 < elements_.size() ? elements_[index + 1].first_patch : patches_.size();
  size_t at = element.begin;
  for (size_t i = element.first_patch; i < end_patch; ++i) {
    out.append(text_, at, patches_[i].offset - at);
    AppendPatch(out, patches_[i], copy, copies);
    at = patches_[i].offset + patches_[i].length;
  }
  out.append(text_, at, element.end - at);
}

inline bool TraceGrower::Write(int64_t copies, const Sink& sink) const {
  constexpr size_t kPieceBytes = size_t{1} << 20;
  std::string out;
  out.reserve(kPieceBytes + (size_t{1} << 16));
  // What describes the file and stands behind the last repeated event (as in Kineto's files) stays behind the last copy.
  size_t body = elements_.size();
  while (body > 0 && elements_[body - 1].once) --body;
  // The first element written has no comma before it; any other lead of the file has one.
  const size_t comma_lead = elements_.size() > 1 ? 1 : 0;
  const auto write = [&](size_t index, int64_t copy) {
    const bool first = index == 0 && copy == 0;
    if (elements_.size() == 1 && copy > 0) out.push_back(',');
    AppendElement(out, index, index == 0 && !first ? comma_lead : index, copy, copies);
    if (out.size() < kPieceBytes) return true;
    const bool taken = sink(out);
    out.clear();
    return taken;
  };
  out.append(text_, 0, elements_[0].lead);
  for (int64_t copy = 0; copy < copies; ++copy) {
    for (size_t i = 0; i < body; ++i) {
      if (copy > 0 && elements_[i].once) continue;
      if (!write(i, copy)) return false;
    }
  }
  for (size_t i = body; i < elements_.size(); ++i) {
    if (!write(i, 0)) return false;
  }
  out.append(text_, array_end_, std::string::npos);
  return sink(out);
}

}  // namespace warpsight::bench
