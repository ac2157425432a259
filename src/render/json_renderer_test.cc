#include "render/json_renderer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace warpsight {
namespace {

TEST(RenderJson, SchemaFirstThenTheBodyInOrder) {
  Document document;
  document.verb = "ops";
  document.data["total_self_cpu_ns"] = std::int64_t{9'223'372'036'854'775'807};
  document.data["rows"] = nlohmann::ordered_json::array();
  document.data["shapes"] = nullptr;
  EXPECT_EQ(RenderJson(document), R"({
  "schema": "warpsight.ops/1",
  "total_self_cpu_ns": 9223372036854775807,
  "rows": [],
  "shapes": null
}
)");
}

TEST(RenderJson, NoBody) {
  Document document;
  document.verb = "lint";
  EXPECT_EQ(RenderJson(document), "{\n  \"schema\": \"warpsight.lint/1\"\n}\n");
}

TEST(RenderJson, NotFiniteIsNull) {
  Document document;
  document.data = {{"a_share", std::nan("")}, {"b_share", std::numeric_limits<double>::infinity()}};
  const auto parsed = nlohmann::json::parse(RenderJson(document));
  EXPECT_TRUE(parsed["a_share"].is_null() && parsed["b_share"].is_null());
}

TEST(RenderJson, BadBytesAreReplacedInKeysAndValues) {
  Document document;
  document.data = {{"bad\xff", "a\xC3"}, {"esc", "\x1b[31m"}};
  const std::string text = RenderJson(document);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  const auto parsed = nlohmann::json::parse(text);
  EXPECT_EQ(parsed["bad\xEF\xBF\xBD"], "a\xEF\xBF\xBD");
}

TEST(RenderJson, DoublesReadBackTheSame) {
  Document document;
  document.data = {{"gpu_share", 0.1 + 0.2}};
  EXPECT_EQ(nlohmann::json::parse(RenderJson(document))["gpu_share"].get<double>(), 0.1 + 0.2);
}

TEST(RenderJsonDeathTest, BodyMustBeAnObject) {
  Document document;
  document.data = nlohmann::ordered_json::array();
  EXPECT_EXIT(RenderJson(document), ::testing::ExitedWithCode(5), "internal error");
}

}  // namespace
}  // namespace warpsight
