#include "formats/torch_json/counter_args.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight::torch_json {
namespace {

std::string ArgsFound(std::string_view args) {
  std::vector<CounterArg> found;
  FindCounterArgs(args, found);
  std::string text;
  for (const CounterArg& arg : found) {
    text += std::string(arg.key) + "=" + (arg.is_integer ? std::to_string(arg.integer) : std::to_string(arg.number)) + ";";
  }
  return text;
}

TEST(CounterArgsTest, EveryNumberIsASeries) {
  EXPECT_EQ(ArgsFound(R"({"cats": 0, "dogs":7})"), "cats=0;dogs=7;");
  EXPECT_EQ(ArgsFound(R"({"value":-3.5e2 , "quoted" : "12"})"), "value=-350.000000;quoted=12;");
  EXPECT_EQ(ArgsFound(R"({"big": 9223372036854775807, "bigger": 9223372036854775808})"),
            "big=9223372036854775807;bigger=9223372036854775808.000000;");
}

TEST(CounterArgsTest, WhatIsNoNumberIsSteppedOver) {
  EXPECT_EQ(ArgsFound(R"({"a": "text", "b": {"c": 1, "d": "}"}, "e": [1, "]"], "f": true, "g": null, "h": 2})"), "h=2;");
  EXPECT_EQ(ArgsFound(R"({"a": NaN, "b": Infinity, "c": 1e999, "d": "inf", "e": 1})"), "e=1;");
  EXPECT_EQ(ArgsFound(R"({"q\"uote": 1})"), "q\\\"uote=1;");
}

TEST(CounterArgsTest, DamageEndsIt) {
  for (const char* args :
       {"", "{", "{}", "{\"a", "{\"a\"", "{\"a\":", "{\"a\": \"", "{\"a\": [1, ", "{\"a\": 1", "{\"a\" 1}"})
    EXPECT_EQ(ArgsFound(args), "") << args;
}

}  // namespace
}  // namespace warpsight::torch_json
