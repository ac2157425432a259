#include <string>
#include <vector>

#include "analysis/counters/source_document.h"
#include "analysis/counters/source_page.h"
#include "analysis/counters/source_view.h"
#include "cli/kernel_options.h"
#include "cli/verbs/verb_makers.h"
#include "formats/cubin/kernel_code.h"

namespace warpsight {
namespace {

class SourceVerb final : public Verb {
 public:
  std::string_view name() const override { return "source"; }
  std::string_view summary() const override {
    return "the hot source lines of a kernel, and what its instructions wait for";
  }
  std::vector<std::string> examples() const override {
    return {"warpsight source kernel.ncu-rep", "warpsight source kernel.ncu-rep -k gemm",
            "warpsight source kernel.ncu-rep -k 0 --all", "warpsight source kernel.ncu-rep --html source.html",
            "warpsight source kernel.ncu-rep --csv -o source.csv"};
  }
  InputKind input_kind() const override { return InputKind::kCounters; }
  FileCount files() const override { return {1, "an Nsight Compute report or source page; - is standard input"}; }
  void Configure(CLI::App& app) override {
    kernels_.Configure(app);
    app.add_flag("--all", all_, "all lines and all instructions in the text form");
    app.add_flag("--no-disassembler", no_disassembler_, "don't run nvdisasm or cuobjdump: opcodes only");
    app.add_option("--html", html_, "write the document as a page to this file too");
  }

  Result<VerbOutput> Run(const Input& input) override {
    const CounterReport& report = input.counters();
    const Result<std::vector<const ProfiledKernel*>> kernels = kernels_.Choose(report, input.options().device);
    if (!kernels.ok()) return kernels.status();
    // Views refer to the code, which must not move.
    std::vector<KernelCode> codes;
    codes.reserve(kernels->size());
    std::vector<SourceView> views;
    std::string without;
    for (const ProfiledKernel* kernel : *kernels) {
      codes.push_back(ReadKernelCode(report, *kernel, {.disassemble = !no_disassembler_}));
      SourceView view(report, *kernel, codes.back());
      if (!view.columns().empty()) {
        views.push_back(std::move(view));
      } else {
        without += (without.empty() ? "" : ", ") + std::to_string(kernel->id);
      }
    }
    if (views.empty()) {
      return LacksError(
          "has no counters of single instructions: record the kernel with ncu --section SourceCounters (or --set full)");
    }
    if (input.options().csv) return VerbOutput{MakeSourcePageDocument(views)};
    VerbOutput output{MakeSourceDocument(views, {views.size() == 1 || !html_.empty(), all_, input.options().json})};
    if (!without.empty()) {
      output.document.blocks.push_back(Paragraph{
          "Without counters of single instructions: kernels " + without + "; ncu --section SourceCounters collects them.",
          ParagraphKind::kNote});
    }
    output.page_path = html_;
    return output;
  }

 private:
  KernelOptions kernels_;
  bool all_ = false;
  bool no_disassembler_ = false;
  std::string html_;
};

}  // namespace

std::unique_ptr<Verb> MakeSourceVerb() { return std::make_unique<SourceVerb>(); }

}  // namespace warpsight
