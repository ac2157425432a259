#include <fmt/format.h>

#include "analysis/counters/counter_roofline_document.h"
#include "analysis/roofline_document.h"
#include "cli/kernel_options.h"
#include "cli/number_checks.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class RooflineVerb final : public Verb {
 public:
  std::string_view name() const override { return "roofline"; }
  std::string_view summary() const override {
    return "per op and shape (or kernel of an ncu report): FLOPs, bytes, bound, efficiency, time lost against it";
  }
  std::vector<std::string> examples() const override {
    return {"warpsight roofline trace.json.gz --limit 20", "warpsight roofline trace.json.gz --sort efficiency --csv",
            "warpsight roofline trace.json.gz --peak-bandwidth 4300 --peak-flops 780", "warpsight roofline kernels.ncu-rep"};
  }
  InputKind input_kind() const override { return InputKind::kEither; }
  FileCount files() const override { return {1, "the recording, or an Nsight Compute report; - is standard input"}; }
  bool uses_peaks() const override { return true; }
  void Configure(CLI::App& app) override {
    app.add_option("--sort", sort_,
                   "of a timeline: lost (default), gpu, flops, bytes, efficiency (worst first) or calls; of an Nsight "
                   "Compute report: duration or roof (share of the nearest roof), largest first")
        ->check(CLI::IsMember({"lost", "gpu", "flops", "bytes", "efficiency", "calls", "duration", "roof"}));
    app.add_option("--limit", limit_, "rows to show, 0 = all (all in JSON and CSV unless given)")->check(kNotNegative);
  }
  Result<VerbOutput> Run(const Input& input) override {
    if (input.is_counters()) return RunCounters(input);
    if (IsSortOfCounters())
      return UsageError(
          fmt::format("roofline: --sort {}: is of an Nsight Compute report: of a timeline it is lost, gpu, "
                      "flops, bytes, efficiency or calls",
                      sort_));
    const Result<RooflineResult>& roofline = input.analysis().Get<RooflinePass>();
    if (!roofline.ok()) return roofline.status();
    const bool machine = input.options().json || input.options().csv;
    return VerbOutput{MakeRooflineDocument(*roofline, {*ParseRooflineSort(sort_.empty() ? "lost" : sort_),
                                                       limit_.value_or(machine ? 0 : kTextRows), input.options().csv})};
  }

 private:
  Result<VerbOutput> RunCounters(const Input& input) const {
    if (!sort_.empty() && !IsSortOfCounters()) {
      return UsageError(
          fmt::format("roofline: --sort {}: is of a timeline: of an Nsight Compute report it is duration or roof", sort_));
    }
    const CounterReport& report = input.counters();
    WARPSIGHT_RETURN_IF_ERROR(RefuseSourcePage(report));
    const CommonOptions& given = input.options();
    CounterRooflineOptions options;
    options.limit = static_cast<size_t>(limit_.value_or(0));
    if (sort_ == "duration") options.sort = CounterRooflineSort::kDuration;
    if (sort_ == "roof") options.sort = CounterRooflineSort::kRoof;
    options.full_names = given.csv;
    options.all_arithmetic = given.csv;
    for (const ProfiledKernel& kernel : report.kernels()) {
      if (given.device && static_cast<int64_t>(kernel.device) != *given.device) continue;
      options.kernels.push_back(&kernel);
    }
    if (options.kernels.empty())
      return LacksError(report.kernels().empty() ? "no kernel was profiled" : "no kernel of that device was profiled");
    Given peaks;
    if (given.peak_gb_per_s) peaks.peak_bytes_per_s = *given.peak_gb_per_s * 1e9;
    if (given.peak_tflop_per_s) peaks.peak_flops_per_s = *given.peak_tflop_per_s * 1e12;
    return VerbOutput{MakeCounterRooflineDocument(report, options, peaks)};
  }

  bool IsSortOfCounters() const { return sort_ == "duration" || sort_ == "roof"; }

  static constexpr int64_t kTextRows = 30;
  std::string sort_;  // empty: lost of a timeline, the order of the file of counters
  std::optional<int64_t> limit_;
};

}  // namespace

std::unique_ptr<Verb> MakeRooflineVerb() { return std::make_unique<RooflineVerb>(); }

}  // namespace warpsight
