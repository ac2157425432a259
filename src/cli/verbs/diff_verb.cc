#include "analysis/diff/diff.h"
#include "analysis/diff/diff_condition.h"
#include "analysis/diff/diff_document.h"
#include "cli/number_checks.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class DiffVerb final : public Verb {
 public:
  std::string_view name() const override { return "diff"; }
  std::string_view summary() const override {
    return "two recordings, step against step: what became slower, by kernel, op and part; a gate for CI";
  }
  std::vector<std::string> examples() const override {
    return {"warpsight diff before.json.gz after.json.gz", "warpsight diff before.json.gz after.json.gz --fail-if 'step>3%'",
            "warpsight diff a.wscap b.wscap --step 4 --csv"};
  }
  FileCount files() const override {
    FileCount files{2, "the two recordings, A and B: what B differs in from A; one may be -, standard input"};
    files.are_compared = true;
    return files;
  }
  std::string_view ledger_title() const override { return "Ledger of A"; }
  void Configure(CLI::App& app) override {
    app.add_option("--fail-if", conditions_,
                   "exit with status 1 when this holds of B against A: 'step>3%', 'busy>200us', 'kernels>0', "
                   "'part:attention>5%', 'kernel:gemm>50us'; may be given several times")
        ->expected(1)
        ->take_all();
    app.add_option("--limit", limit_, "rows of each table in text, 0 = all")->check(kNotNegative)->capture_default_str();
    app.add_flag("--full-names", full_names_, "kernel names as recorded (--csv and --json never cut them)");
  }
  Status CheckOptions(const CommonOptions& options) const override {
    if (options.files.size() != 2) return UsageError("diff: give two recordings, as in warpsight diff A B");
    for (const std::string& text : conditions_) {
      if (const Result<DiffCondition> condition = ParseDiffCondition(text); !condition.ok()) return condition.status();
    }
    return CheckRangeOfTwo(options.range);
  }
  Result<VerbOutput> Run(const Input& input) override {
    const Result<DiffResult> diff = CompareRecordings(input.analysis(), input.compared());
    if (!diff.ok()) return diff.status();
    std::vector<ConditionAnswer> answers;
    bool holds = false;
    for (const std::string& text : conditions_) {
      const Result<DiffCondition> condition = ParseDiffCondition(text);
      if (!condition.ok()) return condition.status();
      Result<ConditionAnswer> answer = AnswerCondition(*condition, *diff);
      if (!answer.ok()) return answer.status();
      holds = holds || answer->holds;
      answers.push_back(std::move(answer).value());
    }
    const bool csv = input.options().csv;
    if (csv && !diff->kernels) return LacksError("--csv has the kernels, and " + diff->no_gpu);
    return VerbOutput{MakeDiffDocument(*diff, answers, {limit_, full_names_, csv}), holds};
  }

 private:
  std::vector<std::string> conditions_;
  int64_t limit_ = 12;
  bool full_names_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeDiffVerb() { return std::make_unique<DiffVerb>(); }

}  // namespace warpsight
