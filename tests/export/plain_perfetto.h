// An independent reading of a Perfetto trace: a plain protobuf reader and what trace_processor makes of track events.
//
// Shares no code with the exporter, its tables included. Events are sorted by time, equal times by their place in the file,
// and a begin and the next end of its track's innermost open slice are a slice. Whatever is not as the format asks is a
// problem, told in words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpsight::testing {

struct PlainField {
  uint32_t number = 0;
  uint32_t wire_type = 0;
  uint64_t value = 0;      // varints and fixed ones
  std::string_view bytes;  // of length-delimited ones
};

// The fields of a message, in order. False when the bytes are no message.
inline bool ReadFields(std::string_view message, std::vector<PlainField>& fields) {
  size_t at = 0;
  const auto varint = [&](uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at >= message.size()) return false;
      const auto byte = static_cast<unsigned char>(message[at++]);
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  };
  while (at < message.size()) {
    PlainField field;
    uint64_t key = 0;
    if (!varint(key)) return false;
    field.number = static_cast<uint32_t>(key >> 3);
    field.wire_type = key & 7;
    if (field.wire_type == 0) {
      if (!varint(field.value)) return false;
    } else if (field.wire_type == 1) {
      if (message.size() - at < 8) return false;
      std::memcpy(&field.value, message.data() + at, 8);
      at += 8;
    } else if (field.wire_type == 2) {
      uint64_t size = 0;
      if (!varint(size) || size > message.size() - at) return false;
      field.bytes = message.substr(at, size);
      at += size;
    } else {
      return false;
    }
    fields.push_back(field);
  }
  return true;
}

struct PlainTrack {
  uint64_t parent = 0;
  std::string name;
  int64_t pid = 0;  // of a process or thread
  int64_t tid = 0;
  std::string unit;
  bool is_counter = false;
};

struct PlainSlice {
  uint64_t track = 0;
  std::string category;
  std::string name;
  int64_t start = 0;
  int64_t end = -1;  // open
  int depth = 0;
  int64_t parent = -1;  // index of the slice around it
  std::vector<uint64_t> flows;
  std::map<std::string, std::string> notes;
};

struct PlainPoint {
  uint64_t track = 0;
  std::string name;
  int64_t time = 0;
};

struct PlainSample {
  uint64_t track = 0;
  int64_t time = 0;
  int64_t integer = 0;
  double real = 0;
  bool is_integer = false;
};

class PlainPerfetto {
 public:
  explicit PlainPerfetto(std::string_view bytes) {
    std::vector<PlainField> packets;
    if (!ReadFields(bytes, packets)) problems.push_back("the file is no message");
    for (const PlainField& packet : packets) {
      if (packet.number != 1 || packet.wire_type != 2) problems.push_back("not a packet");
      ReadPacket(packet.bytes);
    }
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
    for (const Event& event : events_) Play(event);
    for (const auto& [track, open] : open_) {
      if (!open.empty()) problems.push_back("a slice of " + tracks[track].name + " has no end");
    }
    for (const auto& [uuid, track] : tracks) {
      if (track.parent != 0 && !tracks.contains(track.parent)) problems.push_back(track.name + " has an unknown parent");
    }
  }

  std::map<uint64_t, PlainTrack> tracks;
  std::vector<PlainSlice> slices;
  std::vector<PlainPoint> instants;
  std::vector<PlainSample> samples;
  std::map<uint32_t, uint64_t> clocks;  // of the snapshot
  std::vector<std::string> problems;

  std::string PathOf(uint64_t track) const {
    const auto found = tracks.find(track);
    if (found == tracks.end()) return "?";
    const std::string name = found->second.name;
    return found->second.parent == 0 ? name : PathOf(found->second.parent) + " / " + name;
  }

 private:
  struct Event {
    int64_t time = 0;
    uint64_t type = 0;
    uint64_t track = 0;
    PlainSlice slice;
    PlainSample sample;
  };
  using Texts = std::map<uint64_t, std::string>;

  std::vector<PlainField> Fields(std::string_view message) {
    std::vector<PlainField> fields;
    if (!ReadFields(message, fields)) problems.push_back("a message is cut off");
    return fields;
  }

  void ReadPacket(std::string_view bytes) {
    uint64_t time = 0;
    uint64_t flags = 0;
    uint64_t sequence = 0;
    std::string_view event;
    for (const PlainField& field : Fields(bytes)) {
      if (field.number == 8) time = field.value;
      if (field.number == 10) sequence = field.value;
      if (field.number == 13) flags = field.value;
      if (field.number == 11) event = field.bytes;
      if (field.number == 12) ReadInterned(field.bytes);
      if (field.number == 60) ReadTrack(field.bytes);
      if (field.number == 6) ReadClocks(field.bytes);
    }
    if (sequence != 1) problems.push_back("a packet of no sequence");
    if (!cleared_ && flags != 1) problems.push_back("the first packet does not clear the state");
    cleared_ = true;
    if (event.empty()) return;
    if ((flags & 2) == 0) problems.push_back("an event does not say that it needs the state");
    if (static_cast<int64_t>(time) < 0) problems.push_back("a time beyond 63 bits");
    ReadEvent(event, static_cast<int64_t>(time));
  }

