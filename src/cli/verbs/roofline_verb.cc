#include "analysis/roofline_document.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class RooflineVerb final : public Verb {
 public:
  std::string_view name() const override { return "roofline"; }
  std::string_view summary() const override {
    return "per op and shape: FLOPs, bytes, the bound of the device, efficiency, time lost against it";
  }
  std::vector<std::string> examples() const override {
    return {"warpsight roofline trace.json.gz --limit 20", "warpsight roofline trace.json.gz --sort efficiency --csv",
            "warpsight roofline trace.json.gz --peak-bandwidth 4300 --peak-flops 780"};
  }
  bool uses_peaks() const override { return true; }
  void Configure(CLI::App& app) override {
    app.add_option("--sort", sort_, "lost, gpu, flops, bytes, efficiency (worst first) or calls")
        ->check(CLI::IsMember({"lost", "gpu", "flops", "bytes", "efficiency", "calls"}))
        ->capture_default_str();
    app.add_option("--limit", limit_, "rows to show, 0 = all (all in JSON and CSV unless given)")
        ->check(CLI::NonNegativeNumber);
  }
  Result<VerbOutput> Run(const Input& input) override {
    const Result<RooflineResult>& roofline = input.analysis().Get<RooflinePass>();
    if (!roofline.ok()) return roofline.status();
    const bool machine = input.options().json || input.options().csv;
    return VerbOutput{MakeRooflineDocument(
        *roofline, {*ParseRooflineSort(sort_), limit_.value_or(machine ? 0 : kTextRows), input.options().csv})};
  }

 private:
  static constexpr int64_t kTextRows = 30;
  std::string sort_ = "lost";
  std::optional<int64_t> limit_;
};

}  // namespace

std::unique_ptr<Verb> MakeRooflineVerb() { return std::make_unique<RooflineVerb>(); }

}  // namespace warpsight
