// EventWalk: one event object of a Chrome trace, from text to raw fields, in one pass.
//
// Not a header of its own: event_parser.cc and event_parser_avx2.cc include it inside of a namespace that has a class `Scan`
// (scan_functions.h) and a type `Bytes`, hence no #pragma once and no includes.

class EventWalk {
 public:
  EventWalk(KeyGuess& guess, const char* end, EventFields& fields) : guess_(guess), end_(end), fields_(fields) {}

  ParsedEvent Parse(const char* at) {
    Seen seen;
    const ParsedEvent event = Members(at, seen);
    fields_.seen = seen.fields;
    if (seen.repeated != 0) fields_.repairs |= kRepairDuplicateKey;
    return event;
  }

 private:
  // Which fields had a value, a bit each: here and not in EventFields, so that they stay in registers.
  struct Seen {
    uint64_t fields = 0;
    uint64_t repeated = 0;
  };

  // `at` is the opening brace. The args are walked by the same loop as the event around them.
  [[gnu::always_inline]] inline ParsedEvent Members(const char* at, Seen& seen) {
    const char* const end = end_;
    const char* args = nullptr;  // their opening brace while inside of them
    KeyGuess::Node node = KeyGuess::kRoot;
    KeyGuess::Node selector = KeyGuess::kRoot;  // after the last value that told kinds of events apart
    ++at;
    bool first = true;
    for (;;) {
      const Member member = NextMember(node, at, KeyGuess::PlaceOf(args != nullptr, first));
      at = member.at;
      node = member.node;
      const Field field = member.field;
      if (member.step != Step::kValue) [[unlikely]] {
        if (member.step == Step::kAgain) continue;
        if (member.step == Step::kIncomplete) return Incomplete();
        if (member.step == Step::kBroken) return Broken(at);
        if (args == nullptr) return {ParseOutcome::kEvent, at};
        fields_.text[static_cast<size_t>(Field::kArgs)] = {args, static_cast<size_t>(at - args)};
        args = nullptr;
        first = false;
        if (!LastIsScalar()) last_value_ = nullptr;
        continue;
      }
      first = false;
      const char* begin = at;
      const char* past = nullptr;
      last_value_ = at;
      last_field_ = field;
      if (*at == '"') {
        begin = at + 1;
        past = field == Field::kName ? NameEnd(begin) : Scan::FindStringEnd(begin, end);
        if (past == nullptr) return Incomplete();
        at = past + 1;
        if (field == Field::kPhase || field == Field::kCategory) {
          node = selector = KeyGuess::AfterSelector({begin, static_cast<size_t>(past - begin)}, selector);
        }
      } else if (*at == '{' || *at == '[') {
        if (field == Field::kArgs && *at == '{') {
          args = at;
          first = true;
          at = past = at + 1;
          last_value_ = nullptr;
        } else {
          NestedFault fault = NestedFault::kNone;
          past = Scan::FindNestedEnd(at, end, fault);
          if (past == nullptr) return fault == NestedFault::kEnd ? Incomplete() : Broken(at);
          at = past;
        }
      } else {
        past = Scan::FindScalarEnd(at, end);
        if (past >= end) return Incomplete();
        if (past == at) return Broken(at);
        at = past;
        if (!IsDigit(*begin) && !OtherScalar({begin, static_cast<size_t>(past - begin)})) continue;
      }
      if (field == Field::kCount) continue;
      const uint64_t bit = uint64_t{1} << static_cast<unsigned>(field);
      seen.repeated |= seen.fields & bit;
      seen.fields |= bit;
      fields_.text[static_cast<size_t>(field)] = {begin, static_cast<size_t>(past - begin)};
    }
  }

  // What comes after a value or an opening brace.
  enum class Step : uint8_t {
    kValue,   // a key, and a value that begins at `at`
    kCloses,  // the closing brace of the object; `at` is the byte after it
    kAgain,   // the value before went on up to `at`: it was mended
    kIncomplete,
    kBroken,
  };
  struct Member {
    const char* at;
    KeyGuess::Node node;
    Field field;
    Step step;
  };

