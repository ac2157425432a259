#include <fmt/format.h>

#include <optional>
#include <string>

#include "analysis/counters/counters_document.h"
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
            "warpsight counters kernel.ncu-rep --json", "warpsight counters kernel.ncu-rep --csv -o raw.csv"};
  }
  InputKind input_kind() const override { return InputKind::kCounters; }
  FileCount files() const override { return {1, "an Nsight Compute report; - is standard input"}; }
  void Configure(CLI::App& app) override {
    app.add_option("-k,--kernel", kernel_, "kernels whose name contains this");
    app.add_option("--id", id_, "the kernel with this number")->check(CLI::NonNegativeNumber);
    app.add_flag("--sections", sections_, "all sections in the text form (shown anyway when one kernel is chosen)");
    app.add_flag("--full-names", full_names_, "names as recorded");
  }
  Result<VerbOutput> Run(const Input& input) override {
    const CounterReport& report = input.counters();
    const Result<std::vector<const ProfiledKernel*>> kernels = Choose(report, input.options().device);
    if (!kernels.ok()) return kernels.status();
    if (input.options().csv) return VerbOutput{MakeRawPageDocument(report, *kernels)};
    return VerbOutput{MakeCountersDocument(report, {*kernels, sections_ || kernels->size() == 1, full_names_})};
  }

 private:
  Result<std::vector<const ProfiledKernel*>> Choose(const CounterReport& report, std::optional<int32_t> device) const {
    if (report.kernels().empty())
      return LacksError("no kernel was profiled: check the filters of ncu (--kernel-name, --launch-skip, --nvtx-include)");
    std::vector<const ProfiledKernel*> chosen;
    for (const ProfiledKernel& kernel : report.kernels()) {
      if (id_ && kernel.id != *id_) continue;
      if (device && static_cast<int64_t>(kernel.device) != *device) continue;
      if (!kernel_.empty() && kernel.full_name.find(kernel_) == std::string_view::npos) continue;
      chosen.push_back(&kernel);
    }
    if (chosen.empty()) {
      return UsageError(fmt::format("no kernel is left by the options: the report has {} kernels, the first is {}",
                                    report.kernels().size(), report.kernels().front().full_name));
    }
    return chosen;
  }

  std::string kernel_;
  std::optional<int64_t> id_;
  bool sections_ = false;
  bool full_names_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeCountersVerb() { return std::make_unique<CountersVerb>(); }

}  // namespace warpsight
