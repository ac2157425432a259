#include <optional>

#include "analysis/attribution_document.h"
#include "analysis/parts_document.h"
#include "cli/model_option.h"
#include "cli/number_checks.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class PartsVerb final : public Verb {
 public:
  std::string_view name() const override { return "parts"; }
  std::string_view summary() const override { return "GPU time by model part, and the accounting: what a step should hold"; }
  std::vector<std::string> examples() const override {
    return {"warpsight parts trace.json.gz", "warpsight parts trace.json.gz --model config.json",
            "warpsight parts graph.json.gz eager.json.gz   # CUDA graphs by an eager run"};
  }
  FileCount files() const override {
    return {2, "the recording; then, if you like, an eager recording of the same model as the reference for CUDA graphs",
            true};
  }
  void Configure(CLI::App& app) override {
    model_.Add(app);
    app.add_option("--limit", limit_, "kernels of the part other in text, 0 = all")
        ->check(kNotNegative)
        ->capture_default_str();
    app.add_flag("--full-names", full_names_, "kernel names as recorded");
    app.add_flag("--rows", rows_, "every kernel with its part and the op, module and range that told it");
  }
  Result<VerbOutput> Run(const Input& input) override {
    Analysis& analysis = input.analysis();
    WARPSIGHT_RETURN_IF_ERROR(model_.Give(analysis));
    const Result<PartsResult>& parts = analysis.Get<PartsPass>();
    if (!parts.ok()) return parts.status();
    const Result<ModelResult>& model = analysis.Get<ModelPass>();
    if (!model.ok()) return model.status();
    Document document = MakePartsDocument(*parts, *model, {limit_, full_names_, input.options().csv});
    if (rows_) {
      const WorkParts& work = *analysis.Get<WorkPartsPass>();
      if (input.options().csv) document.blocks.clear();
      if (input.options().json) {
        document.data["work"] = WorkRowsJson(work);
      } else {
        document.blocks.push_back(WorkRowsTable(work));
      }
    }
    return VerbOutput{std::move(document)};
  }

 private:
  ModelOption model_;
  int64_t limit_ = 10;
  bool full_names_ = false;
  bool rows_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakePartsVerb() { return std::make_unique<PartsVerb>(); }

}  // namespace warpsight
