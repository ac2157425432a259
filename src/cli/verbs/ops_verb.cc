#include "analysis/ops_document.h"
#include "cli/number_checks.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class OpsVerb final : public Verb {
 public:
  std::string_view name() const override { return "ops"; }
  std::string_view summary() const override { return "key averages: calls, self and total time of every op on CPU and GPU"; }
  std::vector<std::string> examples() const override {
    return {"warpsight ops trace.json.gz --sort self-cpu --limit 20", "warpsight ops trace.json.gz --by-shape --csv"};
  }
  void Configure(CLI::App& app) override {
    app.add_option("--sort", sort_, "self-gpu, gpu, self-cpu, cpu or count")
        ->check(CLI::IsMember({"self-gpu", "gpu", "self-cpu", "cpu", "count"}))
        ->capture_default_str();
    app.add_option("--limit", limit_, "rows to show, 0 = all (all in JSON and CSV unless given)")->check(kNotNegative);
    app.add_flag("--by-shape", options_.by_shape, "one row a name and operand shapes");
    app.add_option("--by-stack", options_.stack_frames, "one row a name and innermost N Python frames")->check(kPositive);
    app.add_flag("--full-names", full_names_, "kernel names as recorded");
  }
  Result<VerbOutput> Run(const Input& input) override {
    WARPSIGHT_RETURN_IF_ERROR(CheckKeyAverages(input.trace(), options_));
    const bool machine = input.options().json || input.options().csv;
    const OpsDocumentOptions document{*ParseOpsSort(sort_), limit_.value_or(machine ? 0 : kTextRows),
                                      full_names_ || input.options().csv};
    return VerbOutput{MakeOpsDocument(ComputeKeyAverages(input.trace(), input.analysis().selection(), options_), document)};
  }

 private:
  static constexpr int64_t kTextRows = 40;
  std::string sort_ = "self-gpu";
  std::optional<int64_t> limit_;
  bool full_names_ = false;
  KeyAveragesOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeOpsVerb() { return std::make_unique<OpsVerb>(); }

}  // namespace warpsight