  void ReadClocks(std::string_view bytes) {
    for (const PlainField& clock : Fields(bytes)) {
      uint32_t id = 0;
      uint64_t time = 0;
      for (const PlainField& field : Fields(clock.bytes)) {
        if (field.number == 1) id = static_cast<uint32_t>(field.value);
        if (field.number == 2) time = field.value;
      }
      clocks[id] = time;
    }
  }

  void ReadInterned(std::string_view bytes) {
    for (const PlainField& entry : Fields(bytes)) {
      uint64_t iid = 0;
      std::string text;
      for (const PlainField& field : Fields(entry.bytes)) {
        if (field.number == 1) iid = field.value;
        if (field.number == 2) text = field.bytes;
      }
      Texts& texts = interned_[entry.number];
      if (iid == 0) problems.push_back("a text without a number");
      if (!texts.emplace(iid, text).second) problems.push_back("a number stands for two texts: " + text);
    }
  }

  std::string Lookup(uint32_t index, uint64_t iid) {
    const Texts& texts = interned_[index];
    const auto found = texts.find(iid);
    if (found != texts.end()) return found->second;
    problems.push_back("a text that was not said: " + std::to_string(index) + "/" + std::to_string(iid));
    return "?";
  }

  void ReadTrack(std::string_view bytes) {
    uint64_t uuid = 0;
    PlainTrack track;
    for (const PlainField& field : Fields(bytes)) {
      if (field.number == 1) uuid = field.value;
      if (field.number == 2) track.name = field.bytes;
      if (field.number == 5) track.parent = field.value;
      if (field.number == 3 || field.number == 4) {
        for (const PlainField& inner : Fields(field.bytes)) {
          if (inner.number == 1) track.pid = static_cast<int64_t>(inner.value);
          if (inner.number == 2) track.tid = static_cast<int64_t>(inner.value);
          if (inner.number == (field.number == 3 ? 6U : 5U)) track.name = inner.bytes;
        }
      }
      if (field.number == 8) {
        track.is_counter = true;
        for (const PlainField& inner : Fields(field.bytes)) {
          if (inner.number == 6) track.unit = inner.bytes;
        }
      }
    }
    if (uuid == 0 || !tracks.emplace(uuid, track).second) problems.push_back("two tracks of one number: " + track.name);
  }

  void ReadNote(std::string_view bytes, PlainSlice& slice) {
    std::string name;
    std::string value;
    for (const PlainField& field : Fields(bytes)) {
      if (field.number == 1) name = Lookup(3, field.value);
      if (field.number == 3) value = std::to_string(field.value);
      if (field.number == 4) value = std::to_string(static_cast<int64_t>(field.value));
      if (field.number == 17) value = Lookup(29, field.value);
    }
    if (name.empty() || value.empty()) problems.push_back("an annotation without name or value");
    if (!slice.notes.emplace(name, value).second) problems.push_back("an annotation twice: " + name);
  }

  void ReadEvent(std::string_view bytes, int64_t time) {
    Event event;
    event.time = time;
    bool named = false;
    for (const PlainField& field : Fields(bytes)) {
      if (field.number == 9) event.type = field.value;
      if (field.number == 11) event.track = field.value;
      if (field.number == 3) event.slice.category = Lookup(1, field.value);
      if (field.number == 10) event.slice.name = Lookup(2, field.value);
      if (field.number == 10) named = true;
      if (field.number == 4) ReadNote(field.bytes, event.slice);
      if (field.number == 47 || field.number == 48) {
        if (field.wire_type != 1) problems.push_back("a flow that is not fixed");
        event.slice.flows.push_back(field.value);
      }
      if (field.number == 30) event.sample.is_integer = true;
      if (field.number == 30) event.sample.integer = static_cast<int64_t>(field.value);
      if (field.number == 44) std::memcpy(&event.sample.real, &field.value, sizeof(double));
    }
    if (event.type < 1 || event.type > 4) problems.push_back("an event of no type");
    if (!tracks.contains(event.track)) problems.push_back("an event on no track");
    if (named != (event.type == 1 || event.type == 3)) problems.push_back("a name too few or too many");
    if (tracks[event.track].is_counter != (event.type == 4)) problems.push_back("an event on the wrong kind of track");
    events_.push_back(std::move(event));
  }

  void Play(const Event& event) {
    std::vector<size_t>& open = open_[event.track];
    if (event.type == 1) {
      PlainSlice slice = event.slice;
      slice.track = event.track;
      slice.start = event.time;
      slice.depth = static_cast<int>(open.size());
      slice.parent = open.empty() ? -1 : static_cast<int64_t>(open.back());
      open.push_back(slices.size());
      slices.push_back(std::move(slice));
    } else if (event.type == 2) {
      if (open.empty()) return problems.push_back("an end without a begin on " + PathOf(event.track));
      slices[open.back()].end = event.time;
      open.pop_back();
    } else if (event.type == 3) {
      instants.push_back({event.track, event.slice.name, event.time});
    } else {
      PlainSample sample = event.sample;
      sample.track = event.track;
      sample.time = event.time;
      samples.push_back(sample);
    }
  }

  std::map<uint32_t, Texts> interned_;
  std::map<uint64_t, std::vector<size_t>> open_;
  std::vector<Event> events_;
  bool cleared_ = false;
};

}  // namespace warpsight::testing
