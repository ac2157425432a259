#include "cli/milliseconds.h"
#include "cli/model_option.h"
#include "cli/number_checks.h"
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
  bool is_one_table() const override { return false; }
  std::vector<std::string> examples() const override {
    return {"warpsight report trace.json.gz",
            "warpsight report trace.json --step 4",
            "warpsight report trace.json --measured-step 34.3",
            "warpsight report trace.json.gz --html report.html",
            "warpsight report rank0.json.gz rank1.json.gz",
            "warpsight report trace.json.gz kernels.ncu-rep",
            "warpsight report trace.json --json -o report.json"};
  }
  FileCount files() const override {
    constexpr int kMostFiles = 1 << 16;
    return {
        kMostFiles,
        "the recording, or those of the ranks of one run; Nsight Compute reports of its kernels beside it; - is standard "
        "input",
        false, true};
  }
  InputKind input_kind() const override { return InputKind::kJoined; }
  void Configure(CLI::App& app) override {
    app.add_option("--limit", limit_, "rows of the kernel and op tables in text; of steps twice as many, the longest")
        ->check(kNotNegative)
        ->capture_default_str();
    app.add_flag("--full-names", full_names_, "kernel names as recorded");
    app.add_option("--measured-step", measured_step_,
                   "time of one step without the profiler in ms, from a timer: host times are scaled to it")
        ->check([](const std::string& text) {
          return ParseMilliseconds(text) ? std::string() : "give a time in ms above 0, such as 34.3: " + text;
        });
    app.add_option("--html", page_path_, "write the report as one page of HTML to this file as well; with --quiet only that")
        ->check([](const std::string& path) { return path.empty() ? std::string("give a file name") : std::string(); });
    app.add_flag("--expect", expect_,
                 "first what the model and the device let expect of a step (shares, calls), then the same as measured");
    model_.Add(app);
  }
  bool uses_peaks() const override { return true; }
  Result<VerbOutput> Run(const Input& input) override {
    WARPSIGHT_RETURN_IF_ERROR(model_.Give(input.analysis()));
    if (!measured_step_.empty()) {
      input.analysis().Give([&](Given& given) { given.measured_step_ns = ParseMilliseconds(measured_step_); });
    }
    const int64_t page_rows = page_path_.empty() ? 0 : kPageRows;
    return VerbOutput{MakeReportDocument(input.analysis(), {limit_, full_names_, page_rows, expect_, input.options().json}),
                      false, page_path_};
  }

 private:
  static constexpr int64_t kPageRows = 1000;
  std::string measured_step_;
  bool expect_ = false;
  int64_t limit_ = 10;
  std::string page_path_;
  bool full_names_ = false;
  ModelOption model_;
};

}  // namespace

std::unique_ptr<Verb> MakeReportVerb() { return std::make_unique<ReportVerb>(); }

}  // namespace warpsight
