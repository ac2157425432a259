#include "analysis/explain/term_notes.h"

#include <algorithm>

namespace warpsight {
namespace {

void AppendSentence(std::string_view label, const std::string& text, std::string& note) {
  if (text.empty()) return;
  note += note.empty() ? "" : " ";
  note.append(label).append(": ").append(text);
}

}  // namespace

std::vector<TermNote> NotesOfFinding(TermGroup group, std::string_view id) {
  const TermText* const term = FindTerm(group, id);
  if (term == nullptr) return {};
  std::vector<TermNote> notes = {{"What", term->what, ""}};
  if (!term->healthy.empty()) notes.push_back({"Healthy", term->healthy, ""});
  if (!term->misleads.empty()) notes.push_back({"Misleads", term->misleads, ""});
  return notes;
}

void SectionNotes::Add(TermGroup group, std::string_view id) {
  const TermText* const term = FindTerm(group, id);
  if (term == nullptr || std::ranges::find(seen_, term) != seen_.end()) return;
  seen_.push_back(term);
  TermNote note = {term->id, term->what, ""};
  std::ranges::replace(note.name, '_', group == TermGroup::kVerdict ? '-' : ' ');  // memory-bound, host work
  AppendSentence("Healthy", term->healthy, note.remark);
  AppendSentence("Misleads", term->misleads, note.remark);
  notes_.push_back(std::move(note));
}

}  // namespace warpsight
