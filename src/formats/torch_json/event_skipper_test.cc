#include "formats/torch_json/event_skipper.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight::torch_json {
namespace {

const char* const kObject = R"({"a": "}\"}\\", "b": [{"c": "]"}, []], "d": {}})";

TEST(EventSkipperTest, EndOfTheObjectInOnePiece) {
  EventSkipper skipper;
  EXPECT_EQ(skipper.Feed(std::string(kObject) + ", {\"x\": 1}"), std::string(kObject).size());
}

TEST(EventSkipperTest, EndOfTheObjectInAnyPieces) {
  const std::string object = kObject;
  for (size_t cut = 0; cut < object.size(); ++cut) {
    EventSkipper skipper;
    EXPECT_EQ(skipper.Feed(object.substr(0, cut)), EventSkipper::kNotYet);
    EXPECT_EQ(skipper.Feed(object.substr(cut) + "]}"), object.size() - cut);
  }
  EventSkipper skipper;
  for (size_t i = 0; i + 1 < object.size(); ++i) ASSERT_EQ(skipper.Feed(object.substr(i, 1)), EventSkipper::kNotYet) << i;
  EXPECT_EQ(skipper.Feed(object.substr(object.size() - 1)), 1u);
}

TEST(EventSkipperTest, ResetForgets) {
  EventSkipper skipper;
  skipper.Feed("{\"open string");
  skipper.Reset();
  EXPECT_EQ(skipper.Feed("{}"), 2u);
}

}  // namespace
}  // namespace warpsight::torch_json