  [[gnu::always_inline]] inline Member NextMember(KeyGuess::Node node, const char* at, KeyGuess::Place place) {
    const KeyGuess::Node known = Guess(node, at, place);
    const KeyGuess::Entry& entry = guess_.entry(known);
    if (known == KeyGuess::kRoot || at + entry.size >= end_) [[unlikely]]
      return UnknownMember(node, at, place);
    at += entry.size;
    if (static_cast<unsigned char>(*at) <= ' ' && !entry.closes) [[unlikely]] {  // more of it than last time
      at = Scan::SkipSpace(at, end_);
      if (at >= end_) return {at, known, entry.field, Step::kIncomplete};
    }
    return {at, known, entry.field, entry.closes ? Step::kCloses : Step::kValue};
  }

  // The same without a guess, which is made here for the next time.
  [[gnu::noinline]] Member UnknownMember(KeyGuess::Node node, const char* at, KeyGuess::Place place) {
    const bool in_args = place == KeyGuess::Place::kArgsStart || place == KeyGuess::Place::kInArgs;
    const bool first = place == KeyGuess::Place::kArgsStart || place == KeyGuess::Place::kEventStart;
    const char* const gap = at;
    at = Scan::SkipSpace(at, end_);
    if (at >= end_) return {at, node, Field::kCount, Step::kIncomplete};
    if (!first && *at != '}') {
      if (*at != ',') return MendedMember(node, at, in_args);
      at = Scan::SkipSpace(at + 1, end_);  // a comma too many before the brace is harmless
      if (at < end_ && IsDigit(*at) && LastIsScalar()) return {DecimalComma(at), node, Field::kCount, Step::kAgain};
    }
    if (at < end_ && *at == '}') {
      ++at;
      return {at, guess_.Learn(node, gap, at, place, Field::kCount, true), Field::kCount, Step::kCloses};
    }
    Field field = Field::kCount;
    const ParsedEvent key = Key(at, in_args, field);
    at = key.next;
    if (key.outcome == ParseOutcome::kIncomplete) return {at, node, field, Step::kIncomplete};
    if (key.outcome == ParseOutcome::kBroken) return MendedMember(node, at, in_args);
    return {at, guess_.Learn(node, gap, at, place, field, false), field, Step::kValue};
  }

  Member MendedMember(KeyGuess::Node node, const char* at, bool in_args) {
    const bool mended = Mend(at, in_args);
    return {at, node, Field::kCount, mended ? Step::kAgain : Step::kBroken};
  }

  // The closing quote of the name, null when there is none.
  [[gnu::always_inline]] inline const char* NameEnd(const char* begin) {
    StringFacts facts;
    const char* const close = Scan::FindStringEnd(begin, end_, facts);
    if (close == nullptr) return nullptr;
    fields_.name_escapes = facts.escapes;
    fields_.name_non_ascii = facts.non_ascii;
    if (facts.controls) fields_.repairs |= kRepairControls;
    return close;
  }

  // Whether a scalar that begins with no digit is a value at all: null is not.
  bool OtherScalar(std::string_view value) {
    const char first = value[0];
    if (first != 't' && first != 'f' && !(first == 'n' && value.data()[1] == 'u') &&
        !(first == '-' && IsDigit(value.data()[1]))) {
      fields_.repairs |= kRepairNonJsonNumber;
    }
    return value != "null";
  }

  // The known text that stands at `at`, kRoot when it is not known.
  [[gnu::always_inline]] inline KeyGuess::Node Guess(KeyGuess::Node node, const char* at, KeyGuess::Place place) {
    const KeyGuess::Node likely = guess_.Likely(node);
    const KeyGuess::Entry& entry = guess_.entry(likely);
    const uint32_t missing = ~Bytes::Equal32Bytes(entry.text, at) & entry.wanted;
    if (missing == 0 && entry.place == place && KeyGuess::FitsBehind32(entry, at)) return likely;
    return guess_.Match(node, at, place);
  }

