// RenderText: a Document for people, on a terminal or in a text file.
//
// Place in the flow: the default output of every verb. Sections stand at the left margin, what belongs to them is indented
// by two; blocks are separated by one empty line. Lines fit style.width and have no trailing spaces; the text ends in a line
// feed. Blocks that only the page shows (IsPageOnly) are left out. Text from files is neutralised (render/display_text.h),
// so the only escape sequences are those of style.colour. Errors: none. Threads: pure, thread-safe.
#pragma once

#include <string>

#include "document/document.h"
#include "render/text_style.h"

namespace warpsight {

std::string RenderText(const Document& document, const TextStyle& style);

}  // namespace warpsight
