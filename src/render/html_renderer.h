// RenderHtml: a Document as one page of HTML that needs nothing else: no network, no other file.
//
// Place in the flow: `report --html`, `counters --html`. Reads only the neutral Document. The style sheet and the script
// (src/render/html) are put into the page as they are; the page's content security policy allows that script by its hash and
// nothing else, so a name out of a hostile file could not run even if it were not escaped, and every text is
// (render/html_text.h). Sections begin at headings of level 1 and at records; the blocks before the first are the head of
// the page. The page is the same for the same document: it holds no date. Errors: CHECKs that table rows have one cell per
// column. Threads: pure, thread-safe.
#pragma once

#include <string>

#include "document/document.h"

namespace warpsight {

struct HtmlOptions {
  std::string title;            // what the page is about: the name of the recording
  std::string verb = "report";  // what made it
};

std::string RenderHtml(const Document& document, const HtmlOptions& options);

}  // namespace warpsight
