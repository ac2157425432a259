#include "analysis/kernels_document.h"
#include "analysis/stats/ranges_document.h"
#include "cli/number_checks.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class KernelsVerb final : public Verb {
 public:
  std::string_view name() const override { return "kernels"; }
  std::string_view summary() const override { return "GPU time by kernel name: calls, total, mean, share, family"; }
  std::vector<std::string> examples() const override {
    return {"warpsight kernels trace.json.gz --limit 10", "warpsight kernels trace.json.gz --csv -o kernels.csv",
            "warpsight kernels run.sqlite --by range"};
  }
  void Configure(CLI::App& app) override {
    app.add_option("--limit", limit_, "rows to show, 0 = all (all in JSON and CSV unless given)")->check(kNotNegative);
    app.add_flag("--full-names", full_names_, "names as recorded");
    app.add_option("--by", by_, "what a row is: name, or range: the ranges around the launch, nested")
        ->check(CLI::IsMember({"name", "range"}));
  }
  Result<VerbOutput> Run(const Input& input) override {
    const bool machine = input.options().json || input.options().csv;
    if (by_ == "range") {
      const Result<RangesResult>& ranges = input.analysis().Get<RangesPass>();
      if (!ranges.ok()) return ranges.status();
      return VerbOutput{MakeRangesDocument(*ranges, limit_.value_or(machine ? 0 : kTextRows))};
    }
    const Result<KernelsResult>& kernels = input.analysis().Get<KernelsPass>();
    if (!kernels.ok()) return kernels.status();
    return VerbOutput{
        MakeKernelsDocument(*kernels, {limit_.value_or(machine ? 0 : kTextRows), full_names_ || input.options().csv})};
  }

 private:
  static constexpr int64_t kTextRows = 40;
  std::optional<int64_t> limit_;
  bool full_names_ = false;
  std::string by_ = "name";
};

}  // namespace

std::unique_ptr<Verb> MakeKernelsVerb() { return std::make_unique<KernelsVerb>(); }

}  // namespace warpsight
