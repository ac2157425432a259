#include "cli/milliseconds.h"
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
            "warpsight report trace.json --measured-step 34.3", "warpsight report trace.json --json -o report.json",
            "warpsight report rank0.json.gz rank1.json.gz"};
  }
  bool takes_several_files() const override { return true; }
  void Configure(CLI::App& app) override {
    app.add_option("--limit", limit_, "rows of the kernel and op tables in text")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_flag("--full-names", full_names_, "kernel names as recorded");
    app.add_option("--measured-step", measured_step_,
                   "time of one step without the profiler in ms, from a timer: host times are scaled to it")
        ->check([](const std::string& text) {
          return ParseMilliseconds(text) ? std::string() : "give a time in ms above 0, such as 34.3: " + text;
        });
  }
  bool uses_peaks() const override { return true; }
  Result<VerbOutput> Run(const Input& input) override {
    if (measured_step_.empty()) return VerbOutput{MakeReportDocument(input.analysis(), {limit_, full_names_})};
    Given given = input.analysis().given();
    given.measured_step_ns = ParseMilliseconds(measured_step_);
    Analysis analysis(input.trace(), input.analysis().selection(), given);
    return VerbOutput{MakeReportDocument(analysis, {limit_, full_names_})};
  }

 private:
  std::string measured_step_;
  int64_t limit_ = 10;
  bool full_names_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeReportVerb() { return std::make_unique<ReportVerb>(); }

}  // namespace warpsight
