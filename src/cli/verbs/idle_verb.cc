#include <limits>

#include "analysis/idle_document.h"
#include "cli/number_checks.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

class IdleVerb final : public Verb {
 public:
  std::string_view name() const override { return "idle"; }
  std::string_view summary() const override {
    return "why the GPU did nothing: idle time by cause, host ops to blame, largest gaps";
  }
  bool is_one_table() const override { return false; }
  std::vector<std::string> examples() const override {
    return {"warpsight idle trace.json.gz", "warpsight idle trace.json.gz --step 4 --limit 50"};
  }
  void Configure(CLI::App& app) override {
    app.add_option("--limit", limit_, "largest gaps to show, 0 = all (20 in text, 1000 in JSON unless given)")
        ->check(kNotNegative);
  }
  Result<VerbOutput> Run(const Input& input) override {
    const Result<IdleResult>& idle = input.analysis().Get<IdlePass>();
    if (!idle.ok()) return idle.status();
    IdleDocumentOptions options;
    if (limit_) options.text_gaps = options.json_gaps = *limit_ == 0 ? std::numeric_limits<int64_t>::max() : *limit_;
    return VerbOutput{MakeIdleDocument(input.trace(), *idle, options)};
  }

 private:
  std::optional<int64_t> limit_;
};

}  // namespace

std::unique_ptr<Verb> MakeIdleVerb() { return std::make_unique<IdleVerb>(); }

}  // namespace warpsight
