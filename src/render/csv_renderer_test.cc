#include "render/csv_renderer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace warpsight {
namespace {

TEST(RenderCsv, MachineNamesAndExactNumbers) {
  Table table;
  table.columns = {KernelNameColumn("name", "Kernel"), DurationColumn("total_ns", "Total"), ShareColumn("gpu_share", "GPU"),
                   Hideable(CountColumn("calls", "Calls"))};
  table.rows = {{std::string("void k<1, 2>(int)"), std::int64_t{47'101'234}, 0.1 + 0.2, std::monostate{}},
                {std::string("plain"), std::int64_t{-1}, std::nan(""), std::int64_t{3}}};
  EXPECT_EQ(RenderCsv(table),
            "name,total_ns,gpu_share,calls\n"
            "\"void k<1, 2>(int)\",47101234,0.30000000000000004,\n"
            "plain,-1,,3\n");
}

TEST(RenderCsv, AsAnotherToolPrintsIt) {
  Table table;
  table.csv_as_read = true;
  table.columns = {ShareColumn("time_share", "Time (%)"), CountColumn("total_ns", "Total Time (ns)"),
                   NumberColumn("avg_ns", "Avg (ns)", 1), NameColumn("name", "Name")};
  table.rows = {{0.26512, std::int64_t{907'697}, 41259.0, std::string("k<1, 2>")},
                {std::monostate{}, std::int64_t{0}, std::nan(""), std::string("plain")}};
  EXPECT_EQ(RenderCsv(table),
            "Time (%),Total Time (ns),Avg (ns),Name\n"
            "26.5,907697,41259.0,\"k<1, 2>\"\n"
            ",0,,plain\n");
}

TEST(RenderCsv, Quoting) {
  Table table;
  table.columns = {TextColumn("t", "T")};
  table.rows = {{std::string("say \"hi\"")}, {std::string("two\nlines")},  {std::string(" space")}, {std::string("a\tb")},
                {std::string("")},           {std::string("esc\x1b[31m")}, {std::string("bad\xff")}};
  EXPECT_EQ(RenderCsv(table), "t\n\"say \"\"hi\"\"\"\n\"two\nlines\"\n\" space\"\na\tb\n\nesc\\x1b[31m\nbad\xEF\xBF\xBD\n");
}

TEST(RenderCsv, DocumentMustHaveOneTable) {
  Document document;
  document.verb = "report";
  EXPECT_EQ(RenderCsv(document).status().kind(), StatusKind::kUsage);
  document.blocks = {Heading{"Ops"}, Table{"", {CountColumn("calls", "Calls")}, {{std::int64_t{1}}}, ""}};
  EXPECT_EQ(RenderCsv(document).value(), "calls\n1\n");
}

}  // namespace
}  // namespace warpsight
