#include "diagnosis/report_terms.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "analysis/explain/term_notes.h"
#include "analysis/idle_pass.h"
#include "analysis/kernels_pass.h"
#include "analysis/lint_pass.h"
#include "analysis/parts_pass.h"
#include "analysis/steps_pass.h"

namespace warpsight {
namespace {

void AddWordsOf(std::initializer_list<std::string_view> words, SectionNotes& notes) {
  for (const std::string_view word : words) notes.Add(TermGroup::kWord, word);
}

void AddStepTerms(Analysis& analysis, SectionNotes& notes) {
  AddWordsOf({"step", "busy", "idle"}, notes);
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  if (!steps.ok()) return;
  for (const StepRow& row : steps->rows) {
    if (row.gpu) notes.Add(TermGroup::kVerdict, std::string(StepBoundName(row.gpu->bound)) + "_bound");
  }
}

void AddIdleTerms(Analysis& analysis, SectionNotes& notes) {
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  if (!idle.ok()) return;
  for (size_t i = 0; i < kIdleClassCount; ++i) {
    for (const IdleDevice& device : idle->devices) {
      if (device.classes[i] > 0) notes.Add(TermGroup::kIdleClass, InfoOf(static_cast<IdleClass>(i)).key);
    }
  }
}

void AddPartTerms(Analysis& analysis, SectionNotes& notes) {
  const Result<PartsResult>& parts = analysis.Get<PartsPass>();
  if (!parts.ok()) return;
  for (const PartRow& row : parts->rows) notes.Add(TermGroup::kPart, PartName(row.part));
}

void AddKernelTerms(Analysis& analysis, SectionNotes& notes) {
  const Result<KernelsResult>& kernels = analysis.Get<KernelsPass>();
  if (!kernels.ok()) return;
  for (const KernelRow& row : kernels->rows) notes.Add(TermGroup::kPart, row.family);
}

void AddLintTerms(Analysis& analysis, SectionNotes& notes) {
  const Result<LintResult>& lint = analysis.Get<LintPass>();
  if (!lint.ok()) return;
  for (const LintFinding& finding : lint->findings) {
    if (finding.severity == LintSeverity::kInfo) continue;
    notes.Add(TermGroup::kLint, finding.id);
    notes.Add(TermGroup::kCause, finding.id);
  }
}

void AddRooflineTerms(Analysis& /*analysis*/, SectionNotes& notes) {
  AddWordsOf({"roofline", "arithmetic intensity", "ridge point"}, notes);
}

void AddOpTerms(Analysis& /*analysis*/, SectionNotes& notes) { AddWordsOf({"op", "self/total", "overhead row"}, notes); }

void AddCollectiveTerms(Analysis& /*analysis*/, SectionNotes& notes) {
  AddWordsOf({"collective", "exposed communication", "bus bandwidth", "algorithm bandwidth"}, notes);
}

void AddRankTerms(Analysis& /*analysis*/, SectionNotes& notes) { AddWordsOf({"rank", "wait and transfer"}, notes); }

void AddCounterTerms(Analysis& /*analysis*/, SectionNotes& notes) {
  AddWordsOf({"est. speedup", "est. local speedup"}, notes);
}

struct SectionTerms {
  std::string_view heading;
  void (*add)(Analysis& analysis, SectionNotes& notes);
};
constexpr SectionTerms kSectionTerms[] = {
    {"Steps", AddStepTerms},
    {"Idle time", AddIdleTerms},
    {"GPU time by model part", AddPartTerms},
    {"GPU time by kernel", AddKernelTerms},
    {"Bounds: what the device needs at least", AddRooflineTerms},
    {"Time by op", AddOpTerms},
    {"Counters: why kernels are slow", AddCounterTerms},
    {"Ranks", AddRankTerms},
    {"Collectives", AddCollectiveTerms},
    {"Problems of the recording", AddLintTerms},
};

std::vector<TermNote> NotesOfHeading(const std::string& heading, const std::vector<WhatIf>& what_ifs, Analysis& analysis) {
  SectionNotes notes;
  if (heading == "What if") {
    for (const WhatIf& one : what_ifs) notes.Add(TermGroup::kWhatIf, one.id);
  }
  for (const SectionTerms& section : kSectionTerms) {
    if (section.heading == heading) section.add(analysis, notes);
  }
  return notes.Take();
}

}  // namespace

void AddTermsOfPage(Analysis& analysis, const Diagnosis& diagnosis, const std::vector<WhatIf>& what_ifs, Document& report) {
  size_t finding = 0;
  for (Block& block : report.blocks) {
    if (auto* const heading = std::get_if<Heading>(&block)) {
      heading->terms = NotesOfHeading(heading->text, what_ifs, analysis);
    } else if (auto* const found = std::get_if<FindingBlock>(&block);
               found != nullptr && finding < diagnosis.findings.size()) {
      found->terms = NotesOfFinding(TermGroup::kFinding, diagnosis.findings[finding++].id);
    }
  }
}

}  // namespace warpsight
