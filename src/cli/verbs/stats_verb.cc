#include <fmt/format.h>

#include <algorithm>

#include "analysis/stats/stats_document.h"
#include "cli/number_checks.h"
#include "cli/verbs/verb_makers.h"

namespace warpsight {
namespace {

std::string KnownReports() {
  std::string names;
  for (const StatsReport& report : StatsReports()) names += (names.empty() ? "" : ", ") + std::string(report.name);
  return names;
}

class StatsVerb final : public Verb {
 public:
  std::string_view name() const override { return "stats"; }
  std::string_view summary() const override { return "the summaries of `nsys stats`, by their names, of any recording"; }
  std::vector<std::string> examples() const override {
    return {"warpsight stats run.sqlite", "warpsight stats run.sqlite cuda_gpu_kern_sum --csv",
            "warpsight stats trace.json.gz --report cuda_api_sum"};
  }
  FileCount files() const override { return {1, "the recording, and names of reports; - is standard input"}; }
  int most_words() const override { return static_cast<int>(StatsReports().size()); }
  Status TakeWords(std::vector<std::string>& words) override {
    const auto reports = std::stable_partition(words.begin(), words.end(),
                                               [](const std::string& word) { return FindStatsReport(word) == nullptr; });
    names_.insert(names_.end(), reports, words.end());
    words.erase(reports, words.end());
    if (words.empty()) return UsageError("stats: no FILE is given, only reports");
    if (words.size() > 1)
      return UsageError(fmt::format("{}: there is no such report; there are {}", words.back(), KnownReports()));
    return OkStatus();
  }
  void Configure(CLI::App& app) override {
    app.add_option("REPORT,-r,--report", names_,
                   "reports to make (all that the recording has events for): " + KnownReports());
    app.add_option("--limit", limit_, "rows of a report to show, 0 = all")->check(kNotNegative)->capture_default_str();
  }
  Result<VerbOutput> Run(const Input& input) override {
    if (input.options().csv && names_.size() != 1)
      return UsageError("stats --csv: name one report, as in stats FILE cuda_gpu_kern_sum --csv; there are " +
                        KnownReports());
    std::vector<MadeStatsReport> made;
    for (const std::string& wanted : names_) {
      const StatsReport* report = FindStatsReport(wanted);
      if (report == nullptr)
        return UsageError(fmt::format("{}: there is no such report; there are {}", wanted, KnownReports()));
      made.push_back({report, report->make(input.trace(), input.analysis().selection())});
      if (made.back().table.rows.empty())
        return LacksError(fmt::format("{}: the recording (or the part selected) has no {}", report->name, report->events));
    }
    if (!names_.empty()) return VerbOutput{MakeStatsDocument(std::move(made), limit_)};
    for (const StatsReport& report : StatsReports()) {
      Table table = report.make(input.trace(), input.analysis().selection());
      if (!table.rows.empty()) made.push_back({&report, std::move(table)});
    }
    if (made.empty()) return LacksError("stats: the recording (or the part selected) has no events to sum up");
    return VerbOutput{MakeStatsDocument(std::move(made), limit_)};
  }

 private:
  std::vector<std::string> names_;
  int64_t limit_ = 0;
};

}  // namespace

std::unique_ptr<Verb> MakeStatsVerb() { return std::make_unique<StatsVerb>(); }

}  // namespace warpsight
