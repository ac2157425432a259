#include "analysis/steps_document.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class StepsVerb final : public Verb {
 public:
  std::string_view name() const override { return "steps"; }
  std::string_view summary() const override {
    return "one row per step and device: wall, busy, idle, kernels, launches, what bounds it";
  }
  std::vector<std::string> examples() const override {
    return {"warpsight steps trace.json.gz", "warpsight steps trace.json.gz --json"};
  }
  bool uses_peaks() const override { return true; }
  Result<VerbOutput> Run(const Input& input) override {
    const Result<StepsResult>& steps = input.analysis().Get<StepsPass>();
    if (!steps.ok()) return steps.status();
    WARPSIGHT_RETURN_IF_ERROR(CheckSteps(*steps));
    return VerbOutput{MakeStepsDocument(*steps)};
  }
};

}  // namespace

std::unique_ptr<Verb> MakeStepsVerb() { return std::make_unique<StepsVerb>(); }

}  // namespace warpsight
