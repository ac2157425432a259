// EventWalk: one event object of a Chrome trace, from text to raw fields, in one pass.
//
// Not a header of its own: event_parser.cc and event_parser_avx2.cc include it inside of a namespace that has a class `Scan`
// (scan_functions.h) and a type `Bytes`, hence no #pragma once and no includes.

class EventWalk {
 public:
  EventWalk(KeyGuess& guess, const char* end, EventFields& fields) : guess_(guess), end_(end), fields_(fields) {}

  ParsedEvent Parse(const char* at) { return Object(at, false); }

 private:
  // String, Scalar and Value are parts of one loop, in which calls would be the larger part of the work.
  [[gnu::always_inline]] inline ParsedEvent String(const char* begin, Field field) {
    last_string_ = begin;
    last_field_ = field;
    const char* close = nullptr;
    if (field == Field::kName) {
      StringFacts facts;
      close = Scan::FindStringEnd(begin, end_, facts);
      if (close == nullptr) return Incomplete();
      fields_.name_escapes = facts.escapes;
      fields_.name_non_ascii = facts.non_ascii;
      if (facts.controls) fields_.repairs |= kRepairControls;
    } else {
      close = Scan::FindStringEnd(begin, end_);
      if (close == nullptr) return Incomplete();
    }
    if (field != Field::kCount) {
      const std::string_view value(begin, static_cast<size_t>(close - begin));
      fields_.Set(field, value);
      if (field == Field::kPhase || field == Field::kCategory) node_ = selector_ = KeyGuess::AfterSelector(value, selector_);
    }
    return {ParseOutcome::kEvent, close + 1};
  }

  [[gnu::always_inline]] inline ParsedEvent Scalar(const char* at, Field field) {
    const char* const past = Scan::FindScalarEnd(at, end_);
    if (past >= end_) return Incomplete();
    if (past == at) return Broken(at);
    const char first = *at;
    if (!IsDigit(first) && first != 't' && first != 'f' && !(first == 'n' && at[1] == 'u') &&
        !(first == '-' && IsDigit(at[1]))) {
      fields_.repairs |= kRepairNonJsonNumber;
    }
    const std::string_view value(at, static_cast<size_t>(past - at));
    if (field != Field::kCount && (first != 'n' || value != "null")) fields_.Set(field, value);
    last_string_ = nullptr;
    last_is_number_ = true;
    last_number_ = at;
    last_field_ = field;
    return {ParseOutcome::kEvent, past};
  }

  [[gnu::always_inline]] inline ParsedEvent Value(const char* at, Field field) {
    last_is_number_ = false;
    switch (*at) {
      case '"':
        return String(at + 1, field);
      case '{':
      case '[':
        return Nested(at, field);
      default:
        return Scalar(at, field);
    }
  }

  // `at` is the opening brace.
  ParsedEvent Object(const char* at, bool in_args) {
    ++at;
    bool first = true;
    for (;;) {
      Field field = Field::kCount;
      const KeyGuess::Place place = KeyGuess::PlaceOf(in_args, first);
      if (const KeyGuess::Node known = Guess(at, place); known != KeyGuess::kRoot && at + guess_.entry(known).size < end_) {
        const KeyGuess::Entry& entry = guess_.entry(known);
        node_ = known;
        at += entry.size;
        if (entry.closes) return {ParseOutcome::kEvent, at};
        field = entry.field;
        if (static_cast<unsigned char>(*at) <= ' ') at = Scan::SkipSpace(at, end_);  // more of it than last time
        if (at >= end_) return Incomplete();
      } else {
        const char* const gap = at;
        at = Scan::SkipSpace(at, end_);
        if (at >= end_) return Incomplete();
        if (!first && *at != '}') {
          if (*at != ',') {
            if (Mend(at, in_args)) continue;
            return Broken(at);
          }
          at = Scan::SkipSpace(at + 1, end_);  // a comma too many before the brace is harmless
          if (at < end_ && last_is_number_ && IsDigit(*at)) {
            at = DecimalComma(at);
            continue;
          }
        }
        if (at < end_ && *at == '}') {
          node_ = guess_.Learn(node_, gap, at + 1, place, Field::kCount, true);
          return {ParseOutcome::kEvent, at + 1};
        }
        const ParsedEvent key = Key(at, in_args, field);
        if (key.outcome != ParseOutcome::kEvent) {
          at = key.next;
          if (key.outcome == ParseOutcome::kBroken && Mend(at, in_args)) continue;
          return key;
        }
        at = key.next;
        node_ = guess_.Learn(node_, gap, at, place, field, false);
      }
      first = false;
      const ParsedEvent value = Value(at, field);
      if (value.outcome != ParseOutcome::kEvent) return value;
      at = value.next;
    }
  }

