#include "analysis/explain/text_entries.h"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "base/embedded_data.h"

namespace warpsight {
namespace {

// The table that an entry stands for; the k-th of an array.
const toml::table* TableOf(const toml::table& file, const TextEntry& entry, size_t place) {
  const auto node = file[entry.table];
  if (const toml::array* rows = node.as_array()) return rows->get(place)->as_table();
  return entry.id.empty() ? node.as_table() : node[entry.id].as_table();
}

TEST(TextEntriesTest, AsTomlReadsTheFiles) {
  size_t files = 0;
  for (const EmbeddedDataFile& data : EmbeddedDataFiles()) {
    if (!data.path.starts_with("data/explain_")) continue;
    ++files;
    const toml::table file = toml::parse(data.contents, data.path);
    size_t place = 0;
    size_t values = 0;
    for (const TextEntry& entry : ReadTextEntries(data.contents)) {
      const toml::table* const table = TableOf(file, entry, place++);
      ASSERT_NE(table, nullptr) << data.path << " " << entry.table << "." << entry.id;
      EXPECT_EQ(table->size(), entry.texts.size() + entry.lists.size())
          << data.path << " " << entry.table << "." << entry.id;
      for (const auto& [key, text] : entry.texts) {
        ++values;
        const auto flag = (*table)[key].value<bool>();
        EXPECT_EQ((*table)[key].value_or(std::string(flag && *flag ? "true" : "false")), text) << data.path << " " << key;
      }
      for (const auto& [key, list] : entry.lists) {
        const toml::array* const array = (*table)[key].as_array();
        ASSERT_NE(array, nullptr) << key;
        ASSERT_EQ(array->size(), list.size()) << key;
        for (size_t i = 0; i < list.size(); ++i) EXPECT_EQ(array->get(i)->value_or(std::string()), list[i]);
      }
    }
    EXPECT_GT(values, 20u) << data.path;
  }
  EXPECT_EQ(files, 9u);
}

TEST(TextEntriesTest, TheFormsOfAValue) {
  const std::vector<TextEntry> entries =
      ReadTextEntries("# words\n[a.b_c]\nt = \"one \\\"two\\\" \\\\\"\nl = [\"x\", \"y]\"]\n\n[[d]]\nyes = true\ne = []");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].table, "a");
  EXPECT_EQ(entries[0].id, "b_c");
  EXPECT_EQ(entries[0].Text("t"), "one \"two\" \\");
  EXPECT_EQ(entries[0].List("l"), (std::vector<std::string>{"x", "y]"}));
  EXPECT_EQ(entries[1].table, "d");
  EXPECT_EQ(entries[1].Text("yes"), "true");
  EXPECT_TRUE(entries[1].List("e").empty());
  EXPECT_EQ(entries[1].Text("no"), "");
}

}  // namespace
}  // namespace warpsight
