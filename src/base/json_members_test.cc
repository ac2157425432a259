#include "base/json_members.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace warpsight {
namespace {

TEST(JsonMembersTest, KeepWhatIsWritten) {
  const std::string text = R"( {"ts": 1712195495519689.047 , "a":{"b":[1,{"c":"]}"}]},"s":"x\",y" ,"n":null}, "behind")";
  const std::vector<JsonMember> members = JsonMembers(text);
  ASSERT_EQ(members.size(), 4u);
  EXPECT_EQ(members[0].key, "ts");
  EXPECT_EQ(members[0].value, "1712195495519689.047");
  EXPECT_EQ(members[1].value, R"({"b":[1,{"c":"]}"}]})");
  EXPECT_EQ(JsonValueText(members[2].value), "x\",y");
  EXPECT_EQ(members[3].value, "null");
  EXPECT_EQ(FindJsonMember(members, "n"), "null");
  EXPECT_EQ(FindJsonMember(members, "x"), "");
  EXPECT_EQ(FindJsonMember(JsonMembers(members[1].value), "b"), R"([1,{"c":"]}"}])");
}

TEST(JsonMembersTest, BothOfTwoMembersOfOneNameAreThere) {
  const std::vector<JsonMember> members = JsonMembers(R"({"a":1,"a":2})");
  ASSERT_EQ(members.size(), 2u);
  EXPECT_EQ(members[1].value, "2");
}

TEST(JsonMembersTest, OtherTextsGiveWhatCanBeTold) {
  for (const char* const text :
       {"", " ", "[1]", "{", "{}", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\": }", "{1:2}", "\"{\""})
    EXPECT_TRUE(JsonMembers(text).empty()) << text;
  EXPECT_EQ(JsonMembers("{\"a\":1,").size(), 1u);
  EXPECT_EQ(JsonMembers("{\"a\":\"never").size(), 1u);
  EXPECT_EQ(JsonMembers("{\"a\":" + std::string(200'000, '[')).size(), 1u);
  EXPECT_EQ(JsonValueText("\"\\ud800\""), "\"\\ud800\"");
}

// Against the JSON library, on texts made at random.
TEST(JsonMembersTest, AgreesWithAParser) {
  std::mt19937 random(7);
  const auto value = [&](auto& self, int depth) -> nlohmann::ordered_json {
    switch (random() % (depth > 3 ? 4 : 6)) {
      case 0:
        return static_cast<int>(random() % 100);
      case 1:
        return "q\"{[,:]}\\ \n" + std::to_string(random() % 10);
      case 2:
        return nullptr;
      case 3:
        return true;
      case 4: {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (unsigned i = random() % 4; i > 0; --i) list.push_back(self(self, depth + 1));
        return list;
      }
      default: {
        nlohmann::ordered_json object = nlohmann::ordered_json::object();
        for (unsigned i = random() % 4; i > 0; --i) object["k\"" + std::to_string(i)] = self(self, depth + 1);
        return object;
      }
    }
  };
  for (int i = 0; i < 500; ++i) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (unsigned k = random() % 6; k > 0; --k) object["m" + std::to_string(k)] = value(value, 0);
    const std::string text = object.dump(random() % 2 == 0 ? -1 : 2);
    const std::vector<JsonMember> members = JsonMembers(text);
    ASSERT_EQ(members.size(), object.size()) << text;
    for (const JsonMember& member : members)
      EXPECT_EQ(nlohmann::ordered_json::parse(member.value), object[std::string(member.key)]) << text;
  }
}

}  // namespace
}  // namespace warpsight
