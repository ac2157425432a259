#include "base/decimal.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace warpsight {
namespace {

using Wide = __int128;

Wide PowerOfTen(int exponent) {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

struct Expected {
  Wide ns = 0;
  bool rounded = false;
};

// mantissa * 10^power ns, rounded half away from zero, by plain division.
Expected Scale(Wide mantissa, int power) {
  if (power >= 0) return {mantissa * PowerOfTen(power), false};
  const Wide divisor = PowerOfTen(-power);
  return {(mantissa + divisor / 2) / divisor, mantissa % divisor != 0};
}

std::string WithPoint(uint64_t mantissa, size_t decimals) {
  std::string digits = std::to_string(mantissa);
  if (decimals == 0) return digits;
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  return digits.insert(digits.size() - decimals, ".");
}

void ExpectNs(const std::string& text, Ns ns, bool rounded = false) {
  const DecimalNs result = ParseMicroseconds(text);
  EXPECT_EQ(result.fault, DecimalFault::kNone) << text;
  EXPECT_EQ(result.ns, ns) << text;
  EXPECT_EQ(result.rounded, rounded) << text;
}

TEST(ParseMicrosecondsTest, KeepsWhatADoubleCannot) {
  ExpectNs("1712195495519689.047", 1712195495519689047);  // a double of this has a step of 250 ns
  ExpectNs("5108425130290.728", 5108425130290728);
  ExpectNs("999999999999999.999", 999999999999999999);
  ExpectNs("0", 0);
  ExpectNs("-0", 0);
  ExpectNs("0.001", 1);
  ExpectNs("00000000000000000012.5", 12500);
}

// Every number of digits before the point and after it, so that each way through the parser is taken at each length.
TEST(ParseMicrosecondsTest, EveryNumberOfDigits) {
  for (size_t whole_digits = 1; whole_digits <= 15; ++whole_digits) {
    const std::string whole = std::string("123456789123456").substr(0, whole_digits);
    const Ns whole_ns = std::stoll(whole) * 1000;
    ExpectNs(whole, whole_ns);
    ExpectNs(whole + ".", whole_ns);
    ExpectNs(whole + ".9", whole_ns + 900);
    ExpectNs(whole + ".98", whole_ns + 980);
    ExpectNs(whole + ".987", whole_ns + 987);
    ExpectNs(whole + ".9870", whole_ns + 987);
    ExpectNs(whole + ".9874", whole_ns + 987, true);
    ExpectNs(whole + ".9875", whole_ns + 988, true);
    ExpectNs("-" + whole + ".987", -whole_ns - 987);
  }
}

// Digits are read eight at a time: a byte that is none must be seen wherever it stands.
TEST(ParseMicrosecondsTest, OneWrongByteAnywhere) {
  for (size_t whole_digits = 1; whole_digits <= 15; ++whole_digits) {
    const std::string text = std::string("123456789123456").substr(0, whole_digits) + ".987";
    for (size_t at = 0; at < text.size(); ++at) {
      for (const char wrong : {'/', ':', ' ', '\0', 'x', '\xB5', '\xFF'}) {
        std::string damaged = text;
        damaged[at] = wrong;
        EXPECT_EQ(ParseMicroseconds(damaged).fault, DecimalFault::kNotANumber) << damaged;
      }
    }
  }
}

TEST(ParseMicrosecondsTest, RoundsToTheNearestNanosecond) {
  ExpectNs("0.0004", 0, true);
  ExpectNs("0.0005", 1, true);
  ExpectNs("-0.0005", -1, true);
  ExpectNs("0.00049999999999999999999999999999999999999999999999", 0, true);
  ExpectNs("0.9995", 1000, true);
  ExpectNs("1.2340000000000000000000000000000000000000000000000", 1234);
  ExpectNs("1e-3", 1);
  ExpectNs("1e-400", 0, true);
}

TEST(ParseMicrosecondsTest, Exponents) {
  ExpectNs("1.5e3", 1500000);
  ExpectNs("1.5E+3", 1500000);
  ExpectNs("15e-1", 1500);
  ExpectNs("5.1084251302907285e12", 5108425130290729, true);  // half of a nanosecond
  ExpectNs("0e999999999", 0);
  ExpectNs("0.000000000000000000001e21", 1000);
}

TEST(ParseMicrosecondsTest, EndsOfTheRange) {
  ExpectNs("9223372036854775.807", kMaxNs);
  ExpectNs("-9223372036854775.807", -kMaxNs);
  ExpectNs("9223372036854775.8074", kMaxNs, true);
  for (const char* text : {"9223372036854775.808", "-9223372036854775.809", "9223372036854775.8075", "18446744073709551616",
                           "1e400", "1e17", "99999999999999999999999999999999999999999999", "-1e999999999"}) {
    EXPECT_EQ(ParseMicroseconds(text).fault, DecimalFault::kOutOfRange) << text;
  }
  EXPECT_EQ(ParseMicroseconds(std::string(5000, '9')).fault, DecimalFault::kOutOfRange);
}

// Locales have written points as commas; the event parser passes such numbers on.
TEST(ParseMicrosecondsTest, DecimalComma) {
  ExpectNs("12,5", 12500);
  ExpectNs("5108452590200,123", 5108452590200123);
  ExpectNs("-3,25", -3250);
}

TEST(ParseMicrosecondsTest, OtherTextIsNoNumber) {
  for (const char* text : {"",           "-",        "+",         ".",         "-.",
                           "e",          "e5",       "1e",        "1e+",       "NaN",
                           "nan",        "Infinity", "-Infinity", "null",      "true",
                           "1.2.3",      "1,2.3",    "1-2",       "--1",       "0x10",
                           " 1",         "1 ",       "1.2x",      "12345678x", "123456789012345678x",
                           "1.\xC3\xA9", "{}"}) {
    EXPECT_EQ(ParseMicroseconds(text).fault, DecimalFault::kNotANumber) << '"' << text << '"';
  }
}

TEST(ParseMicrosecondsTest, AgreesWithWideArithmetic) {
  std::mt19937_64 random(20240817);
  for (int round = 0; round < 200'000; ++round) {
    const int bits = 1 + static_cast<int>(random() % 64);
    const uint64_t mantissa = random() >> (64 - bits);
    const auto decimals = static_cast<size_t>(random() % 21);
    const bool negative = random() % 4 == 0;
    const int exponent = random() % 3 == 0 ? static_cast<int>(random() % 21) - 10 : 0;
    std::string text = (negative ? "-" : "") + WithPoint(mantissa, decimals);
    if (exponent != 0) text += "e" + std::to_string(exponent);

    const Expected expected = Scale(static_cast<Wide>(mantissa), 3 + exponent - static_cast<int>(decimals));
    const DecimalNs result = ParseMicroseconds(text);
    if (expected.ns > static_cast<Wide>(kMaxNs)) {
      ASSERT_EQ(result.fault, DecimalFault::kOutOfRange) << text;
      continue;
    }
    ASSERT_EQ(result.fault, DecimalFault::kNone) << text;
    ASSERT_EQ(result.ns, static_cast<Ns>(negative ? -expected.ns : expected.ns)) << text;
    ASSERT_EQ(result.rounded, expected.rounded) << text;
  }
}

TEST(ParseShortDigitsTest, OneToEightDigits) {
  const std::string digits = "98765432";
  for (size_t size = 1; size <= digits.size(); ++size) {
    const std::string text = digits.substr(0, size);
    EXPECT_EQ(ParseShortDigits(text), std::stol(text));
    EXPECT_EQ(ParseShortDigits(std::string(size, '0')), 0);
    for (size_t at = 0; at < size; ++at) {
      for (const char wrong : {'/', ':', '-', '+', '.', '\0', '\xB5', '\xFF'}) {
        std::string damaged = text;
        damaged[at] = wrong;
        EXPECT_EQ(ParseShortDigits(damaged), -1) << damaged;
      }
    }
  }
  EXPECT_EQ(ParseShortDigits(""), -1);
  EXPECT_EQ(ParseShortDigits("123456789"), -1);
}

TEST(ParseIntegerTest, WholeTextOrNothing) {
  EXPECT_EQ(ParseInteger("0"), 0);
  EXPECT_EQ(ParseInteger("-17"), -17);
  EXPECT_EQ(ParseInteger("9223372036854775807"), kMaxNs);
  EXPECT_EQ(ParseInteger("-9223372036854775808"), kMinNs);
  for (const char* text : {"", "-", "9223372036854775808", "1.0", "1 ", " 1", "1x", "0x1", "stream 7"}) {
    EXPECT_EQ(ParseInteger(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace warpsight
