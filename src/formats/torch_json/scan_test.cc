// Every scanner of both copies against a walk byte by byte.
#include "formats/torch_json/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "formats/torch_json/block.h"
#include "formats/torch_json/scan_avx2.h"

namespace warpsight::torch_json {
namespace {

bool IsUpToSpace(char c) { return static_cast<unsigned char>(c) <= ' '; }

// --- references: positions, npos for "none"

constexpr size_t kNone = std::string_view::npos;

size_t SkipSpaceReference(std::string_view text, size_t at) {
  while (at < text.size() && IsUpToSpace(text[at])) ++at;
  return at;
}

size_t StringEndReference(std::string_view text, size_t at, StringFacts& facts) {
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == '"') return at;
    if (byte == '\\') {
      facts.escapes = true;
      ++at;
      continue;
    }
    facts.controls |= byte < 0x20;
    facts.non_ascii |= byte >= 0x80;
  }
  return kNone;
}

size_t ScalarEndReference(std::string_view text, size_t at) {
  while (at < text.size() && !IsUpToSpace(text[at]) && text[at] != ',' && text[at] != '}' && text[at] != ']') ++at;
  return at;
}

size_t NestedEndReference(std::string_view text, NestedFault& fault) {
  int depth = 0;
  bool in_string = false;
  bool after_string = false;
  bool escaped = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (after_string && !IsUpToSpace(c) && c != ',' && c != ':' && c != ']' && c != '}') {
      fault = NestedFault::kStrayQuote;
      return kNone;
    }
    after_string = false;
    if (escaped) {
      escaped = false;
    } else if (c == '\\') {
      escaped = true;
      continue;
    } else if (c == '"') {
      after_string = in_string;
      in_string = !in_string;
      continue;
    }
    if (in_string) continue;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth <= 0) return at + 1;
  }
  fault = NestedFault::kEnd;
  return kNone;
}

// --- random text of the bytes that matter, long enough to cross a few borders of 16 and 64

struct PlainCopy {
  using Bytes = Bytes16;
  using Scan = plain::Scan;
  static bool Runs() { return true; }
};
#if defined(WARPSIGHT_HAS_AVX2_COPY)
struct Avx2Copy {
  using Bytes = avx2::Bytes32;
  using Scan = avx2::Scan;
  static bool Runs() { return avx2::HasAvx2(); }
};
using Copies = ::testing::Types<PlainCopy, Avx2Copy>;
#else
using Copies = ::testing::Types<PlainCopy>;
#endif

template <typename Copy>
class ScanTest : public ::testing::Test {
 protected:
  using Bytes = typename Copy::Bytes;
  using Scan = typename Copy::Scan;
  static constexpr size_t kSize = Bytes::kSize;
  static constexpr uint32_t kAll = ~uint32_t{0} >> (32 - kSize);

  void SetUp() override {
    if (!Copy::Runs()) GTEST_SKIP() << "this processor has no AVX2";
  }
  std::string RandomText(std::string_view alphabet, size_t longest) {
    std::string text(random_() % longest, 'a');
    // Mostly plain bytes, so that the interesting ones fall on every place of a vector.
    const uint32_t plain = random_() % 40;
    for (char& c : text) c = random_() % (plain + 1) == 0 ? alphabet[random_() % alphabet.size()] : 'a';
    return text;
  }
  size_t Position(const PaddedText& text, const char* found) {
    return found == nullptr ? kNone : static_cast<size_t>(found - text.begin());
  }

  void ExpectNestedEnd(const std::string& text) {
    PaddedText padded;
    padded.Assign(text);
    NestedFault expected_fault = NestedFault::kNone;
    const size_t expected = NestedEndReference(text, expected_fault);
    NestedFault fault = NestedFault::kNone;
    const char* const found = Scan::FindNestedEnd(padded.begin(), padded.end(), fault);
    ASSERT_EQ(found == nullptr ? kNone : static_cast<size_t>(found - padded.begin()), expected) << text;
    ASSERT_EQ(fault, expected_fault) << text;
  }

  std::mt19937 random_{42};
};
TYPED_TEST_SUITE(ScanTest, Copies);

