// Every id that a report, a lint run or a counter report can show has its explanation, and none is of an id that is gone.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "analysis/counters/stall_reasons.h"
#include "analysis/counters/triage_data.h"
#include "analysis/explain/explain.h"
#include "analysis/idle_classes.h"
#include "analysis/kernel_family.h"
#include "analysis/lint/lint_check.h"
#include "analysis/part.h"
#include "analysis/stats/stats_reports.h"
#include "analysis/thresholds.h"
#include "counters/section_data.h"
#include "diagnosis/rule.h"

namespace warpsight::explain_coverage_test {
namespace {

namespace fs = std::filesystem;
using Ids = std::set<std::string>;

const fs::path kRoot = fs::path(WARPSIGHT_TESTDATA_DIR).parent_path().parent_path();

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// What the first group of `pattern` matches in the sources of a folder.
void AddFromSources(const fs::path& folder, const std::string& pattern, Ids& ids) {
  const std::regex expression(pattern);
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".cc" || name.ends_with("_test.cc")) continue;
    const std::string text = ReadText(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
      ids.insert((*match)[1]);
  }
}

// The ids of a table in docs/: "| `id` |".
Ids IdsOfPage(const std::string& page, const std::string& from, const std::string& to) {
  std::string text = ReadText(kRoot / page);
  const size_t start = text.find(from);
  EXPECT_NE(start, std::string::npos) << from;
  text = text.substr(start, text.find(to, start + 1) - start);
  Ids ids;
  const std::regex row("\n\\| `(\\w+)` \\|");
  for (std::sregex_iterator match(text.begin(), text.end(), row), end; match != end; ++match) ids.insert((*match)[1]);
  return ids;
}

void ExpectExactly(TermGroup group, const Ids& ids) {
  ASSERT_FALSE(ids.empty());
  for (const std::string& id : ids) {
    EXPECT_NE(FindTerm(group, id), nullptr)
        << id << " has no explanation: add [" << InfoOf(group).key << "." << id << "] to data/explain_*.toml";
  }
  for (const TermText& term : AllTerms()) {
    if (term.group == group) {
      EXPECT_TRUE(ids.contains(term.id)) << "data/explain_*.toml explains " << term.id << ", which nothing shows";
    }
  }
}

TEST(ExplainCoverageTest, StallReasons) {
  Ids ids;
  for (const StallReason& reason : AllStallReasons()) ids.insert(reason.id);
  ExpectExactly(TermGroup::kStall, ids);
}

TEST(ExplainCoverageTest, Findings) {
  Ids ids;
  for (const Rule& rule : AllRules()) ids.insert(std::string(rule.id));
  AddFromSources("src/diagnosis", "finding\\.id = \"(\\w+)\"", ids);
  ExpectExactly(TermGroup::kFinding, ids);
}

TEST(ExplainCoverageTest, FindingsOnCounters) {
  Ids ids;
  for (const TriageNode& node : CounterTriageData().nodes) ids.insert(node.id);
  ExpectExactly(TermGroup::kCounterFinding, ids);
}

TEST(ExplainCoverageTest, Verdicts) {
  // A verdict of the name of a finding is explained with it.
  Ids ids = {"overhead_bound", "communication_bound"};
  for (const TriageText& verdict : CounterTriageData().verdicts) {
    if (FindTerm(TermGroup::kCounterFinding, verdict.id) == nullptr) ids.insert(verdict.id);
  }
  ExpectExactly(TermGroup::kVerdict, ids);
}

TEST(ExplainCoverageTest, Lint) {
  Ids ids;
  for (const LintCheck& check : AllLintChecks()) ids.insert(std::string(check.id));
  AddFromSources("src/analysis/lint", "finding\\.id = \"(\\w+)\"", ids);
  AddFromSources("src/analysis/lint", "\"(stream_overlap_\\w+)\"", ids);
  ExpectExactly(TermGroup::kLint, ids);
}

TEST(ExplainCoverageTest, CausesOfTheLedger) {
  Ids ids;
  const std::string call = "\\b(?:Add|Repair|Repaired|Exclude|Excluded|ExcludeOpenEvent)\\(\\s*\"([a-z_]+)\"";
  AddFromSources("src/formats", call, ids);
  AddFromSources("src/trace", call, ids);
  AddFromSources("src/counters", call, ids);
  // What the recorder counts of what it lost, which the importer of captures hands on.
  AddFromSources("src/capture", "\\bcount\\(\"((?!records_|kernels_|buffers_)[a-z_]+)\"", ids);
  AddFromSources("src/formats", "\\? \"([a-z]+_[a-z_]+)\" : \"[a-z_]+\",\\s*\"", ids);
  for (const LintCheck& check : AllLintChecks()) ids.erase(std::string(check.id));
  ExpectExactly(TermGroup::kCause, ids);
}

TEST(ExplainCoverageTest, IdleClasses) {
  Ids ids;
  for (size_t i = 0; i < kIdleClassCount; ++i) ids.insert(std::string(InfoOf(static_cast<IdleClass>(i)).key));
  ExpectExactly(TermGroup::kIdleClass, ids);
}

TEST(ExplainCoverageTest, ReportsOfStats) {
  Ids ids;
  for (const StatsReport& report : StatsReports()) ids.insert(std::string(report.name));
  ExpectExactly(TermGroup::kStats, ids);
}

TEST(ExplainCoverageTest, PartsAndFamilies) {
  Ids ids = {"gemv"};  // a kind of the decoder of kernel names
  for (int i = 0; i < kPartCount; ++i) ids.insert(std::string(PartName(static_cast<Part>(i))));
  for (const KernelFamilyRule& rule : KernelFamilies::Embedded().rules()) ids.insert(rule.family);
  ExpectExactly(TermGroup::kPart, ids);
}

TEST(ExplainCoverageTest, Sections) {
  Ids ids;
  for (const SectionData& section : AllSectionData()) {
    ids.insert(section.id);
    for (const std::string& name : section.covers) EXPECT_FALSE(Explain(name).empty()) << name;
    for (const SectionRowData& row : section.rows) {
      if (!row.metrics.empty()) EXPECT_FALSE(Explain(row.label).empty()) << row.label;
    }
  }
  ExpectExactly(TermGroup::kSection, ids);
}

TEST(ExplainCoverageTest, Thresholds) {
  Ids ids;
  for (const Threshold& threshold : AllThresholds()) ids.insert(threshold.id);
  ExpectExactly(TermGroup::kThreshold, ids);
  Ids limits;
  for (const TriageLimit& limit : CounterTriageData().limits) limits.insert(limit.id);
  ExpectExactly(TermGroup::kLimit, limits);
}

TEST(ExplainCoverageTest, WhatIfs) {
  ExpectExactly(TermGroup::kWhatIf, IdsOfPage("docs/findings.md", "## What if", "\n## "));
}

// Whatever in a data file looks like a metric's name.
TEST(ExplainCoverageTest, MetricsOfTheData) {
  size_t seen = 0;
  for (const char* path : {"data/counter_sections.toml", "data/counter_triage.toml", "data/counter_rooflines.toml",
                           "data/memory_chart.toml", "data/source_columns.toml"}) {
    const std::string text = ReadText(kRoot / path);
    EXPECT_FALSE(text.empty()) << path;
    const std::regex name("[a-z0-9]+__[a-z0-9_*]+(\\.[a-z_]+)*|memory_l[12]_[a-z_]+");
    for (std::sregex_iterator match(text.begin(), text.end(), name), end; match != end; ++match, ++seen) {
      const std::optional<MetricName> metric = ParseMetricName(match->str());
      ASSERT_TRUE(metric) << match->str();
      EXPECT_TRUE(metric->is_known()) << match->str() << ": no row of data/explain_metrics.toml, or an unknown part";
    }
  }
  EXPECT_GT(seen, 300u);
  EXPECT_GT(AllKnownMetrics().size(), 200u);
}

// Every name that reports are known to hold is explained in all its parts, and every row and pattern has such a name.
TEST(ExplainCoverageTest, MetricsOfReports) {
  std::ifstream file(kRoot / "tests/data/metric_names.txt");
  std::set<std::pair<const MetricFamily*, std::string>> seen;
  size_t names = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    ++names;
    const std::optional<MetricName> metric = ParseMetricName(line);
    ASSERT_TRUE(metric) << line;
    EXPECT_TRUE(metric->is_known()) << line;
    for (const std::string& pattern : metric->family->names) {
      std::string expression;
      for (const char c : pattern) expression += c == '*' ? ".*" : std::string(1, c);
      if (std::regex_match(metric->base, std::regex(expression))) seen.emplace(metric->family, pattern);
    }
  }
  EXPECT_GT(names, 900u);
  for (const MetricFamily& family : AllMetricFamilies()) {
    EXPECT_FALSE(family.title.empty());
    EXPECT_FALSE(family.what.empty() || family.healthy.empty() || family.misleads.empty() || family.next.empty())
        << family.title;
    for (const std::string& pattern : family.names)
      EXPECT_TRUE(seen.contains({&family, pattern})) << pattern << ": no known metric is explained by it";
  }
}

