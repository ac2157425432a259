#include <vector>

#include "analysis/counters/counters_document.h"
#include "analysis/counters/counters_page.h"
#include "cli/kernel_code_lines.h"
#include "cli/kernel_options.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class CountersVerb final : public Verb {
 public:
  std::string_view name() const override { return "counters"; }
  std::string_view summary() const override {
    return "why a kernel is slow: an Nsight Compute report judged, with its sections and metrics";
  }
  std::vector<std::string> examples() const override {
    return {"warpsight counters kernel.ncu-rep", "warpsight counters kernel.ncu-rep -k gemm --sections",
            "warpsight counters kernel.ncu-rep --html counters.html", "warpsight counters kernel.ncu-rep --json",
            "warpsight counters kernel.ncu-rep --csv -o raw.csv"};
  }
  InputKind input_kind() const override { return InputKind::kCounters; }
  FileCount files() const override { return {1, "an Nsight Compute report; - is standard input"}; }
  void Configure(CLI::App& app) override {
    kernels_.Configure(app);
    app.add_flag("--sections", sections_, "all sections in the text form (shown anyway when one kernel is chosen)");
    app.add_flag("--full-names", full_names_, "names as recorded");
    app.add_option("--html", page_path_, "write one page of HTML with charts to this file as well; with --quiet only that")
        ->check([](const std::string& path) { return path.empty() ? std::string("give a file name") : std::string(); });
  }
  Result<VerbOutput> Run(const Input& input) override {
    const CounterReport& report = input.counters();
    WARPSIGHT_RETURN_IF_ERROR(RefuseSourcePage(report));
    const Result<std::vector<const ProfiledKernel*>> kernels = kernels_.Choose(report, input.options().device);
    if (!kernels.ok()) return kernels.status();
    VerbOutput output;
    output.page_path = page_path_;
    if (!page_path_.empty()) output.page = MakeCountersPage(report, *kernels, ReadLinesOf);
    output.document =
        input.options().csv
            ? MakeRawPageDocument(report, *kernels)
            : MakeCountersDocument(report, {*kernels, sections_ || kernels->size() == 1, full_names_, ReadLinesOf});
    return output;
  }

 private:
  KernelOptions kernels_;
  bool sections_ = false;
  bool full_names_ = false;
  std::string page_path_;
};

}  // namespace

std::unique_ptr<Verb> MakeCountersVerb() { return std::make_unique<CountersVerb>(); }

}  // namespace warpsight
