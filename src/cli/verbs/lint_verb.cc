#include "analysis/lint_document.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class LintVerb final : public Verb {
 public:
  std::string_view name() const override { return "lint"; }
  std::string_view summary() const override { return "problems of the recording itself; exit status 1 when there are any"; }
  bool is_one_table() const override { return false; }
  std::vector<std::string> examples() const override {
    return {"warpsight lint trace.json.gz", "warpsight lint trace.json.gz --json"};
  }
  Result<VerbOutput> Run(const Input& input) override {
    const Result<LintResult>& lint = input.analysis().Get<LintPass>();
    if (!lint.ok()) return lint.status();
    return VerbOutput{MakeLintDocument(*lint), lint->condition_holds()};
  }
};

}  // namespace

std::unique_ptr<Verb> MakeLintVerb() { return std::make_unique<LintVerb>(); }

}  // namespace warpsight
