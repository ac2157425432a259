#include "analysis/kernels_document.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class KernelsVerb final : public Verb {
 public:
  std::string_view name() const override { return "kernels"; }
  std::string_view summary() const override { return "GPU time by kernel name: calls, total, mean, share, family"; }
  std::vector<std::string> examples() const override {
    return {"warpsight kernels trace.json.gz --limit 10", "warpsight kernels trace.json.gz --csv -o kernels.csv"};
  }
  void Configure(CLI::App& app) override {
    app.add_option("--limit", limit_, "rows to show, 0 = all (all in JSON and CSV unless given)")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--full-names", full_names_, "names as recorded");
  }
  Result<VerbOutput> Run(const Input& input) override {
    const Result<KernelsResult>& kernels = input.analysis().Get<KernelsPass>();
    if (!kernels.ok()) return kernels.status();
    const bool machine = input.options().json || input.options().csv;
    return VerbOutput{
        MakeKernelsDocument(*kernels, {limit_.value_or(machine ? 0 : kTextRows), full_names_ || input.options().csv})};
  }

 private:
  static constexpr int64_t kTextRows = 40;
  std::optional<int64_t> limit_;
  bool full_names_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeKernelsVerb() { return std::make_unique<KernelsVerb>(); }

}  // namespace warpsight
