#include "analysis/attention_backend_names.h"

#include <gtest/gtest.h>

#include <cctype>

namespace warpsight {
namespace {

TEST(AttentionBackendNamesTest, EveryEntryIsCompleteAndItsExamplesAreWhatItSays) {
  ASSERT_FALSE(AttentionBackendRules().empty());
  for (const AttentionBackendRule& rule : AttentionBackendRules()) {
    EXPECT_FALSE(rule.name.empty());
    EXPECT_FALSE(rule.source.empty()) << rule.name;
    EXPECT_FALSE(rule.contains.empty()) << rule.name;
    EXPECT_FALSE(rule.examples.empty()) << rule.name;
    for (const std::string& text : rule.contains) {
      for (const char c : text) EXPECT_FALSE(std::isupper(static_cast<unsigned char>(c))) << text << " never matches";
    }
    for (const std::string& example : rule.examples) EXPECT_EQ(AttentionBackendOfKernel(example), rule.name) << example;
  }
}

TEST(AttentionBackendNamesTest, NamesThatSayNothing) {
  EXPECT_EQ(AttentionBackendOfKernel(""), "");
  EXPECT_EQ(AttentionBackendOfKernel("cudnn_ampere_scudnn_128x32_relu"), "");
  EXPECT_EQ(AttentionBackendOfKernel("nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT"), "");
}

}  // namespace
}  // namespace warpsight