  // "key" : up to the first byte of the value.
  ParsedEvent Key(const char* at, bool in_args, Field& field) const {
    if (at >= end_) return Incomplete();
    if (*at != '"') return Broken(at);
    const char* const begin = at + 1;
    const char* const close = Scan::FindStringEnd(begin, end_);
    if (close == nullptr) return Incomplete();
    at = Scan::SkipSpace(close + 1, end_);
    if (at >= end_) return Incomplete();
    if (*at != ':' || close - begin > kLongestKey) return Broken(at);
    at = Scan::SkipSpace(at + 1, end_);
    if (at >= end_) return Incomplete();
    const std::string_view key(begin, static_cast<size_t>(close - begin));
    field = key.empty() ? Field::kCount : FindField(key, in_args);
    return {ParseOutcome::kEvent, at};
  }

  // `at` is the digit after a comma: a locale wrote 12,5 for 12.5. The value becomes the whole of it; the number parser of
  // the field takes the comma for a point.
  const char* DecimalComma(const char* at) {
    const char* const past = Scan::FindScalarEnd(at, end_);
    fields_.repairs |= kRepairDecimalComma;
    if (last_field_ != Field::kCount) {
      fields_.text[static_cast<size_t>(last_field_)] = {last_value_, static_cast<size_t>(past - last_value_)};
    }
    last_value_ = nullptr;
    return past;
  }

  // The text does not go on as JSON after a string: the string holds quotes that were not escaped. Its true end is the first
  // quote that is followed by the end of the object or by a comma and the next key. On success `at` is the byte after that
  // quote.
  bool Mend(const char*& at, bool in_args) {
    if (last_value_ == nullptr || *last_value_ != '"') return false;
    const char* const begin = last_value_ + 1;
    // Never into the next event: a string whose end is missing altogether makes its event broken, not its neighbour.
    const char* const limit = FindEventBorder(begin, end_);
    for (const char* quote = begin; quote < limit; ++quote) {
      quote = Scan::FindStringEnd(quote, limit);
      if (quote == nullptr) return false;
      if (quote < at - 1 || !EndsValue(quote + 1, in_args)) continue;
      if (last_field_ != Field::kCount) {
        fields_.text[static_cast<size_t>(last_field_)] = {begin, static_cast<size_t>(quote - begin)};
      }
      fields_.repairs |= kRepairQuotes;
      last_value_ = nullptr;
      at = quote + 1;
      return true;
    }
    return false;
  }

  // Whether the text at `at` is what must stand after a value of this object.
  bool EndsValue(const char* at, bool in_args) const {
    at = Scan::SkipSpace(at, end_);
    if (at >= end_) return false;
    if (*at == '}') {
      const char* const after = Scan::SkipSpace(at + 1, end_);
      return after >= end_ || *after == ',' || *after == '}' || *after == ']';
    }
    if (*at != ',') return false;
    at = Scan::SkipSpace(at + 1, end_);
    if (at >= end_ || *at != '"') return false;
    const char* const key_end = Scan::FindStringEnd(at + 1, end_);
    if (key_end == nullptr || key_end - at > kLongestKey) return false;
    const char* const colon = Scan::SkipSpace(key_end + 1, end_);
    if (colon >= end_ || *colon != ':') return false;
    const std::string_view key(at + 1, static_cast<size_t>(key_end - at - 1));
    return in_args || (!key.empty() && FindField(key, false) != Field::kCount);
  }

  bool LastIsScalar() const {
    return last_value_ != nullptr && *last_value_ != '"' && *last_value_ != '{' && *last_value_ != '[';
  }
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
  ParsedEvent Incomplete() const { return {ParseOutcome::kIncomplete, end_}; }
  static ParsedEvent Broken(const char* at) { return {ParseOutcome::kBroken, at}; }

  KeyGuess& guess_;
  const char* end_;
  EventFields& fields_;
  // The last value, for mending: where it begins, null when it is done with.
  const char* last_value_ = nullptr;
  Field last_field_ = Field::kCount;
};
