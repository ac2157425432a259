#include "server/api/query.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace warpsight::server {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

Result<int64_t> NumberIn(std::string_view query) {
  const Result<Query> parsed = Query::Parse(query);
  return parsed.ok() ? parsed->Number("n", -10, kMost) : parsed.status();
}

TEST(QueryTest, ParametersAreDecoded) {
  const Result<Query> query = Query::Parse("q=a%2Bb+c%3a%zz%4&empty=&none&=x");
  ASSERT_TRUE(query.ok());
  EXPECT_EQ(query->Find("q"), "a+b c:%zz%4");
  EXPECT_EQ(query->Find("empty"), "");
  EXPECT_EQ(query->Find("none"), "");
  EXPECT_EQ(query->Find(""), "x");
  EXPECT_EQ(query->Find("missing"), std::nullopt);
}

TEST(QueryTest, NumbersAreWholeAndWithinTheirLimits) {
  EXPECT_EQ(*NumberIn("n=9223372036854775807"), kMost);
  EXPECT_EQ(*NumberIn("n=-10"), -10);
  for (const char* const bad :
       {"", "n=", "n=1e3", "n=1.5", "n=NaN", "n=inf", "n=0x10", "n=+1", "n= 1", "n=1 ", "n=-11", "n=1,2",
        "n=9223372036854775808", "n=99999999999999999999999999", "n=%00", "n=1&n=2", "m=1"}) {
    const Result<int64_t> number = NumberIn(bad);
    ASSERT_FALSE(number.ok()) << bad;
    EXPECT_EQ(number.status().kind(), StatusKind::kUsage);
  }
}

TEST(QueryTest, IsBounded) {
  EXPECT_FALSE(Query::Parse("q=" + std::string(8192, 'a')).ok());
  std::string many;
  for (int i = 0; i < 40; ++i) many += "&p" + std::to_string(i) + "=1";
  EXPECT_FALSE(Query::Parse(many).ok());
}

}  // namespace
}  // namespace warpsight::server
