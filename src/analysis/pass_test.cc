// Passes on two Analyses of one trace, as threads run them side by side.
#include "analysis/pass.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

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

}  // namespace
}  // namespace warpsight
