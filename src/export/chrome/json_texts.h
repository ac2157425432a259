// JsonTexts: the texts of a trace as JSON, and which of them may be copied as they are, found out once a text.
//
// Names are plain text: they are quoted and escaped, and what is no UTF-8 becomes U+FFFD. Shapes, types, labels and the like
// are held as the JSON that they were read from, without outer quotes: they are written so that a reader finds the same text
// again, as a bare list or object, or in quotes. Where that would be no JSON they are escaped, which changes them: counted.
// Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "export/chrome/json_writer.h"

namespace warpsight::chrome {

// `text` in quotes, escaped, valid whatever it holds.
void AppendQuoted(std::string& out, std::string_view text);

// Whether `text` is one JSON value without outer blanks that is no string.
bool IsBareJson(std::string_view text);

// JSON that is held as text (see above), as JSON. `changed` is set when a reader will find another text.
void AppendHeldJson(std::string& out, std::string_view text, bool& changed);

// The label of a process or thread: a number where it is one that reads back as the same text. Counts changed ones.
std::string PlaceValue(std::string_view label, int64_t& changed);

class JsonTexts {
 public:
  explicit JsonTexts(const StringPool& strings)
      : strings_(strings), name_forms_(strings.size(), kUnknown), held_forms_(strings.size(), kUnknown) {}

  void WriteName(JsonWriter& json, StringId id) {
    const std::string_view text = strings_.View(id);
    uint8_t& form = name_forms_[static_cast<uint32_t>(id)];
    if (form == kUnknown) form = FormOfName(text);
    if (form == kVerbatim) return WriteInQuotes(json, text);
    scratch_.clear();
    AppendQuoted(scratch_, text);
    json.Bytes(scratch_);
  }

  // JSON that is held as text.
  void WriteHeld(JsonWriter& json, StringId id) {
    const std::string_view text = strings_.View(id);
    uint8_t& form = held_forms_[static_cast<uint32_t>(id)];
    if (form == kUnknown) form = FormOfHeld(text);
    if (form == kVerbatim) return WriteInQuotes(json, text);
    if (form == kBare) return json.Bytes(text);
    scratch_.clear();
    bool changed = false;
    AppendHeldJson(scratch_, text, changed);
    changed_ += changed ? 1 : 0;
    json.Bytes(scratch_);
  }

  // Held texts that were written otherwise than they were read.
  int64_t changed() const { return changed_; }

 private:
  enum Form : uint8_t { kUnknown, kVerbatim, kBare, kOther };
  static uint8_t FormOfName(std::string_view text);
  static uint8_t FormOfHeld(std::string_view text);
  static void WriteInQuotes(JsonWriter& json, std::string_view text) {
    json.Character('"');
    json.Bytes(text);
    json.Character('"');
  }

  const StringPool& strings_;
  std::vector<uint8_t> name_forms_;
  std::vector<uint8_t> held_forms_;
  std::string scratch_;
  int64_t changed_ = 0;
};

}  // namespace warpsight::chrome
