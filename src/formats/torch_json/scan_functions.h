// Scan: where strings, numbers and nested values of JSON text end, Bytes::kSize bytes at a time.
//
// Not a header of its own: scan.h and scan_avx2.h include it inside of a namespace that has a type `Bytes`, hence no
// #pragma once and no includes.
//
// All functions read past `end` by up to kScanPadding bytes, which the caller must have allocated and filled with zeros;
// none returns a position past `end`. They find where a value ends and nothing more; what they do not look at (the inside of
// args that no analysis needs) is not checked.

class Scan {
 public:
  // The first byte that is not space; control characters between values count as space.
  static const char* SkipSpace(const char* at, const char* end) {
    if (static_cast<unsigned char>(*at) > ' ') return at < end ? at : end;
    while (at < end) {
      const uint32_t other = ~Bytes(at).AtMost(' ') & kAll;
      if (other != 0) {
        at += __builtin_ctz(other);
        break;
      }
      at += Bytes::kSize;
    }
    return at < end ? at : end;
  }

  // `at` is the first byte after the opening quote. Returns the closing quote, or null when `end` comes first.
  static const char* FindStringEnd(const char* at, const char* end, StringFacts& facts) {
    while (at < end) {
      const Bytes bytes(at);
      const uint32_t stops = bytes.EqualsEither('"', '\\');
      const uint32_t before = stops == 0 ? kAll : (stops & -stops) - 1;
      facts.controls |= (bytes.AtMost(0x1F) & before) != 0 && (stops != 0 || at + Bytes::kSize <= end);
      facts.non_ascii |= (bytes.HighBit() & before) != 0;
      if (stops == 0) {
        at += Bytes::kSize;
        continue;
      }
      const char* const stop = at + __builtin_ctz(stops);
      if (*stop == '"') return stop < end ? stop : nullptr;
      facts.escapes = true;
      at = stop + 2;
    }
    return nullptr;
  }

  // The same when nobody will look at the text.
  static const char* FindStringEnd(const char* at, const char* end) {
    while (at < end) {
      const Bytes bytes(at);
      const uint32_t stops = bytes.EqualsEither('"', '\\');
      if (stops == 0) {
        at += Bytes::kSize;
        continue;
      }
      const char* const stop = at + __builtin_ctz(stops);
      if (*stop == '"') return stop < end ? stop : nullptr;
      at = stop + 2;
    }
    return nullptr;
  }

  // The end of a number or literal: the first comma, bracket or space.
  static const char* FindScalarEnd(const char* at, const char* end) {
    while (at < end) {
      const Bytes bytes(at);
      const uint32_t stops = bytes.EndsScalar();
      if (stops != 0) {
        at += __builtin_ctz(stops);
        if (at < end) [[likely]]
          return at;  // a branch: what follows need not wait for it
        return end;
      }
      at += Bytes::kSize;
    }
    return end;
  }

  // `at` is an opening bracket. Returns the byte after its closing bracket; null and a fault when there is none, or when a
  // string in it is followed by something that can't follow a string (a quote inside the string was not escaped).
  static const char* FindNestedEnd(const char* at, const char* end, NestedFault& fault) {
    const char* const past = FindShallowEnd(at, end);
    return past != nullptr ? past : FindDeepEnd(at, end, fault);
  }

 private:
  static constexpr uint32_t kAll = ~uint32_t{0} >> (32 - Bytes::kSize);

  // 64 bytes as bit masks: bit i stands for byte i.
  struct Masks {
    uint64_t quotes = 0;
    uint64_t opens = 0;
    uint64_t closes = 0;

    explicit Masks(const char* at) {
      for (unsigned shift = 0; shift < 64; shift += Bytes::kSize) {
        const Bytes bytes(at + shift);
        quotes |= uint64_t{bytes.Equals('"')} << shift;
        opens |= uint64_t{bytes.EqualsWithBit5('{')} << shift;
        closes |= uint64_t{bytes.EqualsWithBit5('}')} << shift;
      }
    }
  };
  // What is needed besides where there are strings.
  struct StringMasks {
    uint64_t backslashes = 0;
    uint64_t followers = 0;  // what may stand after a string: , : ] } and space

    StringMasks(const char* at, uint64_t closes) : followers(closes) {
      for (unsigned shift = 0; shift < 64; shift += Bytes::kSize) {
        const Bytes bytes(at + shift);
        backslashes |= uint64_t{bytes.Equals('\\')} << shift;
        followers |= uint64_t{bytes.Equals(',') | bytes.Equals(':') | bytes.AtMost(' ')} << shift;
      }
    }
  };

