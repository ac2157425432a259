// The pages under docs/ keep up with the program: every rule has its row, every page is named somewhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "analysis/counters/triage_data.h"
#include "diagnosis/rule.h"

namespace warpsight::docs_test {
namespace {

const std::filesystem::path kRoot = std::filesystem::path(WARPSIGHT_TESTDATA_DIR).parent_path().parent_path();

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(DocsTest, EveryRuleHasItsRow) {
  const std::string page = ReadText(kRoot / "docs/findings.md");
  ASSERT_FALSE(page.empty());
  for (const Rule& rule : AllRules())
    EXPECT_NE(page.find("\n| `" + std::string(rule.id) + "` |"), std::string::npos) << rule.id;
}

TEST(DocsTest, EveryRuleOnCountersHasItsRow) {
  const std::string page = ReadText(kRoot / "docs/counters.md");
  for (const TriageNode& node : CounterTriageData().nodes)
    EXPECT_NE(page.find("\n| `" + node.id + "` |"), std::string::npos) << node.id;
}

TEST(DocsTest, EveryPageIsNamedByAnother) {
  std::vector<std::filesystem::path> pages = {kRoot / "README.md", kRoot / "ARCHITECTURE.md", kRoot / "CONTRIBUTING.md"};
  const size_t entrances = pages.size();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  ASSERT_GT(pages.size(), entrances);
  for (size_t i = entrances; i < pages.size(); ++i) {
    const std::string name = std::filesystem::relative(pages[i], kRoot).string();
    bool named = false;
    for (const std::filesystem::path& other : pages)
      named |= other != pages[i] && ReadText(other).find(name) != std::string::npos;
    EXPECT_TRUE(named) << name;
  }
}

}  // namespace
}  // namespace warpsight::docs_test
