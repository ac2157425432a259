#include "server/http/access.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warpsight::server {
namespace {

Access OfHost(const std::string& host) { return CheckAccess({true, "", 7777}, {host, "", "", ""}); }

TEST(AccessTest, OnlyThisMachineByItsNames) {
  for (const char* const host : {"localhost:7777", "127.0.0.1:7777", "[::1]:7777", "LocalHost:7777"})
    EXPECT_EQ(OfHost(host), Access::kAllowed) << host;
  for (const char* const host :
       {"", "localhost", "127.0.0.1", "localhost:7778", "evil.example:7777", "localhost.evil.example:7777",
        "127.0.0.1.evil.example:7777", "127.0.0.2:7777", "evil.example#localhost:7777", "::1:7777", "localhost:77777777",
        "user@localhost:7777", " localhost:7777"})
    EXPECT_EQ(OfHost(host), Access::kForeignHost) << host;
  EXPECT_EQ(CheckAccess({true, "", 80}, {"localhost", "", "", ""}), Access::kAllowed);
}

TEST(AccessTest, TheTokenInOneOfThreePlaces) {
  const AccessRules rules{false, "0123456789abcdef", 7777};
  const auto of = [&](const char* authorization, const char* cookie, const char* query) {
    return CheckAccess(rules, {"any.name", authorization, cookie, query});
  };
  EXPECT_EQ(of("", "", ""), Access::kNoToken);
  EXPECT_EQ(of("Bearer 0123456789abcdef", "", ""), Access::kAllowed);
  EXPECT_EQ(of("", "other=1; warpsight_7777=0123456789abcdef", ""), Access::kAllowed);
  EXPECT_EQ(of("", "", "a=1&token=0123456789abcdef"), Access::kAllowedByQuery);
  EXPECT_EQ(of("Bearer 0123456789abcdeF", "", ""), Access::kNoToken);
  EXPECT_EQ(of("Bearer ", "", ""), Access::kNoToken);
  EXPECT_EQ(of("Bearer 0123456789abcdef0", "", ""), Access::kNoToken);
  EXPECT_EQ(of("", "warpsight_7778=0123456789abcdef", ""), Access::kNoToken);
  EXPECT_EQ(of("", "xwarpsight_7777=0123456789abcdef", ""), Access::kNoToken);
  EXPECT_EQ(of("", "", "xtoken=0123456789abcdef"), Access::kNoToken);
  EXPECT_EQ(of("", "", "token="), Access::kNoToken);
}

TEST(AccessTest, WithATokenOnLoopbackBothAreAskedFor) {
  const AccessRules rules{true, "0123456789abcdef", 7777};
  EXPECT_EQ(CheckAccess(rules, {"evil.example:7777", "Bearer 0123456789abcdef", "", ""}), Access::kForeignHost);
  EXPECT_EQ(CheckAccess(rules, {"localhost:7777", "", "", ""}), Access::kNoToken);
  EXPECT_EQ(CheckAccess(rules, {"localhost:7777", "Bearer 0123456789abcdef", "", ""}), Access::kAllowed);
}

TEST(AccessTest, TheTokenIsTakenOutOfAQuery) {
  EXPECT_EQ(WithoutToken("token=1"), "");
  EXPECT_EQ(WithoutToken("a=1&token=1&b=2"), "a=1&b=2");
  EXPECT_EQ(WithoutToken("a=1&tokens=1"), "a=1&tokens=1");
}

TEST(AccessTest, TokensAreLongAndDiffer) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(*MakeToken());
  EXPECT_EQ(tokens.size(), 100u);
  for (const std::string& token : tokens) EXPECT_EQ(token.size(), 32u);
}

}  // namespace
}  // namespace warpsight::server
