#include <fmt/format.h>

#include <string>
#include <vector>

#include "analysis/explain/explain_document.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

constexpr size_t kLongestShown = 80;  // of a term in an error line

// "a, b or c".
std::string OneOf(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

class ExplainVerb final : public Verb {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override {
    return "a metric, stall reason, finding, threshold, word or kernel name: what it is, when it is healthy, when it "
           "misleads";
  }
  bool is_one_table() const override { return false; }
  std::vector<std::string> examples() const override {
    return {"warpsight explain long scoreboard", "warpsight explain sm__throughput.avg.pct_of_peak_sustained_elapsed",
            "warpsight explain nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT --json", "warpsight explain --list"};
  }
  InputKind input_kind() const override { return InputKind::kNone; }
  void Configure(CLI::App& app) override {
    app.add_option("TERM", words_, "what to explain; several words are one term, case does not matter");
    app.add_flag("--list", list_, "all terms, by kind (also without TERM)");
  }
  Result<VerbOutput> Run(const Input& /*input*/) override {
    const std::string term = fmt::format("{}", fmt::join(words_, " "));
    if (list_ && !words_.empty()) return UsageError("explain: TERM and --list: give one of them");
    if (words_.empty()) return VerbOutput{MakeTermListDocument()};
    const std::vector<Explanation> answers = Explain(term);
    if (!answers.empty()) return VerbOutput{MakeExplainDocument(term, answers)};
    const std::vector<std::string> similar = SimilarTerms(term);
    const std::string meant = similar.empty() ? "" : fmt::format("did you mean {}? ", OneOf(similar));
    const std::string shown = term.size() <= kLongestShown ? term : term.substr(0, kLongestShown) + "...";
    return UsageError(fmt::format("explain: {}: no such term: {}warpsight explain --list has them all", shown, meant));
  }

 private:
  std::vector<std::string> words_;
  bool list_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeExplainVerb() { return std::make_unique<ExplainVerb>(); }

}  // namespace warpsight
