#include "cli/verbs/verb_makers.h"
#include "diagnosis/report_document.h"

namespace warpsight {
namespace {

class ReportVerb final : public Verb {
 public:
  std::string_view name() const override { return "report"; }
  std::string_view summary() const override {
    return "the main job: verdict, findings with gains, steps, idle time, top kernels and ops";
  }
  std::vector<std::string> examples() const override {
    return {"warpsight report trace.json.gz", "warpsight report trace.json --step 4",
            "warpsight report trace.json --json -o report.json", "warpsight report rank0.json.gz rank1.json.gz"};
  }
  bool takes_several_files() const override { return true; }
  void Configure(CLI::App& app) override {
    app.add_option("--limit", limit_, "rows of the kernel and op tables in text")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_flag("--full-names", full_names_, "kernel names as recorded");
  }
  Result<VerbOutput> Run(const Input& input) override {
    return VerbOutput{MakeReportDocument(input.analysis(), {limit_, full_names_})};
  }

 private:
  int64_t limit_ = 10;
  bool full_names_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeReportVerb() { return std::make_unique<ReportVerb>(); }

}  // namespace warpsight
