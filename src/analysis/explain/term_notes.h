// Terms as a page shows them beside what uses them: the texts of `warpsight explain`, only of the terms on the page.
//
// Place in the flow: ids of findings, classes, parts -> TermNotes of a document's blocks. Terms without an entry are left
// out. Threads: thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/explain/term_text.h"
#include "document/document.h"

namespace warpsight {

// What stands under a finding: without what to do, which the finding says itself. Empty when there is no such term.
std::vector<TermNote> NotesOfFinding(TermGroup group, std::string_view id);

// Terms of a section, in order and each once.
class SectionNotes {
 public:
  void Add(TermGroup group, std::string_view id);
  std::vector<TermNote> Take() { return std::move(notes_); }

 private:
  std::vector<const TermText*> seen_;
  std::vector<TermNote> notes_;
};

}  // namespace warpsight
