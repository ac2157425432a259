// Names of kernels as recordings and public sources have them (kernel_names.txt), each with everything that is told of it.
//
// The comparison is of the whole text, so that a field that is told and should not be fails as well as one that is missing.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "analysis/kernel_name/decoded_name_data.h"
#include "analysis/kernel_name/grammar.h"

namespace warpsight {
namespace {

constexpr size_t kFewestNames = 120;

std::string ValueText(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const auto& element : value)
    text += (text.empty() ? "" : element.is_string() ? "+" : "x") + (element.is_null() ? "?" : ValueText(element));
  return text;
}

// "grammar: nvjet; library: cuBLASLt; tile: 64x8x64": what is told, in the order of the JSON keys.
std::string ToldText(std::string_view name) {
  const std::optional<DecodedKernelName> decoded = DecodeKernelName(name);
  if (!decoded) return "nothing";
  std::string text = "grammar: " + std::string(decoded->grammar);
  const nlohmann::ordered_json data = DecodedNameData(*decoded);
  for (const auto& [key, value] : data.items()) {
    if (!value.is_null() && !(value.is_array() && value.empty())) text += "; " + key + ": " + ValueText(value);
  }
  return text;
}

struct Case {
  std::string name;
  std::string told;
};

std::vector<Case> Cases() {
  std::ifstream file("src/analysis/kernel_name/kernel_names.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("    ")) {
      cases.back().told = line.substr(4);
    } else {
      cases.push_back({line, ""});
    }
  }
  return cases;
}

TEST(KernelNamesTableTest, EachNameTellsWhatTheTableSaysAndNothingElse) {
  const std::vector<Case> cases = Cases();
  EXPECT_GE(cases.size(), kFewestNames);
  for (const Case& a_case : cases) EXPECT_EQ(ToldText(a_case.name), a_case.told) << a_case.name;
}

TEST(KernelNamesTableTest, EveryGrammarHasNames) {
  std::set<std::string> read;
  for (const Case& a_case : Cases()) {
    const std::optional<DecodedKernelName> decoded = DecodeKernelName(a_case.name);
    if (decoded) read.emplace(decoded->grammar);
  }
  for (const KernelNameGrammar* grammar : KernelNameGrammars())
    EXPECT_TRUE(read.contains(std::string(grammar->id))) << grammar->id;
}

}  // namespace
}  // namespace warpsight