  // The known text that stands at `at`, kRoot when it is not known.
  [[gnu::always_inline]] inline KeyGuess::Node Guess(const char* at, KeyGuess::Place place) {
    const KeyGuess::Node likely = guess_.Likely(node_);
    const KeyGuess::Entry& entry = guess_.entry(likely);
    const uint32_t missing = ~Bytes::Equal32Bytes(entry.text, at) & entry.wanted;
    if (missing == 0 && entry.place == place && KeyGuess::FitsBehind32(entry, at)) return likely;
    return guess_.Match(node_, at, place);
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

  ParsedEvent Nested(const char* at, Field field) {
    if (field == Field::kArgs && *at == '{') {
      fields_.Set(field, {at, 1});
      last_string_ = nullptr;
      const ParsedEvent inside = Object(at, true);
      last_string_ = nullptr;
      if (inside.outcome == ParseOutcome::kEvent) {
        fields_.text[static_cast<size_t>(Field::kArgs)] = {at, static_cast<size_t>(inside.next - at)};
      }
      return inside;
    }
    NestedFault fault = NestedFault::kNone;
    const char* const past = Scan::FindNestedEnd(at, end_, fault);
    if (past == nullptr) return fault == NestedFault::kEnd ? Incomplete() : Broken(at);
    if (field != Field::kCount) fields_.Set(field, {at, static_cast<size_t>(past - at)});
    last_string_ = nullptr;
    return {ParseOutcome::kEvent, past};
  }

  // `at` is the digit after a comma: a locale wrote 12,5 for 12.5. The value becomes the whole of it; the number parser of
  // the field takes the comma for a point.
  const char* DecimalComma(const char* at) {
    const char* const past = Scan::FindScalarEnd(at, end_);
    fields_.repairs |= kRepairDecimalComma;
    if (last_field_ != Field::kCount) {
      fields_.text[static_cast<size_t>(last_field_)] = {last_number_, static_cast<size_t>(past - last_number_)};
    }
    last_is_number_ = false;
    return past;
  }

  // The text does not go on as JSON after a string: the string holds quotes that were not escaped. Its true end is the first
  // quote that is followed by the end of the object or by a comma and the next key. On success `at` is the byte after that
  // quote.
  bool Mend(const char*& at, bool in_args) {
    if (last_string_ == nullptr) return false;
    // Never into the next event: a string whose end is missing altogether makes its event broken, not its neighbour.
    const char* const limit = FindEventBorder(last_string_, end_);
    for (const char* quote = last_string_; quote < limit; ++quote) {
      quote = Scan::FindStringEnd(quote, limit);
      if (quote == nullptr) return false;
      if (quote < at - 1 || !EndsValue(quote + 1, in_args)) continue;
      if (last_field_ != Field::kCount) {
        fields_.text[static_cast<size_t>(last_field_)] = {last_string_, static_cast<size_t>(quote - last_string_)};
      }
      fields_.repairs |= kRepairQuotes;
      last_string_ = nullptr;
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

  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
  ParsedEvent Incomplete() const { return {ParseOutcome::kIncomplete, end_}; }
  static ParsedEvent Broken(const char* at) { return {ParseOutcome::kBroken, at}; }

  KeyGuess& guess_;
  KeyGuess::Node node_ = KeyGuess::kRoot;
  KeyGuess::Node selector_ = KeyGuess::kRoot;  // after the last value that told kinds of events apart
  const char* end_;
  EventFields& fields_;
  // The last value, for mending.
  const char* last_string_ = nullptr;
  const char* last_number_ = nullptr;
  Field last_field_ = Field::kCount;
  bool last_is_number_ = false;
};