TEST(ExplainCoverageTest, WordsOfMetricsAreUsed) {
  const std::string names = ReadText(kRoot / "tests/data/metric_names.txt");
  std::string text = ReadText(kRoot / "data/explain_metric_words.toml");
  const size_t units = text.find("\n[unit]");
  const size_t rollups = text.find("\n[rollup]");
  const size_t words = text.find("\n[word]");
  const size_t general = text.find("\n[general]");
  ASSERT_TRUE(units < rollups && rollups < words && words < general && general != std::string::npos);
  text = text.substr(units, rollups - units) + text.substr(words, general - words);
  const std::regex row("\n(\\w+) = ");
  for (std::sregex_iterator match(text.begin(), text.end(), row), end; match != end; ++match)
    EXPECT_NE(names.find((*match)[1]), std::string::npos) << (*match)[1];
}

// Every text is whole: fields that end as sentences do, references that lead somewhere, spellings that find their term.
TEST(ExplainCoverageTest, TextsAreWhole) {
  const auto is_sentence = [](const std::string& text) { return !text.empty() && text.back() == '.' && text.size() < 700; };
  for (const TermText& term : AllTerms()) {
    const std::string name = std::string(InfoOf(term.group).key) + " " + term.id;
    EXPECT_FALSE(term.title.empty()) << name;
    EXPECT_TRUE(is_sentence(term.what)) << name << ": " << term.what;
    EXPECT_TRUE(is_sentence(term.misleads)) << name << ": " << term.misleads;
    EXPECT_TRUE(is_sentence(term.next)) << name << ": " << term.next;
    EXPECT_EQ(term.next.find('{'), std::string::npos) << name;
    if (term.group != TermGroup::kWhatIf) {
      EXPECT_TRUE(is_sentence(term.healthy)) << name << ": " << term.healthy;
    }
    EXPECT_FALSE(term.unit.empty()) << name;
    EXPECT_FALSE(term.see.empty()) << name;
    for (const std::string& other : term.see) EXPECT_FALSE(Explain(other).empty()) << name << " refers to " << other;
    for (const std::string& spelling : term.also) {
      const std::vector<Explanation> found = Explain(spelling);
      EXPECT_TRUE(std::ranges::any_of(found, [&](const Explanation& one) { return one.term == term.id; }))
          << name << ": the spelling " << spelling << " finds another term";
    }
    const std::vector<Explanation> found = Explain(name);
    EXPECT_TRUE(std::ranges::any_of(Explain(term.id), [&](const Explanation& one) { return one.title == term.title; }))
        << name;
  }
  for (const MetricFamily& family : AllMetricFamilies()) {
    for (const std::string& other : family.see) EXPECT_FALSE(Explain(other).empty()) << family.title << " -> " << other;
  }
}

}  // namespace
}  // namespace warpsight::explain_coverage_test