TYPED_TEST(ScanTest, BytesAreMatchedExactly) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(TestFixture::kSize, static_cast<char>(byte));
    const typename TestFixture::Bytes bytes(text.data());
    const auto all = [](bool matches) { return matches ? TestFixture::kAll : 0u; };
    EXPECT_EQ(bytes.Equals('"'), all(byte == '"')) << byte;
    EXPECT_EQ(bytes.EqualsWithBit5('}'), all(byte == '}' || byte == ']')) << byte;
    EXPECT_EQ(bytes.EqualsWithBit5('{'), all(byte == '{' || byte == '[')) << byte;
    EXPECT_EQ(bytes.AtMost(' '), all(byte <= ' ')) << byte;
    EXPECT_EQ(bytes.HighBit(), all(byte >= 0x80)) << byte;
    EXPECT_EQ(bytes.EqualsEither('"', '\\'), all(byte == '"' || byte == '\\')) << byte;
    EXPECT_EQ(bytes.EndsScalar(), all(byte <= ' ' || byte == ',' || byte == '}' || byte == ']')) << byte;
  }
}

TYPED_TEST(ScanTest, BitIsThePlaceOfTheByte) {
  for (size_t place = 0; place < TestFixture::kSize; ++place) {
    std::string text(TestFixture::kSize, 'a');
    text[place] = '"';
    EXPECT_EQ(typename TestFixture::Bytes(text.data()).Equals('"'), 1u << place);
  }
}

TYPED_TEST(ScanTest, ThirtyTwoBytesAreCompared) {
  const std::string plain(32, 'a');
  for (size_t place = 0; place < 32; ++place) {
    std::string text = plain;
    text[place] = '"';
    EXPECT_EQ(TestFixture::Bytes::Equal32Bytes(text.data(), plain.data()), ~(uint32_t{1} << place));
  }
}

TYPED_TEST(ScanTest, SkipSpace) {
  for (int round = 0; round < 3000; ++round) {
    std::string text(this->random_() % 90, ' ');
    for (char& c : text) c = " \n\t\r\x01"[this->random_() % 5];
    if (this->random_() % 4 != 0) text += "{" + this->RandomText(" x", 20);
    PaddedText padded;
    padded.Assign(text);
    for (size_t at = 0; at <= text.size(); ++at) {
      ASSERT_EQ(this->Position(padded, TestFixture::Scan::SkipSpace(padded.begin() + at, padded.end())),
                SkipSpaceReference(text, at))
          << text;
    }
  }
}

TYPED_TEST(ScanTest, FindStringEnd) {
  for (int round = 0; round < 5000; ++round) {
    const std::string text = this->RandomText("\"\\\\\n\x80\x1F{", 150);
    PaddedText padded;
    padded.Assign(text);
    const size_t at = text.empty() ? 0 : this->random_() % text.size();
    StringFacts expected;
    const size_t end = StringEndReference(text, at, expected);
    StringFacts facts;
    ASSERT_EQ(this->Position(padded, TestFixture::Scan::FindStringEnd(padded.begin() + at, padded.end(), facts)), end)
        << text;
    ASSERT_EQ(this->Position(padded, TestFixture::Scan::FindStringEnd(padded.begin() + at, padded.end())), end) << text;
    if (end == kNone) continue;
    ASSERT_EQ(facts.escapes, expected.escapes) << text;
    ASSERT_EQ(facts.controls, expected.controls) << text;
    ASSERT_EQ(facts.non_ascii, expected.non_ascii) << text;
  }
}

// What stands behind the end must not be seen: blocks are cut out of longer text in tests only, but `end` is a promise.
TYPED_TEST(ScanTest, NothingBehindTheEndIsFound) {
  PaddedText padded;
  padded.Assign("abc\",}]");
  const char* const end = padded.begin() + 3;
  StringFacts facts;
  EXPECT_EQ(TestFixture::Scan::FindStringEnd(padded.begin(), end, facts), nullptr);
  EXPECT_EQ(TestFixture::Scan::FindStringEnd(padded.begin(), end), nullptr);
  EXPECT_EQ(TestFixture::Scan::FindScalarEnd(padded.begin(), end), end);
  EXPECT_EQ(TestFixture::Scan::SkipSpace(end, end), end);
}

