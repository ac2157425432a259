// KeyGuess: what text comes between one value and the next, learned from the events before.
//
// A recorder writes every event of a kind with the same keys in the same order and the same white space. The text from the
// end of a value to the start of the next one (`,\n    "dur": `) is therefore known in advance almost always, and one
// compare of it stands for skipping space, finding the key's end and looking the key up. A guess is taken only when the
// bytes are equal and stand at the same place of the same kind of object, so it never changes what is parsed, only how fast.
//
// The texts form a tree: a node is the text that led to a value, its children are the texts that followed that value. After
// the values that tell events apart ("ph" and "cat") the walk goes on from a node of their own, so that kinds do not share
// guesses. One a worker thread; memory is bounded by kNodes.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "formats/torch_json/event_fields.h"
#include "formats/torch_json/field_keys.h"

namespace warpsight::torch_json {

class KeyGuess {
 public:
  using Node = uint16_t;
  static constexpr Node kRoot = 0;
  static constexpr size_t kLongestText = 48;

  // Where text stands. A key means one thing in an event and another in its args, and only the first key has no comma before
  // it.
  enum class Place : uint8_t { kEventStart, kInEvent, kArgsStart, kInArgs };
  static Place PlaceOf(bool in_args, bool first) {
    if (in_args) return first ? Place::kArgsStart : Place::kInArgs;
    return first ? Place::kEventStart : Place::kInEvent;
  }

  // One cache line each.
  struct alignas(64) Entry {
    char text[kLongestText] = {};
    uint32_t wanted = 0;          // a bit for each of the first 32 bytes of the text
    uint8_t size = 0;             // 0 only for reserved nodes, which nothing matches
    bool closes = false;          // the text ends with the closing brace of the object instead of leading to a value
    Field field = Field::kCount;  // of the value it leads to
    Place place = Place::kEventStart;
    std::array<Node, 3> children = {};  // most useful first; 0 = none
  };

  KeyGuess() : entries_(kReserved) { entries_.reserve(kNodes); }

  const Entry& entry(Node node) const { return entries_[node]; }

  // The child that followed `node` most often of late, kRoot when there is none. The walk looks at it first, by itself.
  Node Likely(Node node) const { return entries_[node].children[0]; }

  // The child of `node` whose text stands at `at` (in padded text), or kRoot.
  Node Match(Node node, const char* at, Place place) {
    const Node likely = entries_[node].children[0];
    return Fits(entries_[likely], at, place) ? likely : MatchOther(node, at, place);
  }

  // Notes that [begin, end) followed `node`; returns the node that stands for it, kRoot when it is not worth or able to be
  // noted.
  Node Learn(Node node, const char* begin, const char* end, Place place, Field field, bool closes) {
    const auto size = static_cast<size_t>(end - begin);
    if (size == 0 || size > kLongestText || entries_.size() >= kNodes) return kRoot;
    Entry guess;
    std::memcpy(guess.text, begin, size);
    guess.size = static_cast<uint8_t>(size);
    guess.wanted = size >= 32 ? ~uint32_t{0} : (uint32_t{1} << size) - 1;
    guess.closes = closes;
    guess.field = field;
    guess.place = place;
    const auto child = static_cast<Node>(entries_.size());
    entries_.push_back(guess);
    auto& children = entries_[node].children;
    size_t slot = 0;
    while (slot + 1 < children.size() && children[slot] != kRoot) ++slot;
    children[slot] = child;
    return child;
  }

  // Where the walk goes on after a value that tells kinds of events apart. `before` is the node of the selector before it in
  // the same event, else kRoot.
  static Node AfterSelector(std::string_view value, Node before) {
    const size_t kind = value.empty() ? 0
                                      : value.size() * 3 + static_cast<unsigned char>(value.front()) +
                                            static_cast<unsigned char>(value.back()) * 5;
    return static_cast<Node>(1 + (kind + before * size_t{29}) % kSelectors);
  }

  // Whether the bytes of a text behind the first 32 stand at `at` too.
  static bool FitsBehind32(const Entry& guess, const char* at) {
    return guess.size <= 32 || std::memcmp(guess.text + 32, at + 32, guess.size - size_t{32}) == 0;
  }

 private:
  static bool Fits(const Entry& guess, const char* at, Place place) {
    if (guess.size == 0 || guess.place != place) return false;
    return (Bytes16::Equal32Bytes(guess.text, at) & guess.wanted) == guess.wanted && FitsBehind32(guess, at);
  }
  // The other children; the one found moves up.
  [[gnu::noinline]] Node MatchOther(Node node, const char* at, Place place) {
    auto& children = entries_[node].children;
    for (size_t i = 1; i < children.size() && children[i] != kRoot; ++i) {
      if (!Fits(entries_[children[i]], at, place)) continue;
      std::swap(children[i], children[i - 1]);
      return children[i - 1];
    }
    return kRoot;
  }

  static constexpr size_t kSelectors = 128;
  static constexpr size_t kReserved = 1 + kSelectors;
  static constexpr size_t kNodes = 2048;
  std::vector<Entry> entries_;
};

}  // namespace warpsight::torch_json
