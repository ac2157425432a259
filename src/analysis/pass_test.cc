// Passes on two Analyses of one trace, as threads run them side by side.
#include "analysis/pass.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

struct TextPass {
  using Output = std::string;
  static constexpr std::string_view kName = "text";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis&) { return std::string("a text too long to lie in the string itself"); }
};

// Points into the output of another pass.
struct WordPass {
  using Output = std::string_view;
  static constexpr std::string_view kName = "word";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis) { return std::string_view(*analysis.Get<TextPass>()).substr(2, 4); }
};

TEST(AnalysisTest, WhatIsAdoptedOutlivesWhoMadeIt) {
  const Trace trace = TraceBuilder().Seal();
  Analysis analysis(trace, {});
  (void)analysis.Get<TextPass>();
  auto beside = std::make_unique<Analysis>(trace, Selection{});
  (void)beside->Get<WordPass>();  // of a text of its own
  analysis.Adopt(*beside);
  beside.reset();
  EXPECT_EQ(*analysis.Get<WordPass>(), "text");
  EXPECT_EQ(analysis.timings().size(), 2u);
}

TEST(AnalysisTest, WhatWasAdoptedBeforeIsKeptToo) {
  const Trace trace = TraceBuilder().Seal();
  Analysis analysis(trace, {});
  {
    Analysis beside(trace, {});
    (void)beside.Get<TextPass>();
    {
      Analysis third(trace, {});
      (void)third.Get<WordPass>();
      beside.Adopt(third);
    }
    analysis.Adopt(beside);
  }
  EXPECT_EQ(*analysis.Get<WordPass>(), "text");
}

TEST(AnalysisTest, ASharedAnalysisHasWhatBothThreadsMade) {
  const Trace trace = TraceBuilder().Seal();
  for (const int threads : {1, 2}) {
    Analysis analysis(trace, {});
    const std::string* const before = &*analysis.Get<TextPass>();
    std::vector<int> calls(2);
    const std::string* seen_beside = nullptr;
    analysis.Share(threads, [&](Analysis& own, int worker) {
      ++calls[static_cast<size_t>(worker)];
      if (worker == 1) seen_beside = &*own.Get<TextPass>();
      if (worker == threads - 1) (void)own.Get<WordPass>();
    });
    EXPECT_EQ(calls, (std::vector<int>{1, threads - 1}));
    EXPECT_EQ(seen_beside, threads == 2 ? before : nullptr) << "what was known is not made again";
    EXPECT_EQ(analysis.timings().size(), 2u);
    EXPECT_EQ(*analysis.Get<WordPass>(), "text");
    EXPECT_EQ(analysis.timings().size(), 2u);
  }
}

}  // namespace
}  // namespace warpsight