TYPED_TEST(ScanTest, FindScalarEnd) {
  for (int round = 0; round < 5000; ++round) {
    const std::string text = this->RandomText(",]} \n[{\"\x80", 60);
    PaddedText padded;
    padded.Assign(text);
    ASSERT_EQ(this->Position(padded, TestFixture::Scan::FindScalarEnd(padded.begin(), padded.end())),
              ScalarEndReference(text, 0))
        << text;
  }
}

TYPED_TEST(ScanTest, FindNestedEnd) {
  for (int round = 0; round < 20000; ++round)
    this->ExpectNestedEnd((round % 2 == 0 ? "{" : "[") + this->RandomText("\"\"\"\\{}[],: \n\x80", 300));
}

// Lists in lists with numbers and strings, the form of most args: the quick way to the end must stop where the plain one
// does.
TYPED_TEST(ScanTest, FindNestedEndOfLists) {
  for (int round = 0; round < 20000; ++round) {
    std::string text = "[";
    for (uint32_t values = this->random_() % 9; values > 0; --values) {
      static constexpr std::string_view kValues[] = {"[]",    "[2, 256]", "[524288, 2048, 1]", "7",   "\"\"",
                                                     "\"a\"", "[[1]]",    "\"[2, \\\"256]\"",  "\"x", "\"c10::BFloat16\""};
      // Rarely what is not shallow or not whole.
      const bool plain_list = this->random_() % 8 != 0;
      text += kValues[this->random_() % (plain_list ? 6 : std::size(kValues))];
      if (values > 1) text += ", ";
    }
    text += "], \"Input Dims\": [[1]]";
    this->ExpectNestedEnd(text);
    this->ExpectNestedEnd(text.substr(0, this->random_() % text.size() + 1));
  }
}

// Well-formed text: strings of any length with escapes in them, so that each state crosses a border of 64 bytes.
TYPED_TEST(ScanTest, FindNestedEndOfWholeObjects) {
  for (int round = 0; round < 5000; ++round) {
    std::string text = "{";
    for (uint32_t members = this->random_() % 5; members > 0; --members) {
      text += '"' + std::string(this->random_() % 70, 'k') + (this->random_() % 2 == 0 ? R"(\")" : R"(\\)") + "\": ";
      text += this->random_() % 2 == 0 ? "[1, {\"a]\": \"}\"}]" : '"' + std::string(this->random_() % 70, '{') + R"(\\\"")";
      if (members > 1) text += ", ";
    }
    text += "}";
    const size_t size = text.size();
    text += "], \"after\"";
    NestedFault fault = NestedFault::kNone;
    ASSERT_EQ(NestedEndReference(text, fault), size) << text;
    this->ExpectNestedEnd(text);
  }
}

// Runs of backslashes of every length, ending at every place around a border of 64 bytes.
TYPED_TEST(ScanTest, BackslashesAtBorders) {
  for (size_t before = 50; before < 70; ++before) {
    for (size_t backslashes = 0; backslashes < 20; ++backslashes) {
      const std::string text = "[\"" + std::string(before, 'a') + std::string(backslashes, '\\') + "\"]\"]";
      this->ExpectNestedEnd(text);
      PaddedText padded;
      padded.Assign(text);
      StringFacts facts;
      StringFacts expected;
      ASSERT_EQ(this->Position(padded, TestFixture::Scan::FindStringEnd(padded.begin() + 2, padded.end(), facts)),
                StringEndReference(text, 2, expected));
      ASSERT_EQ(facts.escapes, backslashes > 0);
    }
  }
}

TYPED_TEST(ScanTest, PrefixParityIsInsideOfPairs) {
  EXPECT_EQ(TestFixture::Bytes::PrefixParity(0), 0u);
  EXPECT_EQ(TestFixture::Bytes::PrefixParity(0b100100), 0b011100u);
  EXPECT_EQ(TestFixture::Bytes::PrefixParity(uint64_t{1} << 63), uint64_t{1} << 63);
  EXPECT_EQ(TestFixture::Bytes::PrefixParity(1), ~uint64_t{0});
}

}  // namespace
}  // namespace warpsight::torch_json
