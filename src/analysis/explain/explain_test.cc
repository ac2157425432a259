#include "analysis/explain/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/explain/explain_document.h"

namespace warpsight {
namespace {

// "kind term" of what is said first, then of the others.
std::string Said(std::string_view term) {
  std::string text;
  for (const Explanation& answer : Explain(term)) text += (text.empty() ? "" : ", ") + answer.kind + " " + answer.term;
  return text;
}

TEST(ExplainTest, SpellingDoesNotMatter) {
  for (const char* spelling : {"long_scoreboard", "Long Scoreboard", "long-scoreboard", "LONGSCOREBOARD", "stall_long_sb",
                               "stall long_scoreboard", "stall_long_scoreboard", " long scoreboard "})
    EXPECT_EQ(Said(spelling), "stall long_scoreboard") << spelling;
  EXPECT_EQ(Said("Self / Total"), "glossary self/total");
  EXPECT_EQ(Said("warps"), "glossary warp");
  EXPECT_EQ(Said("bank conflict"), "glossary bank conflict, finding bank_conflicts");
}

TEST(ExplainTest, EveryMeaningOfATermAndOneOfThem) {
  EXPECT_EQ(Said("round_trip"), "finding round_trip, glossary round_trip");
  EXPECT_EQ(Said("idle round trip"), "glossary round_trip");
  EXPECT_EQ(Said("finding round-trip"), "finding round_trip");
  EXPECT_EQ(Said("SpeedOfLight"), "glossary speed of light, glossary speed_of_light");
  EXPECT_EQ(Said("SchedulerStats"), "glossary scheduler");
}

TEST(ExplainTest, AThresholdSaysItsValueAndSource) {
  const std::vector<Explanation> answers = Explain("idle_back_to_back");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].kind, "threshold");
  EXPECT_EQ(answers[0].healthy, "The limit is 2.000 us.");
  EXPECT_NE(answers[0].what.find("Source: "), std::string::npos);
}

TEST(ExplainTest, AMetricIsTakenApartAndItsStallExplained) {
  const std::vector<Explanation> answers = Explain("smsp__warps_issue_stalled_long_scoreboard_per_warp_active.pct");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].kind, "metric");
  EXPECT_EQ(answers[0].unit, "%");
  EXPECT_NE(answers[0].what.find("L1TEX"), std::string::npos);
  EXPECT_EQ(answers[0].see.front(), "long_scoreboard");
  // Other separators, no ending.
  EXPECT_EQ(Said("dram bytes.sum.per second"), "metric dram__bytes.sum.per_second");
  EXPECT_EQ(Said("sm--throughput"), "metric sm__throughput");
}

TEST(ExplainTest, LabelsOfSectionsNameTheirMetrics) {
  EXPECT_EQ(Said("Issue Slots Busy"), "metric sm__inst_issued.avg.pct_of_peak_sustained_elapsed");
  EXPECT_EQ(Said("memory throughput"),
            "metric gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed, metric dram__bytes.sum.per_second");
  EXPECT_EQ(Said("Achieved Occupancy"),
            "glossary achieved occupancy, metric sm__warps_active.avg.pct_of_peak_sustained_active");
  EXPECT_EQ(Said("ProfilerStep#3"), "glossary step");
}

TEST(ExplainTest, AnUnknownMetricSaysWhatIsNotKnown) {
  const std::vector<Explanation> answers = Explain("sm__throughputt.avg");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_NE(answers[0].what.find("Not known here: throughputt."), std::string::npos) << answers[0].what;
  EXPECT_TRUE(answers[0].see.front().starts_with("sm__throughput")) << answers[0].see.front();
}

TEST(ExplainTest, AKernelIsDecoded) {
  const std::vector<Explanation> answers = Explain("nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].kind, "kernel");
  EXPECT_EQ(answers[0].family, "gemm");
  ASSERT_TRUE(answers[0].decoded);
  EXPECT_NE(answers[0].what.find("matrix product (GEMM) of cuBLASLt, built for sm90"), std::string::npos);
  EXPECT_EQ(Said("my_kernel"), "kernel my_kernel");
  EXPECT_EQ(Said("void ns::f<4>(float*)"), "kernel void ns::f<4>(float*)");
}

TEST(ExplainTest, NothingIsSaidOfNonsense) {
  for (const char* term : {"", " ", "?", "xyzzy", "ocupancy", "a b c d e", "\xff\xfe"}) EXPECT_EQ(Said(term), "") << term;
}

TEST(SimilarTermsTest, NearMisses) {
  const auto first = [](std::string_view term) -> std::string {
    const std::vector<std::string> similar = SimilarTerms(term);
    EXPECT_LE(similar.size(), 5u);
    return similar.empty() ? "" : similar.front();
  };
  EXPECT_EQ(first("ocupancy"), "occupancy");
  EXPECT_EQ(first("wrap"), "warp");
  EXPECT_EQ(first("long_scorebord"), "long_scoreboard");
  EXPECT_EQ(first("seriel dispatch"), "serial_dispatch");
  EXPECT_EQ(first("coalesing"), "coalescing");
  EXPECT_EQ(first("unfused_n"), "unfused_norm");
  EXPECT_TRUE(first("dram__byte.sum").starts_with("dram__bytes")) << first("dram__byte.sum");
  EXPECT_TRUE(SimilarTerms("xyzzy").empty());
  EXPECT_TRUE(SimilarTerms("").empty());
  EXPECT_EQ(SimilarTerms("scoreboard").size(), 2u);
}

TEST(ExplainDocumentTest, TheJsonContract) {
  for (const char* term : {"long_scoreboard", "round_trip", "dram__bytes.sum", "serial_dispatch", "no_steps", "finding_high",
                           "warp", "my_kernel", "sm__new.sum"}) {
    const Document document = MakeExplainDocument(term, Explain(term));
    EXPECT_EQ(document.verb, "explain");
    for (const char* key : {"term", "kind", "title", "what", "unit", "healthy", "misleads", "next", "see", "asked", "also"})
      EXPECT_TRUE(document.data.contains(key)) << term << " " << key;
    EXPECT_TRUE(document.data["see"].is_array());
  }
  const Document metric = MakeExplainDocument("x", Explain("dram__bytes.sum"));
  EXPECT_EQ(metric.data["parts"][0]["text"], "dram");
  EXPECT_EQ(metric.data["parts"][2]["role"], "rollup");
  const Document list = MakeTermListDocument();
  EXPECT_EQ(list.data["groups"].size(), static_cast<size_t>(kTermGroupCount) + 1);
}

}  // namespace
}  // namespace warpsight