  // The quotes among `quotes` that no backslash escapes. `escape_next` carries a backslash at the end of the last 64 bytes.
  static uint64_t RemoveEscaped(uint64_t quotes, uint64_t backslashes, bool& escape_next) {
    if (backslashes == 0 && !escape_next) return quotes;
    uint64_t escaped = escape_next ? 1 : 0;
    escape_next = false;
    for (uint64_t left = backslashes & ~escaped; left != 0;) {
      const uint64_t backslash = left & -left;
      if (backslash >> 63 != 0) {
        escape_next = true;
        break;
      }
      escaped |= backslash << 1;
      left &= ~(backslash | backslash << 1);
    }
    return quotes & ~escaped;
  }

  // The brackets of 64 bytes when nothing is nested deeper than lists in a list, [[2, 256], [256]], as in most args. The
  // depth is then told by the bracket before: after a closing one (or the first of all) it is 1, after an opening one 2. So
  // the end is the first closing bracket whose bracket before is a closing one. An addition finds "the next bracket": it
  // carries through the bytes between two of them.
  struct Shallow {
    uint64_t up_to_end;  // bits up to the end, all when there is none
    uint64_t ends;       // its lowest bit is the end
    uint64_t deeper;     // brackets that open a third level
    uint64_t at_one;     // 1 when the next 64 bytes begin at depth 1

    Shallow(uint64_t opens, uint64_t closes, uint64_t starts_at_one) {
      const uint64_t brackets = opens | closes;
      const uint64_t after_close = closes << 1 | starts_at_one;
      const uint64_t carried = after_close + ~brackets;
      const uint64_t at_depth_one = carried & brackets;
      ends = closes & at_depth_one;
      deeper = opens & ~at_depth_one;
      up_to_end = ends ^ (ends - 1);
      at_one = closes >> 63 | (carried < after_close ? 1 : 0);
    }
  };

  // FindNestedEnd for shallow and faultless values; null when this one is not or has no end.
  static const char* FindShallowEnd(const char* at, const char* end) {
    uint64_t at_one = 1;
    uint64_t in_string = 0;        // all ones when the last 64 bytes ended inside a string
    uint64_t awaits_follower = 0;  // 1 when they ended with a closing quote
    for (++at; at < end; at += 64) {
      const Masks masks(at);
      Shallow shallow(masks.opens, masks.closes, at_one);
      uint64_t faults = shallow.deeper;
      if ((in_string | awaits_follower | (masks.quotes & shallow.up_to_end)) != 0) {
        const StringMasks strings(at, masks.closes);
        const uint64_t inside =
            Bytes::PrefixParity(masks.quotes) ^ in_string;  // from the opening quote to before the closing
        const uint64_t closing_quotes = masks.quotes & ~inside;
        shallow = Shallow(masks.opens & ~inside, masks.closes & ~inside, at_one);
        faults = shallow.deeper | strings.backslashes | ((closing_quotes << 1 | awaits_follower) & ~strings.followers);
        in_string = 0 - (inside >> 63);
        awaits_follower = closing_quotes >> 63;
      }
      if ((faults & shallow.up_to_end) != 0) return nullptr;
      if (shallow.ends != 0) {
        const char* const past = at + __builtin_ctzll(shallow.ends) + 1;
        return past <= end ? past : nullptr;
      }
      at_one = shallow.at_one;
    }
    return nullptr;
  }

  // FindNestedEnd for all values, bracket by bracket.
  static const char* FindDeepEnd(const char* at, const char* end, NestedFault& fault) {
    int64_t depth = 0;
    uint64_t in_string = 0;        // all ones when the last 64 bytes ended inside a string
    uint64_t awaits_follower = 0;  // 1 when they ended with a closing quote
    bool escape_next = false;
    for (; at < end; at += 64) {
      const Masks masks(at);
      const StringMasks strings(at, masks.closes);
      const uint64_t quotes = RemoveEscaped(masks.quotes, strings.backslashes, escape_next);
      const uint64_t inside = Bytes::PrefixParity(quotes) ^ in_string;  // from the opening quote to before the closing one
      const uint64_t closing_quotes = quotes & ~inside;
      const uint64_t stray = (closing_quotes << 1 | awaits_follower) & ~strings.followers;
      const uint64_t opens = masks.opens & ~inside;
      const uint64_t before_stray = stray == 0 ? ~uint64_t{0} : (stray & -stray) - 1;
      for (uint64_t left = (opens | (masks.closes & ~inside)) & before_stray; left != 0; left &= left - 1) {
        depth += (opens & left & -left) != 0 ? 1 : -1;
        if (depth > 0) continue;
        const char* const past = at + __builtin_ctzll(left) + 1;
        if (past <= end) return past;
        fault = NestedFault::kEnd;
        return nullptr;
      }
      if (stray != 0) {
        fault = at + __builtin_ctzll(stray) < end ? NestedFault::kStrayQuote : NestedFault::kEnd;
        return nullptr;
      }
      in_string = 0 - (inside >> 63);
      awaits_follower = closing_quotes >> 63;
    }
    fault = NestedFault::kEnd;
    return nullptr;
  }
};
